import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { CrashedPage, UnknownPage } from './chrome/faults.tsx'
import { Frame } from './chrome/frame.tsx'
import { Pending } from './parts/loaded.tsx'
import { TournamentFrame } from './tournament/frame.tsx'

/** The addresses of the website. `src/site/pages.ts` has their heads. (W3) */

const root = createRootRoute({ component: Frame, notFoundComponent: UnknownPage, errorComponent: CrashedPage })

const at = root
const home = createRoute({
  getParentRoute: () => at,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home.tsx'), 'Home'),
})
const tournaments = createRoute({
  getParentRoute: () => at,
  path: '/tournaments',
  validateSearch: textsOf('q', 'status', 'registration', 'platform', 'from', 'to', 'organiser', 'participant', 'view'),
  component: lazyRouteComponent(() => import('./tournaments/tournaments.tsx'), 'Tournaments'),
})
const search = createRoute({
  getParentRoute: () => at,
  path: '/search',
  validateSearch: textsOf('q'),
  component: lazyRouteComponent(() => import('./search/search.tsx'), 'Search'),
})
const calendar = createRoute({
  getParentRoute: () => at,
  path: '/calendar',
  validateSearch: textsOf('view', 'on', 'kinds', 'platform'),
  component: lazyRouteComponent(() => import('./calendar/calendar.tsx'), 'Calendar'),
})
const platform = createRoute({
  getParentRoute: () => at,
  path: '/p/$platform',
  component: lazyRouteComponent(() => import('./platforms/platform.tsx'), 'PlatformPage'),
})
const maps = createRoute({
  getParentRoute: () => at,
  path: '/maps',
  validateSearch: textsOf('q', 'mapper', 'from', 'to', 'sort'),
  component: lazyRouteComponent(() => import('./maps/maps.tsx'), 'Maps'),
})
const map = createRoute({
  getParentRoute: () => at,
  path: '/maps/$map',
  component: lazyRouteComponent(() => import('./maps/map.tsx'), 'MapPage'),
})
const archivedPool = createRoute({
  getParentRoute: () => at,
  path: '/pools/$pool',
  component: lazyRouteComponent(() => import('./maps/pool.tsx'), 'PoolPage'),
})
const awards = createRoute({
  getParentRoute: () => at,
  path: '/awards',
  component: lazyRouteComponent(() => import('./awards/awards.tsx'), 'AwardsPage'),
})
const edition = createRoute({
  getParentRoute: () => at,
  path: '/awards/$edition',
  component: lazyRouteComponent(() => import('./awards/edition.tsx'), 'EditionPage'),
})
const badges = createRoute({
  getParentRoute: () => at,
  path: '/badges',
  validateSearch: textsOf('q', 'kind'),
  component: lazyRouteComponent(() => import('./badges/badges.tsx'), 'Badges'),
})
const badge = createRoute({
  getParentRoute: () => at,
  path: '/badges/$badge',
  component: lazyRouteComponent(() => import('./badges/badge.tsx'), 'BadgePage'),
})
const user = createRoute({
  getParentRoute: () => at,
  path: '/u/$user',
  component: lazyRouteComponent(() => import('./people/user.tsx'), 'User'),
})
const offline = createRoute({
  getParentRoute: () => at,
  path: '/offline',
  component: lazyRouteComponent(() => import('./chrome/offline.tsx'), 'Offline'),
})
const about = createRoute({
  getParentRoute: () => at,
  path: '/about',
  component: lazyRouteComponent(() => import('./about/about.tsx'), 'About'),
})
const accessibility = createRoute({
  getParentRoute: () => at,
  path: '/about/accessibility',
  component: lazyRouteComponent(() => import('./about/about.tsx'), 'Accessibility'),
})
const licences = createRoute({
  getParentRoute: () => at,
  path: '/about/licences',
  component: lazyRouteComponent(() => import('./about/about.tsx'), 'Licences'),
})

