import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Qualifier, QualifierAttempt, QualifierStandings } from '../../../client/generated.ts'
import { ApiError, address } from '../data/api.ts'
import { useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { wholeOf } from '../parts/numbers.ts'
import { Section } from '../parts/section.tsx'
import { Ago, Instant } from '../parts/time.tsx'
import styles from './qualifier.module.css'
import { MapStandings, OwnScores, PlayerStandings, TeamStandings } from './qualifier-standings.tsx'
import { useTournament, useTournamentId } from './reads.ts'

/** The qualifier: its maps, its method, and its standings. */

const route = getRouteApi('/t/$tournament/qualifier')

export function QualifierPage() {
  const tournament = useTournamentId()
  const read = useRead(address('/tournaments/{tournament}/qualifier', { tournament }), { live: true })
  const { error } = read
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <div className="page stack">
      {isMissing ? (
        <>
          <h1>{words('tournament.qualifier')}</h1>
          <Empty>{words('qualifier.none')}</Empty>
        </>
      ) : (
        <>
          <div className="title">
            <div>
              <h1>{words('tournament.qualifier')}</h1>
              {read.data !== undefined && <Dates of={read.data} />}
            </div>
          </div>
          <Loaded of={read} rows={10}>
            {(qualifier) => <Shown qualifier={qualifier} tournament={tournament} />}
          </Loaded>
        </>
      )}
    </div>
  )
}

function Dates({ of: { status, opensAt, closesAt } }: { readonly of: Qualifier }) {
  const zone = useTournament().data?.timezone
  return (
    <p>
      {words(`qualifier.${status}`)}
      {status === 'draft' && opensAt !== null && (
        <>
          {' '}
          {words('qualifier.opens')} <Instant at={opensAt} zone={zone} />.
        </>
      )}
      {(status === 'draft' || status === 'open') && closesAt !== null && (
        <>
          {' '}
          {words('qualifier.closes')} <Instant at={closesAt} zone={zone} />.
        </>
      )}
    </p>
  )
}

interface ShownProps {
  readonly qualifier: Qualifier
  readonly tournament: string
}

