import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { root, textsOf } from './root.tsx'

/** Pages for everybody that belong to no tournament. */

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../home/home.tsx'), 'Home'),
})
const tournaments = createRoute({
  getParentRoute: () => root,
  path: '/tournaments',
  validateSearch: textsOf('q', 'status', 'registration', 'platform', 'from', 'to', 'organiser', 'participant', 'view'),
  component: lazyRouteComponent(() => import('../tournaments/tournaments.tsx'), 'Tournaments'),
})
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: textsOf('q'),
  component: lazyRouteComponent(() => import('../search/search.tsx'), 'Search'),
})
const calendar = createRoute({
  getParentRoute: () => root,
  path: '/calendar',
  validateSearch: textsOf('view', 'on', 'kinds', 'platform'),
  component: lazyRouteComponent(() => import('../calendar/calendar.tsx'), 'Calendar'),
})
const platform = createRoute({
  getParentRoute: () => root,
  path: '/p/$platform',
  component: lazyRouteComponent(() => import('../platforms/platform.tsx'), 'PlatformPage'),
})
const maps = createRoute({
  getParentRoute: () => root,
  path: '/maps',
  validateSearch: textsOf('q', 'mapper', 'flair', 'from', 'to', 'sort'),
  component: lazyRouteComponent(() => import('../maps/maps.tsx'), 'Maps'),
})
const map = createRoute({
  getParentRoute: () => root,
  path: '/maps/$map',
  component: lazyRouteComponent(() => import('../maps/map.tsx'), 'MapPage'),
})
const archivedPool = createRoute({
  getParentRoute: () => root,
  path: '/pools/$pool',
  component: lazyRouteComponent(() => import('../maps/pool.tsx'), 'PoolPage'),
})
const awards = createRoute({
  getParentRoute: () => root,
  path: '/awards',
  component: lazyRouteComponent(() => import('../awards/awards.tsx'), 'AwardsPage'),
})
const edition = createRoute({
  getParentRoute: () => root,
  path: '/awards/$edition',
  component: lazyRouteComponent(() => import('../awards/edition.tsx'), 'EditionPage'),
})
const badges = createRoute({
  getParentRoute: () => root,
  path: '/badges',
  validateSearch: textsOf('q', 'kind'),
  component: lazyRouteComponent(() => import('../badges/badges.tsx'), 'Badges'),
})
const badge = createRoute({
  getParentRoute: () => root,
  path: '/badges/$badge',
  component: lazyRouteComponent(() => import('../badges/badge.tsx'), 'BadgePage'),
})
const user = createRoute({
  getParentRoute: () => root,
  path: '/u/$user',
  component: lazyRouteComponent(() => import('../people/user.tsx'), 'User'),
})
const claim = createRoute({
  getParentRoute: () => root,
  path: '/claim',
  component: lazyRouteComponent(() => import('../claim/claim.tsx'), 'Claim'),
})
const offline = createRoute({
  getParentRoute: () => root,
  path: '/offline',
  component: lazyRouteComponent(() => import('../chrome/offline.tsx'), 'Offline'),
})
const about = createRoute({
  getParentRoute: () => root,
  path: '/about',
  component: lazyRouteComponent(() => import('../about/about.tsx'), 'About'),
})
const accessibility = createRoute({
  getParentRoute: () => root,
  path: '/about/accessibility',
  component: lazyRouteComponent(() => import('../about/about.tsx'), 'Accessibility'),
})
const licences = createRoute({
  getParentRoute: () => root,
  path: '/about/licences',
  component: lazyRouteComponent(() => import('../about/about.tsx'), 'Licences'),
})
const packages = createRoute({
  getParentRoute: () => root,
  path: '/packages',
  component: lazyRouteComponent(() => import('../packages/check.tsx'), 'CheckPackage'),
})
/** The address by which programs in the field lead their users to the linked accounts. (W3) */
const formerSettings = createRoute({
  getParentRoute: () => root,
  path: '/users/@me/settings',
  beforeLoad: ({ location: { hash } }) => {
    throw redirect({ to: '/me/settings', hash, replace: true })
  },
})
const embeddedBracket = createRoute({
  getParentRoute: () => root,
  path: '/embed/t/$tournament/bracket/$bracket',
  component: lazyRouteComponent(() => import('../tournament/bracket/embed.tsx'), 'EmbeddedBracket'),
})
const embeddedSchedule = createRoute({
  getParentRoute: () => root,
  path: '/embed/t/$tournament/schedule',
  component: lazyRouteComponent(() => import('../tournament/schedule.tsx'), 'EmbeddedSchedule'),
})

export const publicRoutes = [
  home,
  tournaments,
  search,
  calendar,
  platform,
  maps,
  map,
  archivedPool,
  awards,
  edition,
  badges,
  badge,
  user,
  claim,
  offline,
  about,
  accessibility,
  licences,
  packages,
  formerSettings,
  embeddedBracket,
  embeddedSchedule,
] as const