const own = createRoute({
  getParentRoute: () => at,
  path: '/me',
  component: lazyRouteComponent(() => import('./me/frame.tsx'), 'OwnFrame'),
})
const ofOwn = () => own
const agenda = createRoute({
  getParentRoute: ofOwn,
  path: '/',
  component: lazyRouteComponent(() => import('./me/agenda.tsx'), 'AgendaPage'),
})
const profile = createRoute({
  getParentRoute: ofOwn,
  path: '/profile',
  component: lazyRouteComponent(() => import('./me/profile.tsx'), 'Profile'),
})
const notifications = createRoute({
  getParentRoute: ofOwn,
  path: '/notifications',
  component: lazyRouteComponent(() => import('./me/notifications.tsx'), 'Notifications'),
})
const settings = createRoute({
  getParentRoute: ofOwn,
  path: '/settings',
  component: lazyRouteComponent(() => import('./me/settings.tsx'), 'Settings'),
})
const sessions = createRoute({
  getParentRoute: ofOwn,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./me/sessions.tsx'), 'Sessions'),
})
const account = createRoute({
  getParentRoute: ofOwn,
  path: '/account',
  component: lazyRouteComponent(() => import('./me/account.tsx'), 'AccountPage'),
})
const ownTeams = createRoute({
  getParentRoute: ofOwn,
  path: '/teams',
  component: lazyRouteComponent(() => import('./me/teams.tsx'), 'Teams'),
})
const applications = createRoute({
  getParentRoute: ofOwn,
  path: '/applications',
  component: lazyRouteComponent(() => import('./me/applications.tsx'), 'Applications'),
})
const application = createRoute({
  getParentRoute: ofOwn,
  path: '/applications/$application',
  component: lazyRouteComponent(() => import('./me/application.tsx'), 'ApplicationPage'),
})
const streaming = createRoute({
  getParentRoute: ofOwn,
  path: '/streaming',
  component: lazyRouteComponent(() => import('./me/streaming.tsx'), 'Streaming'),
})
const ownBadges = createRoute({
  getParentRoute: ofOwn,
  path: '/badges',
  component: lazyRouteComponent(() => import('./me/badges.tsx'), 'OwnBadges'),
})
const ownMedia = createRoute({
  getParentRoute: ofOwn,
  path: '/media',
  component: lazyRouteComponent(() => import('./me/media.tsx'), 'OwnMedia'),
})
/** The address by which programs in the field lead their users to the linked accounts. (W3) */
const formerSettings = createRoute({
  getParentRoute: () => at,
  path: '/users/@me/settings',
  beforeLoad: ({ location: { hash } }) => {
    throw redirect({ to: '/me/settings', hash, replace: true })
  },
})

const embeddedBracket = createRoute({
  getParentRoute: () => at,
  path: '/embed/t/$tournament/bracket/$bracket',
  component: lazyRouteComponent(() => import('./tournament/bracket/embed.tsx'), 'EmbeddedBracket'),
})
const embeddedSchedule = createRoute({
  getParentRoute: () => at,
  path: '/embed/t/$tournament/schedule',
  component: lazyRouteComponent(() => import('./tournament/schedule.tsx'), 'EmbeddedSchedule'),
})

