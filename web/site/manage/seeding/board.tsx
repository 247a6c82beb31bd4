import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { BracketWithMatches, TeamReference } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import { readNow } from '../../data/queries.ts'
import { divisionsAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { SaveBar } from '../save-bar.tsx'
import { Conflict } from './conflict.tsx'
import { Drawn } from './drawn.tsx'
import { Entrants } from './entrants.tsx'
import { isLocked, Locked } from './locked.tsx'
import { countMoved, indexesOf, type Order, orderOf, placesInOrder, secureLot, shuffled } from './order.ts'
import styles from './seeding.module.css'
import { Sources } from './sources.tsx'
import { useTeams } from './teams.ts'

/** The list of the entrants and the first round that it makes; nothing is changed before it is saved, once. (W10) */

interface Props {
  readonly bracket: BracketWithMatches
  readonly tournament: string
  readonly tournamentName: string
}

interface Values {
  readonly order: Order
}

export function Board({ bracket, tournament, tournamentName }: Props) {
  const { guid, name, entrants, revision } = bracket
  const at = address('/tournaments/{tournament}/brackets/{bracket}', { tournament, bracket: guid })
  const places = useMemo(() => placesInOrder({ entrants }), [entrants])
  const saved = useMemo((): Values => ({ order: orderOf({ entrants }) }), [entrants])
  const form = useForm<Values>({ key: `seeding-${guid}-${entrants.length}`, saved })
  const [tier, setTier] = useState('8')
  const [isCompared, setCompared] = useState(true)
  const { teams, ...reading } = useTeams()
  const known = useMemo(() => knownTeams(entrants, teams ?? []), [entrants, teams])
  const { order } = form.values
  const isClosed = isLocked(bracket)
  const save = useWrite('PUT /tournaments/{tournament}/brackets/{bracket}/entrants', (cache, reply) => {
    cache.put(at, reply)
    cache.renew(divisionsAddress(tournament))
  })
  const size = Math.max(2, Math.floor(Number(tier)) || 2)
  const change = (next: Order, text: string) => {
    form.set('order', next)
    say(text)
  }
  const send = (seen: number) => {
    const changed = order.flatMap((team, index) => {
      const place = places[index]
      return place === undefined || team === saved.order[index] ? [] : [{ slot: place.slot, teamGuid: team }]
    })
    const body = { entrants: changed, revision: seen }
    return save.attempt({ params: { tournament, bracket: guid }, body })
  }
  const submit = async () => {
    if ('order' in form.conflicts || !form.isChanged) return
    let failure = await send(revision)
    if (failure instanceof ApiError && failure.code === 'bracket.stale') {
      // What has changed may be no matter of seeds, such as the time of a match; else both orders are shown.
      const now = await readNow(at).catch(() => undefined)
      if (now !== undefined && JSON.stringify(orderOf(now)) === JSON.stringify(saved.order))
        failure = await send(now.revision)
      else save.reset()
    }
    if (failure === null) form.take()
  }
  const count = countMoved(saved.order, order)
  return (
    <>
      <div className="title">
        <div>
          <p>
            <Link to="/manage/$tournament/brackets" params={{ tournament }} search={{}}>
              {words('draw.title')}
            </Link>
            , <bdi>{name}</bdi>
          </p>
          <h1 data-title={`${words('seeding.title')} · ${name} · ${tournamentName}`}>{words('seeding.title')}</h1>
          <p>{words('seeding.about', { count: entrants.length, revision })}</p>
        </div>
      </div>
      {isClosed ? (
        <Locked bracket={bracket} tournament={tournament} />
      ) : (
        <div className={styles.bar}>
          <Sources bracket={bracket} places={places} order={order} teams={teams} known={known} change={change} />
          <span className={styles.tiers}>
            <button
              type="button"
              className="btn"
              onClick={() => change(shuffled(order, size, secureLot), words('seeding.said-shuffled', { size }))}
            >
              {words('seeding.shuffle')}
            </button>
            <label className="choice">
              {words('seeding.tier')}
              <input
                className={`in num ${styles.tier}`}
                type="number"
                min={2}
                max={4_096}
                value={tier}
                onChange={({ target }) => setTier(target.value)}
              />
            </label>
          </span>
          <label className={`choice ${styles.compare}`}>
            <input type="checkbox" checked={isCompared} onChange={({ target }) => setCompared(target.checked)} />
            {words('seeding.compare')}
          </label>
        </div>
      )}
      {'order' in form.conflicts && (
        <Conflict
          bracket={bracket}
          mine={order}
          theirs={saved.order}
          known={known}
          places={places}
          keep={() => form.keep('order')}
          take={() => form.take()}
        />
      )}
      <div className={styles.board}>
        <Entrants
          {...{ places, order, known, change, isClosed, bracket }}
          saved={saved.order}
          tier={size}
          isCompared={isCompared}
          others={(teams ?? []).filter((team) => !indexesOf(order).has(team.guid))}
          reading={reading}
        />
        <Drawn {...{ bracket, places, order, known }} saved={saved.order} isCompared={isCompared} />
      </div>
      {!isClosed && (
        <Form error={save.error} isChanged={form.isChanged} onSubmit={submit}>
          <SaveBar
            form={form}
            isSending={save.isSending}
            isDone={save.isDone}
            changed={words('seeding.moved', { count })}
            conflict={words('seeding.conflict-first')}
            save={words('seeding.save')}
          />
        </Form>
      )}
    </>
  )
}

/** Teams by their GUIDs: those that are in, and those that may come in. */
function knownTeams(
  entrants: BracketWithMatches['entrants'],
  teams: readonly TeamReference[],
): ReadonlyMap<string, TeamReference> {
  return new Map([
    ...teams.map((team) => [team.guid, team] as const),
    ...entrants.flatMap(({ team }) => (team === null ? [] : [[team.guid, team] as const])),
  ])
}
