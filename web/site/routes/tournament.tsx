import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { TournamentFrame } from '../tournament/frame.tsx'
import { root, textsOf } from './root.tsx'

/** Pages of a tournament. */

const tournament = createRoute({ getParentRoute: () => root, path: '/t/$tournament', component: TournamentFrame })
const ofTournament = () => tournament
const overview = createRoute({
  getParentRoute: ofTournament,
  path: '/',
  component: lazyRouteComponent(() => import('../tournament/overview/page.tsx'), 'Overview'),
})
const rules = createRoute({
  getParentRoute: ofTournament,
  path: '/rules',
  component: lazyRouteComponent(() => import('../tournament/rules.tsx'), 'Rules'),
})
const teams = createRoute({
  getParentRoute: ofTournament,
  path: '/teams',
  validateSearch: textsOf('q', 'status'),
  component: lazyRouteComponent(() => import('../tournament/teams.tsx'), 'Teams'),
})
const team = createRoute({
  getParentRoute: ofTournament,
  path: '/teams/$team',
  component: lazyRouteComponent(() => import('../tournament/team.tsx'), 'Team'),
})
const ownTeam = createRoute({
  getParentRoute: ofTournament,
  path: '/team',
  component: lazyRouteComponent(() => import('../tournament/own-team/page.tsx'), 'OwnTeam'),
})
const availability = createRoute({
  getParentRoute: ofTournament,
  path: '/availability/$sheet',
  component: lazyRouteComponent(() => import('../tournament/availability/page.tsx'), 'Availability'),
})
const qualifier = createRoute({
  getParentRoute: ofTournament,
  path: '/qualifier',
  validateSearch: textsOf('of', 'map'),
  component: lazyRouteComponent(() => import('../tournament/qualifier.tsx'), 'QualifierPage'),
})
const pools = createRoute({
  getParentRoute: ofTournament,
  path: '/pools',
  component: lazyRouteComponent(() => import('../tournament/pools.tsx'), 'Pools'),
})
const pool = createRoute({
  getParentRoute: ofTournament,
  path: '/pools/$pool',
  component: lazyRouteComponent(() => import('../tournament/pool.tsx'), 'PoolPage'),
})
const firstBracket = createRoute({
  getParentRoute: ofTournament,
  path: '/bracket',
  component: lazyRouteComponent(() => import('../tournament/bracket/page.tsx'), 'FirstBracket'),
})
const bracket = createRoute({
  getParentRoute: ofTournament,
  path: '/bracket/$division/$bracket',
  validateSearch: textsOf('view', 'team'),
  component: lazyRouteComponent(() => import('../tournament/bracket/page.tsx'), 'BracketPage'),
})
const matches = createRoute({
  getParentRoute: ofTournament,
  path: '/matches',
  validateSearch: textsOf('team', 'status', 'official', 'by', 'zone'),
  component: lazyRouteComponent(() => import('../tournament/matches.tsx'), 'Matches'),
})
const match = createRoute({
  getParentRoute: ofTournament,
  path: '/m/$division/$number',
  component: lazyRouteComponent(() => import('../tournament/match/page.tsx'), 'MatchPage'),
})
const standings = createRoute({
  getParentRoute: ofTournament,
  path: '/standings/$bracket',
  validateSearch: textsOf('sort', 'places'),
  component: lazyRouteComponent(() => import('../tournament/standings.tsx'), 'Standings'),
})
const schedule = createRoute({
  getParentRoute: ofTournament,
  path: '/schedule',
  validateSearch: textsOf('view', 'zone'),
  component: lazyRouteComponent(() => import('../tournament/schedule.tsx'), 'Schedule'),
})
const updates = createRoute({
  getParentRoute: ofTournament,
  path: '/updates',
  component: lazyRouteComponent(() => import('../tournament/updates.tsx'), 'Updates'),
})
const staff = createRoute({
  getParentRoute: ofTournament,
  path: '/staff',
  component: lazyRouteComponent(() => import('../tournament/staff.tsx'), 'Staff'),
})

export const tournamentRoutes = tournament.addChildren([
  overview,
  rules,
  teams,
  team,
  ownTeam,
  availability,
  qualifier,
  pools,
  pool,
  firstBracket,
  bracket,
  matches,
  match,
  standings,
  schedule,
  updates,
  staff,
])
