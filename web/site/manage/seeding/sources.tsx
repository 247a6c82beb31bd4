import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BracketWithMatches, TeamReference } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import { readNow } from '../../data/queries.ts'
import { useDivisions, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Failure } from '../../parts/loaded.tsx'
import { TeamName } from '../../parts/team.tsx'
import { countMoved, indexesOf, type Order, type Place, proposed } from './order.ts'
import styles from './seeding.module.css'
import type { PlayingTeam } from './teams.ts'

/** Where an order can come from. It is shown before it is taken, and saved with everything else. */

interface Props {
  readonly bracket: BracketWithMatches
  readonly places: readonly Place[]
  readonly order: Order
  /** The teams of the tournament; undefined while they are on their way. */
  readonly teams: readonly PlayingTeam[] | undefined
  readonly known: ReadonlyMap<string, TeamReference>
  readonly change: (order: Order, said: string) => void
}

export function Sources({ bracket, places, order, teams, known, change }: Props) {
  const tournament = useTournamentId()
  const divisions = useDivisions().data ?? []
  const [source, setSource] = useState('')
  const others = divisions
    .flatMap(({ brackets }) => brackets)
    .filter(({ guid, status }) => guid !== bracket.guid && (status === 'running' || status === 'completed'))
  const found = useSource(tournament, source, order, teams)
  const next = found.data === undefined ? undefined : proposed(order, found.data)
  const count = next === undefined ? 0 : countMoved(order, next)
  return (
    <>
      <label className="choice">
        {words('seeding.by')}
        <select className={`in ${styles.source}`} value={source} onChange={({ target }) => setSource(target.value)}>
          <option value="">{words('seeding.by-hand')}</option>
          <option value="qualifier">{words('seeding.by-qualifier')}</option>
          <option value="seeds">{words('seeding.by-seeds')}</option>
          <option value="ranking-a">{words('seeding.by-ranking-a')}</option>
          <option value="ranking-b">{words('seeding.by-ranking-b')}</option>
          <option value="registration">{words('seeding.by-registration')}</option>
          {others.map(({ guid, name }) => (
            <option key={guid} value={guid}>
              {words('seeding.by-bracket', { name })}
            </option>
          ))}
        </select>
      </label>
      {source !== '' && (
        <div className={`notice ${styles.proposal}`} role="status">
          {found.error !== null && <Failure error={found.error} again={() => void found.refetch()} />}
          {found.error === null && next === undefined && <span className="muted">{words('state.loading')}</span>}
          {next !== undefined && (
            <>
              <div className="push">
                <p className="strong">
                  {found.data?.length === 0
                    ? words(isRanking(source) ? 'seeding.source-unranked' : 'seeding.source-empty')
                    : words('seeding.source-moves', { count })}
                </p>
                {count > 0 && <Moves {...{ places, order, next, known }} />}
              </div>
              <div className="btns">
                <button
                  type="button"
                  className="btn"
                  aria-disabled={count === 0}
                  onClick={() => {
                    if (count === 0) return
                    change(next, words('seeding.said-taken', { count }))
                    setSource('')
                  }}
                >
                  {words('seeding.take-order')}
                </button>
                <button type="button" className="btn btn-quiet" onClick={() => setSource('')}>
                  {words('danger.cancel')}
                </button>
              </div>
            </>
          )}
        </div>
      )}
    </>
  )
}

const isRanking = (source: string): source is 'ranking-a' | 'ranking-b' =>
  source === 'ranking-a' || source === 'ranking-b'

/** All that would move, from which seed to which. */
function Moves({ places, order, next, known }: Pick<Props, 'places' | 'order' | 'known'> & { readonly next: Order }) {
  const seedAt = (at: number | undefined) => (at === undefined ? words('seeding.new') : (places[at]?.seed ?? at + 1))
  const [was, is] = [indexesOf(order), indexesOf(next)]
  const teams = [...is.keys()].filter((team) => was.get(team) !== is.get(team))
  return (
    <details className={styles.moves}>
      <summary>{words('seeding.source-show')}</summary>
      <ul className="lines">
        {teams.map((guid) => (
          <li key={guid}>
            <TeamName team={known.get(guid) ?? { id: guid, name: guid }} />{' '}
            <span className="code">
              {seedAt(was.get(guid))} → {seedAt(is.get(guid))}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The teams by the source, the best first. Equal ones keep their order in the list. */
function useSource(tournament: string, source: string, order: Order, teams: readonly PlayingTeam[] | undefined) {
  const isOwn = source === 'registration' || source === 'seeds'
  const read = useQuery({
    queryKey: ['seeding source', tournament, source],
    queryFn: () => ranksOf(tournament, source),
    enabled: source !== '' && !isOwn,
    staleTime: 0,
    gcTime: 0,
  })
  const current = indexesOf(order)
  const inOrder = <Row,>(rows: readonly Row[], teamOf: (row: Row) => string, placeOf: (row: Row) => number) =>
    rows
      .toSorted(
        (one, other) =>
          placeOf(one) - placeOf(other) ||
          (current.get(teamOf(one)) ?? order.length) - (current.get(teamOf(other)) ?? order.length),
      )
      .map(teamOf)
  const own = teams && {
    registration: () =>
      inOrder(
        teams,
        ({ guid }) => guid,
        ({ registeredAt }) => Date.parse(registeredAt ?? '') || 0,
      ),
    seeds: () => {
      const seeded = teams.filter(({ seed }) => seed !== null)
      return inOrder(
        seeded,
        ({ guid }) => guid,
        ({ seed }) => seed ?? 0,
      )
    },
  }
  if (isOwn) return { data: own?.[source](), error: null, refetch: () => {} }
  return {
    ...read,
    data:
      read.data &&
      inOrder(
        read.data,
        ({ team }) => team,
        ({ rank }) => rank,
      ),
  }
}

async function ranksOf(tournament: string, source: string): Promise<readonly { team: string; rank: number }[]> {
  if (source === 'qualifier') {
    const at = address('/tournaments/{tournament}/qualifier/standings', { tournament })
    const standings = await readNow(at).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    })
    // Without a qualifier it gives no order.
    if (standings === null) return []
    return standings.overallTeamStandings.flatMap(({ team, rank }) =>
      rank === null ? [] : [{ team: team.guid, rank }],
    )
  }
  if (isRanking(source)) {
    const { teams } = await readNow(
      address('/tournaments/{tournament}/teamRanks', { tournament }, { platform: source }),
    )
    return teams.flatMap(({ team, rank }) => (rank === null ? [] : [{ team: team.guid, rank }]))
  }
  const { standings } = await readNow(
    address('/tournaments/{tournament}/brackets/{bracket}/standings', { tournament, bracket: source }),
  )
  return standings.map(({ team, rank }) => ({ team: team.guid, rank }))
}
