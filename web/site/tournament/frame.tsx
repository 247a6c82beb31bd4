import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { FaultOf } from '../chrome/faults.tsx'
import { useMay, useTournament, useTournamentId } from '../data/tournament.ts'
import { type WordId, words } from '../data/words.ts'
import { Late } from '../parts/late.tsx'
import { RehearsalTime } from '../parts/rehearsal-time.tsx'
import { ShareButton } from '../parts/share.tsx'
import { Tabs } from '../parts/tabs.tsx'

/** The pages of a tournament: its name, and the way to each of them. */

/** Pages below another address belong to a tab, too. */
const places: readonly (readonly [to: `/t/$tournament${string}`, WordId, below?: string])[] = [
  ['/t/$tournament', 'tournament.overview', 'rules'],
  ['/t/$tournament/teams', 'tournament.teams'],
  ['/t/$tournament/qualifier', 'tournament.qualifier'],
  ['/t/$tournament/pools', 'tournament.pools'],
  ['/t/$tournament/bracket', 'tournament.bracket', 'standings'],
  ['/t/$tournament/matches', 'tournament.matches', 'm'],
  ['/t/$tournament/schedule', 'tournament.schedule'],
  ['/t/$tournament/updates', 'tournament.updates'],
  ['/t/$tournament/staff', 'tournament.staff'],
]

export function TournamentFrame() {
  const tournament = useTournamentId()
  const { data, error, refetch } = useTournament()
  const place = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] })
  const mayManage = useMay()('tournaments.health')
  if (data === undefined && error !== null) return <FaultOf error={error} again={() => void refetch()} />
  return (
    <>
      <Tabs
        label={words('tournament.pages')}
        name={
          <Link to="/t/$tournament" params={{ tournament }}>
            <bdi>{data?.name ?? ' '}</bdi>
          </Link>
        }
        beside={
          <>
            {mayManage && (
              <Link to="/manage/$tournament" params={{ tournament }} className="btn">
                {words('tournament.manage')}
              </Link>
            )}
            <ShareButton />
          </>
        }
      >
        {places.map(([to, word, below]) => (
          <li key={to}>
            <Link
              to={to as '/t/$tournament'}
              params={{ tournament }}
              activeOptions={{ exact: to === '/t/$tournament' }}
              aria-current={below !== undefined && below === place ? 'true' : undefined}
            >
              {words(word)}
            </Link>
          </li>
        ))}
      </Tabs>
      <RehearsalTime>
        <Late tournament={data} isStaff={mayManage} />
        <Outlet />
      </RehearsalTime>
    </>
  )
}