const tournament = createRoute({ getParentRoute: () => at, path: '/t/$tournament', component: TournamentFrame })
const ofTournament = () => tournament
const overview = createRoute({
  getParentRoute: ofTournament,
  path: '/',
  component: lazyRouteComponent(() => import('./tournament/overview/page.tsx'), 'Overview'),
})
const rules = createRoute({
  getParentRoute: ofTournament,
  path: '/rules',
  component: lazyRouteComponent(() => import('./tournament/rules.tsx'), 'Rules'),
})
const teams = createRoute({
  getParentRoute: ofTournament,
  path: '/teams',
  validateSearch: textsOf('q', 'status'),
  component: lazyRouteComponent(() => import('./tournament/teams.tsx'), 'Teams'),
})
const team = createRoute({
  getParentRoute: ofTournament,
  path: '/teams/$team',
  component: lazyRouteComponent(() => import('./tournament/team.tsx'), 'Team'),
})
const ownTeam = createRoute({
  getParentRoute: ofTournament,
  path: '/team',
  component: lazyRouteComponent(() => import('./tournament/own-team/page.tsx'), 'OwnTeam'),
})
const availability = createRoute({
  getParentRoute: ofTournament,
  path: '/availability/$sheet',
  component: lazyRouteComponent(() => import('./tournament/availability/page.tsx'), 'Availability'),
})
const qualifier = createRoute({
  getParentRoute: ofTournament,
  path: '/qualifier',
  validateSearch: textsOf('of', 'map'),
  component: lazyRouteComponent(() => import('./tournament/qualifier.tsx'), 'QualifierPage'),
})
const pools = createRoute({
  getParentRoute: ofTournament,
  path: '/pools',
  component: lazyRouteComponent(() => import('./tournament/pools.tsx'), 'Pools'),
})
const pool = createRoute({
  getParentRoute: ofTournament,
  path: '/pools/$pool',
  component: lazyRouteComponent(() => import('./tournament/pool.tsx'), 'PoolPage'),
})
const firstBracket = createRoute({
  getParentRoute: ofTournament,
  path: '/bracket',
  component: lazyRouteComponent(() => import('./tournament/bracket/page.tsx'), 'FirstBracket'),
})
const bracket = createRoute({
  getParentRoute: ofTournament,
  path: '/bracket/$division/$bracket',
  validateSearch: textsOf('view', 'team'),
  component: lazyRouteComponent(() => import('./tournament/bracket/page.tsx'), 'BracketPage'),
})
const matches = createRoute({
  getParentRoute: ofTournament,
  path: '/matches',
  validateSearch: textsOf('team', 'status', 'official', 'by', 'zone'),
  component: lazyRouteComponent(() => import('./tournament/matches.tsx'), 'Matches'),
})
const match = createRoute({
  getParentRoute: ofTournament,
  path: '/m/$division/$number',
  component: lazyRouteComponent(() => import('./tournament/match/page.tsx'), 'MatchPage'),
})
const standings = createRoute({
  getParentRoute: ofTournament,
  path: '/standings/$bracket',
  validateSearch: textsOf('sort', 'places'),
  component: lazyRouteComponent(() => import('./tournament/standings.tsx'), 'Standings'),
})
const schedule = createRoute({
  getParentRoute: ofTournament,
  path: '/schedule',
  validateSearch: textsOf('view', 'zone'),
  component: lazyRouteComponent(() => import('./tournament/schedule.tsx'), 'Schedule'),
})
const updates = createRoute({
  getParentRoute: ofTournament,
  path: '/updates',
  component: lazyRouteComponent(() => import('./tournament/updates.tsx'), 'Updates'),
})
const staff = createRoute({
  getParentRoute: ofTournament,
  path: '/staff',
  component: lazyRouteComponent(() => import('./tournament/staff.tsx'), 'Staff'),
})

/** The query of an address as texts; what is not one of these is left out. */
function textsOf<const Name extends string>(...names: readonly Name[]) {
  return (search: Readonly<Record<string, unknown>>): { readonly [Each in Name]?: string } => {
    const given = names.flatMap((name) => {
      const value = search[name]
      return value === undefined || value === null || value === '' ? [] : [[name, String(value)] as const]
    })
    return Object.fromEntries(given) as { readonly [Each in Name]?: string }
  }
}

export const router = createRouter({
  routeTree: root.addChildren([
    ...[home, tournaments, search, user, offline, about, accessibility, licences],
    ...[embeddedBracket, embeddedSchedule, formerSettings],
    own.addChildren([
      ...[agenda, ownTeams, profile, ownBadges, notifications, settings, sessions, account],
      ...[applications, application, streaming, ownMedia],
    ]),
    ...[calendar, platform, maps, map, archivedPool, awards, edition, badges, badge],
    tournament.addChildren([
      ...[overview, rules, teams, team, ownTeam, availability, qualifier, pools, pool, firstBracket, bracket],
      ...[matches, match, standings, schedule, updates, staff],
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPendingComponent: Pending,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  // Texts as in the address, without quotation marks around numbers.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
