import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Qualifier, QualifierStandings } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { Empty } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { Ago, useNow } from '../parts/time.tsx'
import styles from './qualifier.module.css'
import { MapStandings, OwnScores, PlayerStandings, TeamStandings } from './qualifier-standings.tsx'

/** The results of a qualifier: of teams or players, on all maps or on one, and how old they are. */

const route = getRouteApi('/t/$tournament/qualifier')

interface SourceProps {
  readonly at: string | null
  /** What staff alone are told. */
  readonly error: string | null
  readonly isOpen: boolean
}

/** Staff fetch results by hand: after so long, newer ones of an open qualifier may be missing. */
const staleMs = 60 * 60_000

/** When results were last fetched from elsewhere. */
function Source({ at, error, isOpen }: SourceProps) {
  const time = useNow(30_000)
  if (at === null) return null
  if (error === null && (!isOpen || time - Date.parse(at) < staleMs))
    return (
      <p className={`muted ${styles.synced}`}>
        {words('qualifier.synced')} <Ago at={at} />
      </p>
    )
  return (
    <p className={`notice notice-warning ${styles.synced}`}>
      <State shape="problem" tone="warning">
        {words('qualifier.stale')}
      </State>
      <span>
        {words('qualifier.good')} <Ago at={at} />
        {error !== null && (
          <>
            {': '}
            <bdi>{error}</bdi>
          </>
        )}
      </span>
    </p>
  )
}

interface StandingsProps {
  readonly qualifier: Qualifier
  readonly tournament: string
  readonly standings: QualifierStandings
  readonly isHidden: boolean
}

export function Standings({ standings, qualifier, tournament, isHidden }: StandingsProps) {
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
                activeOptions={{ exact: true, includeSearch: true }}
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
      <Source at={syncedAt} error={standings.lastSyncError} isOpen={qualifier.status === 'open'} />
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
