import { useState } from 'react'
import type { FlowPenalty } from '../../../../../client/generated.ts'
import { words } from '../../../data/words.ts'
import { Section } from '../../../parts/section.tsx'
import { Instant } from '../../../parts/time.tsx'
import matchStyles from '../match.module.css'
import styles from './cockpit.module.css'
import { useDropLater } from './drop-later.tsx'
import { nameOfSeat, type Table } from './ops.ts'
import { Previewed, ReasonField, useLook } from './previewed.tsx'

/** The penalties of the match, with one to give and each to take back. (match-flows: Replays, technical replays, penalties) */

const types = [
  ...(['warning', 'score_zero', 'map_loss', 'lose_bans', 'lose_protects'] as const),
  ...(['lose_replays', 'lose_timeouts', 'exclude', 'points', 'match_forfeit'] as const),
]
type Type = (typeof types)[number]
/** Penalties that are about one player. */
const personal = new Set<Type>(['score_zero', 'exclude'])
/** Penalties that are about one map. */
const ofMap = new Set<Type>(['score_zero', 'map_loss'])

export function Penalties(table: Table) {
  const { session } = table
  const [open, setOpen] = useState<'new' | FlowPenalty | null>(null)
  const given = session.seats
    .flatMap(({ penalties }) => penalties)
    .toSorted((one, other) => one.at.localeCompare(other.at))
  return (
    <Section
      title={words('cockpit.penalties')}
      beside={
        <button type="button" className="btn" onClick={() => setOpen('new')}>
          {words('cockpit.add')}…
        </button>
      }
    >
      {given.length === 0 ? (
        <p className="muted">{words('cockpit.none')}</p>
      ) : (
        <ul className="lines">
          {given.map((penalty) => (
            <li key={penalty.guid} className={styles.entry}>
              <div>
                <p className={penalty.voidedAt === null ? '' : matchStyles.struck}>
                  <bdi className="strong">{nameOfSeat(session, penalty.seat)}</bdi>:{' '}
                  {words(`play.penalty-${penalty.type}`, { points: penalty.points ?? 0 })}
                  {penalty.game !== null && <>, {words('live.game', { game: penalty.game })}</>}.{' '}
                  <bdi>{penalty.reason}</bdi>
                </p>
                <p className="small muted">
                  <Instant at={penalty.at} as="time" />
                </p>
              </div>
              {penalty.voidedAt === null && (
                <button type="button" className="btn btn-quiet" onClick={() => setOpen(penalty)}>
                  {words('cockpit.void')}…
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {open === 'new' && <NewPenalty {...table} close={() => setOpen(null)} />}
      {open !== null && open !== 'new' && <Voided {...table} penalty={open} close={() => setOpen(null)} />}
    </Section>
  )
}

function NewPenalty({ view, session, ops, close }: Table & { readonly close: () => void }) {
  const [seat, setSeat] = useState(session.turn?.seats[0] ?? 1)
  const [type, setType] = useState<Type>('warning')
  const [user, setUser] = useState('')
  const [game, setGame] = useState(session.turn?.game ?? session.games.at(-1)?.game ?? 1)
  const [points, setPoints] = useState('1')
  const [reason, setReason] = useState('')
  const look = useLook('POST /tournaments/{tournament}/flow-sessions/{flowSession}/penalties')
  const params = { tournament: view.tournament, flowSession: session.session ?? '' }
  const later = useDropLater(ops.error ?? look.error)
  const members = view.people.teams[seat - 1]?.members ?? []
  const body = {
    ...{ seat, type, reason: reason.trim() },
    ...(personal.has(type) && user !== '' && { user }),
    ...(ofMap.has(type) && { game }),
    ...(type === 'points' && { points: Number(points) }),
    ...later.given,
  }
  return (
    <Previewed
      title={words('cockpit.new-penalty')}
      error={later.error}
      isSending={ops.isSending || look.isSending}
      of={body}
      isDirect={view.match.status !== 'completed'}
      look={() => look.look({ params, query: { dryRun: true }, body })}
      apply={({ revision }) => ops.send('penalise', { ...body, ...(revision !== undefined && { revision }) })}
      close={close}
    >
      <fieldset>
        <legend className="strong">{words('cockpit.for-whom')}</legend>
        {session.seats.map((each) => (
          <label key={each.seat} className="choice">
            <input
              type="radio"
              name="seat"
              checked={each.seat === seat}
              onChange={() => {
                setSeat(each.seat)
                setUser('')
              }}
            />
            <bdi>{each.name}</bdi>
          </label>
        ))}
      </fieldset>
      <label className="field">
        <span>{words('cockpit.what')}</span>
        <select className="in" value={type} onChange={({ target }) => setType(target.value as Type)}>
          {types.map((each) => (
            <option key={each} value={each}>
              {words(`play.penalty-${each}`, { points })}
            </option>
          ))}
        </select>
      </label>
      {personal.has(type) && (
        <label className="field">
          <span>{words('cockpit.player')}</span>
          <select className="in" required value={user} onChange={({ target }) => setUser(target.value)}>
            <option value="">{words('cockpit.choose')}</option>
            {members.map((member) => (
              <option key={member.user.guid} value={member.user.guid}>
                {view.people.nameOf(member.user.guid)}
              </option>
            ))}
          </select>
        </label>
      )}
      {ofMap.has(type) && (
        <label className="field">
          <span>{words('cockpit.game')}</span>
          <select className="in" value={game} onChange={({ target }) => setGame(Number(target.value))}>
            {session.games.map((each) => (
              <option key={each.game} value={each.game}>
                {each.game}
              </option>
            ))}
          </select>
        </label>
      )}
      {type === 'points' && (
        <label className="field">
          <span>{words('cockpit.points')}</span>
          <input
            className="in num"
            type="number"
            required
            value={points}
            onChange={({ target }) => setPoints(target.value)}
          />
        </label>
      )}
      <ReasonField value={reason} set={setReason} />
      {later.field}
    </Previewed>
  )
}

/** Takes a penalty back, as if it had not been given. */
function Voided({
  view,
  session,
  ops,
  penalty,
  close,
}: Table & { readonly penalty: FlowPenalty; readonly close: () => void }) {
  const [reason, setReason] = useState('')
  const look = useLook('POST /tournaments/{tournament}/flow-sessions/{flowSession}/penalties/{penalty}/void')
  const params = { tournament: view.tournament, flowSession: session.session ?? '', penalty: penalty.guid }
  const later = useDropLater(ops.error ?? look.error)
  const body = { reason: reason.trim(), ...later.given }
  return (
    <Previewed
      title={words('cockpit.void-penalty')}
      error={later.error}
      isSending={ops.isSending || look.isSending}
      of={body}
      isDirect={view.match.status !== 'completed'}
      look={() => look.look({ params, query: { dryRun: true }, body })}
      apply={({ revision }) =>
        ops.send('void', { ...body, ...(revision !== undefined && { revision }) }, { penalty: penalty.guid })
      }
      close={close}
    >
      <p className={styles.quote}>
        <bdi>{penalty.reason}</bdi>
      </p>
      <ReasonField value={reason} set={setReason} />
      {later.field}
    </Previewed>
  )
}
