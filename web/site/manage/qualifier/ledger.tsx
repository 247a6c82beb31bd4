import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Qualifier, QualifierAttempt, QualifierStandings } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useFacts, usePages, useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { percentOf, wholeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { TeamLink } from '../../parts/team.tsx'
import { Ago } from '../../parts/time.tsx'
import { boardAddress, nameOfMap } from '../map-reads.ts'
import styles from './qualifier.module.css'
import { verdictsOf } from './reads.ts'
import { RecordAttempt } from './record.tsx'
import { VoidAttempt } from './void.tsx'

/** Every attempt, the newest first: who, on what, when, and whether it counts. */

const route = getRouteApi('/manage/$tournament/qualifier')

export function Ledger({ qualifier }: { readonly qualifier: Qualifier }) {
  const tournament = useTournamentId()
  const may = useMay()
  const { map, user, team } = route.useSearch()
  const standings = useRead(boardAddress(tournament), { live: true })
  const query = {
    ...(map !== undefined && { map }),
    ...(user !== undefined && { user }),
    ...(team !== undefined && { team }),
  }
  const pages = usePages(
    address('/tournaments/{tournament}/qualifier/attempts', { tournament }, { ...query, limit: 25 }),
  )
  const { refetch } = pages
  useFacts(address('/tournaments/{tournament}/qualifier/attempts', { tournament }, query), refetch)
  // Attempts of players who had none before are noticed by the standings.
  const board = standings.data
  const before = useRef(board)
  useEffect(() => {
    if (board !== before.current && before.current !== undefined) void refetch()
    before.current = board
  }, [board, refetch])
  const attempts = pages.data?.pages.flatMap((page) => page.attempts)
  return (
    <Section
      title={words('ledger.title')}
      beside={
        may('qualifiers.recordAttempts') && qualifier.status === 'open' ? <RecordAttempt qualifier={qualifier} /> : null
      }
    >
      <Filters qualifier={qualifier} standings={standings.data} />
      <Loaded of={{ ...pages, data: attempts }} rows={8}>
        {(shown) =>
          shown.length === 0 ? (
            <Empty>
              {words(map === undefined && user === undefined && team === undefined ? 'ledger.empty' : 'ledger.no-hit')}
            </Empty>
          ) : (
            <Table attempts={shown} qualifier={qualifier} standings={standings.data} />
          )
        }
      </Loaded>
      <More of={pages} />
    </Section>
  )
}

interface FiltersProps {
  readonly qualifier: Qualifier
  readonly standings: QualifierStandings | undefined
}

function Filters({ qualifier, standings }: FiltersProps) {
  const navigate = useNavigate({ from: '/manage/$tournament/qualifier' })
  const search = route.useSearch()
  const teams = standings?.overallTeamStandings.map(({ team }) => team) ?? []
  const players = standings?.overallStandings.map(({ user }) => user) ?? []
  const byName = (one: readonly [string, string], other: readonly [string, string]) => one[1].localeCompare(other[1])
  const filters = {
    map: qualifier.maps.map((each) => [each.guid, nameOfMap(each)] as const),
    team: teams.map(({ guid, name }) => [guid, name] as const).toSorted(byName),
    user: players.map(({ guid, preferredName }) => [guid, preferredName] as const).toSorted(byName),
  }
  return (
    <form className={styles.filters} onSubmit={(event) => event.preventDefault()}>
      {(['map', 'team', 'user'] as const).map((name) => (
        <label key={name} className="field">
          <span className="strong">{words(`ledger.filter-${name}`)}</span>
          <select
            className="in"
            value={search[name] ?? ''}
            onChange={({ target }) =>
              void navigate({
                search: ({ [name]: _before, ...others }) =>
                  target.value === '' ? others : { ...others, [name]: target.value },
                replace: true,
                resetScroll: false,
              })
            }
          >
            <option value="">{words('ledger.all')}</option>
            {filters[name].map(([guid, text]) => (
              <option key={guid} value={guid}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
    </form>
  )
}

interface TableProps extends FiltersProps {
  readonly attempts: readonly QualifierAttempt[]
}

function Table({ attempts, qualifier, standings }: TableProps) {
  const may = useMay()
  const [voided, setVoided] = useState<QualifierAttempt | null>(null)
  const verdict = verdictsOf(standings, qualifier)
  const mayVoid = may('qualifiers.voidAttempt') && qualifier.status !== 'final'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too
    <section className="wide-content" tabIndex={0} aria-label={words('ledger.rows')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{words('qualifier.player')}</th>
            <th scope="col" className="only-wide">
              {words('maps.map')}
            </th>
            <th scope="col" className="n narrow">
              {words('match.score')}
            </th>
            <th scope="col">{words('ledger.what-counts')}</th>
            <th scope="col" className="only-wide">
              {words('ledger.when')}
            </th>
            {mayVoid && (
              <th scope="col" className="narrow acts">
                <span className="unseen">{words('ledger.acts')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <Row
              key={attempt.guid}
              of={attempt}
              verdict={verdict(attempt)}
              {...(mayVoid && { ask: () => setVoided(attempt) })}
              hasActs={mayVoid}
            />
          ))}
        </tbody>
      </table>
      {voided !== null && <VoidAttempt of={voided} close={() => setVoided(null)} />}
    </section>
  )
}

interface RowProps {
  readonly of: QualifierAttempt
  readonly verdict: ReturnType<ReturnType<typeof verdictsOf>>
  readonly ask?: () => void
  readonly hasActs: boolean
}

function Row({ of, verdict, ask, hasActs }: RowProps) {
  const tournament = useTournamentId()
  const { user, team, map, score, accuracy, completion, source, playedAt, voidedAt } = of
  return (
    <tr>
      <th scope="row">
        <bdi className="strong">{user.preferredName}</bdi>
        {team !== null && (
          <p className="small">
            <TeamLink team={team} tournament={tournament} />
          </p>
        )}
        <p className="only-narrow small muted">
          <bdi>{nameOfMap(map)}</bdi>
        </p>
      </th>
      <td className="only-wide">
        <bdi>{nameOfMap(map)}</bdi>
        <p className="small muted">{map.difficulty.replace('Plus', '+')}</p>
      </td>
      <td className={`n ${voidedAt === null ? '' : styles.void}`}>
        {completion === 'placeholder' ? '–' : wholeOf(score)}
        {accuracy !== null && <p className="small muted">{percentOf(accuracy)}</p>}
      </td>
      <td>
        <State
          shape={verdict.counts ? 'done' : voidedAt === null ? 'waiting' : 'off'}
          {...(!verdict.counts && { tone: 'quiet' as const })}
        >
          {verdict.text}
        </State>
      </td>
      <td className="only-wide">
        <Ago at={playedAt} />
        <p className="small muted">{words(`ledger.source-${source}`)}</p>
      </td>
      {hasActs && (
        <td className="narrow acts">
          {voidedAt === null && (
            <button type="button" className="btn btn-danger" onClick={ask}>
              {words('ledger.make-void')}…
              <span className="unseen">
                {user.preferredName}, {nameOfMap(map)}, {wholeOf(score)}
              </span>
            </button>
          )}
        </td>
      )}
    </tr>
  )
}