function Shown({ qualifier, tournament }: ShownProps) {
  const read = useRead(address('/tournaments/{tournament}/qualifier/standings', { tournament }), { live: true })
  const isHidden = qualifier.hideScores && (qualifier.status === 'open' || qualifier.status === 'closed')
  return (
    <>
      {isHidden && <Hidden qualifier={qualifier} />}
      <div className="two">
        <Maps qualifier={qualifier} tournament={tournament} />
        <Section title={words('qualifier.method')}>
          <Loaded of={read} rows={4}>
            {({ description }) => (
              <ul className={styles.method}>
                {description.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            )}
          </Loaded>
        </Section>
      </div>
      {qualifier.status !== 'draft' && (
        <Loaded of={read} rows={10}>
          {(standings) => (
            <Standings standings={standings} qualifier={qualifier} tournament={tournament} isHidden={isHidden} />
          )}
        </Loaded>
      )}
    </>
  )
}

/** Since when and until when the scores are hidden. */
function Hidden({ qualifier: { status, opensAt, closesAt } }: { readonly qualifier: Qualifier }) {
  const zone = useTournament().data?.timezone
  return (
    <p className="notice">
      <span>
        <strong>{words('qualifier.hidden')}</strong>{' '}
        {opensAt !== null && (
          <>
            {words('qualifier.hidden-since')} <Instant at={opensAt} zone={zone} />.{' '}
          </>
        )}
        {words('qualifier.hidden-until')}
        {status === 'open' && closesAt !== null && (
          <>
            {' '}
            {words('qualifier.not-before')} <Instant at={closesAt} zone={zone} />.
          </>
        )}
      </span>
    </p>
  )
}

function Maps({ qualifier: { maps, attempts, status }, tournament }: ShownProps) {
  const { user } = useReader()
  const own = useRead(
    user ? address('/tournaments/{tournament}/qualifier/attempts', { tournament }, { user: '@me', limit: 100 }) : null,
    { live: true },
  ).data
  // Attempts are counted only if one answer has all of them.
  const counted = own?.nextCursor === null ? own.attempts : undefined
  const isWeighted = maps.some(({ weight }) => weight !== 1)
  return (
    <Section
      title={words('qualifier.maps')}
      beside={<span className="muted">{words('qualifier.attempts', { count: attempts })}</span>}
    >
      {maps.length === 0 ? (
        <Empty>{words(status === 'draft' ? 'qualifier.maps-later' : 'qualifier.no-maps')}</Empty>
      ) : (
        <table className="table">
          <caption className="unseen">{words('qualifier.maps')}</caption>
          <thead>
            <tr>
              <th scope="col">{words('map.map')}</th>
              <th scope="col" className="narrow">
                {words('map.difficulty')}
              </th>
              {isWeighted && (
                <th scope="col" className="n narrow">
                  {words('qualifier.weight')}
                </th>
              )}
              <th scope="col" className="n narrow only-wide">
                {words('map.max-score')}
              </th>
              {counted !== undefined && (
                <th scope="col" className="n narrow">
                  {words('qualifier.own')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {maps.map((map) => (
              <tr key={map.guid}>
                <th scope="row">
                  <MapTitle map={map} />
                </th>
                <td className="narrow">{map.difficulty.replace('Plus', '+')}</td>
                {isWeighted && <td className="n">{map.weight}</td>}
                <td className="n only-wide">{map.maxScore === null ? '–' : wholeOf(map.maxScore)}</td>
                {counted !== undefined && <td className="n">{usedOf(counted, map.guid, attempts)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

/** How many attempts the reader has used on a map, of how many. */
function usedOf(attempts: readonly QualifierAttempt[], guid: string, most: number): string {
  const used = attempts.filter(({ map, voidedAt }) => map.guid === guid && voidedAt === null).length
  return most === 0 ? String(used) : words('qualifier.used', { used, most })
}

function MapTitle({ map: { name, artist, mapper, hash } }: { readonly map: Qualifier['maps'][number] }) {
  return (
    <>
      <bdi className="strong">{name ?? hash.slice(0, 8)}</bdi>
      {(artist ?? mapper) !== null && (
        <span className={`small muted ${styles.by}`}>
          <bdi>{[artist, mapper].filter((each) => each !== null).join(', ')}</bdi>
        </span>
      )}
    </>
  )
}

interface StandingsProps extends ShownProps {
  readonly standings: QualifierStandings
  readonly isHidden: boolean
}

function Standings({ standings, qualifier, tournament, isHidden }: StandingsProps) {
  const { of, map: asked } = route.useSearch()
  const navigate = useNavigate({ from: '/t/$tournament/qualifier' })
  const { maps, overallTeamStandings: teams, overallStandings: players, syncedAt } = standings
  const map = maps.find(({ guid }) => guid === asked)
  const showsPlayers = of === 'players'
  if (teams.length === 0)
    return isHidden && players[0] !== undefined ? (
      <Section title={words('qualifier.own-scores')}>
        <OwnScores own={players[0]} maps={maps} />
      </Section>
    ) : (
      <Section title={words('standings.title')}>
        <Empty>{words(isHidden ? 'qualifier.standings-hidden' : 'qualifier.no-results')}</Empty>
      </Section>
    )
  return (
    <Section
      title={words('standings.title')}
      beside={
        <div className="btns no-print">
          <div className="choices">
            {(['teams', 'players'] as const).map((each) => (
              <Link
                key={each}
                to="/t/$tournament/qualifier"
                params={{ tournament }}
                search={{ ...(each === 'players' && { of: each }), ...(map && { map: map.guid }) }}
                className="btn"
                resetScroll={false}
                aria-current={showsPlayers === (each === 'players') ? 'true' : undefined}
              >
                {words(`qualifier.of-${each}`)}
              </Link>
            ))}
          </div>
          <select
            className={`in ${styles.map}`}
            aria-label={words('map.map')}
            value={map?.guid ?? ''}
            onChange={({ target: { value } }) =>
              void navigate({
                search: { ...(of && { of }), ...(value !== '' && { map: value }) },
                replace: true,
                resetScroll: false,
              })
            }
          >
            <option value="">{words('qualifier.overall')}</option>
            {maps.map(({ guid, name, hash, difficulty }) => (
              <option key={guid} value={guid}>
                {`${name ?? hash.slice(0, 8)}, ${difficulty.replace('Plus', '+')}`}
              </option>
            ))}
          </select>
        </div>
      }
    >
      {syncedAt !== null && (
        <p className={`muted ${styles.synced}`}>
          {words('qualifier.synced')} <Ago at={syncedAt} />
        </p>
      )}
      {showsPlayers ? (
        <PlayerStandings
          players={players}
          tournament={tournament}
          method={qualifier.method}
          {...(map && { map: map.guid })}
        />
      ) : map === undefined ? (
        <TeamStandings
          teams={teams}
          tournament={tournament}
          method={qualifier.method}
          cutoff={qualifier.cutoff}
          isFinal={qualifier.status === 'final'}
        />
      ) : (
        <MapStandings
          on={standings.songAndTeamProcesses.find(({ mapGuid }) => mapGuid === map.guid)}
          teams={teams}
          tournament={tournament}
        />
      )}
    </Section>
  )
}
