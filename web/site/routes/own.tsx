import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { root } from './root.tsx'

/** Pages of the reader alone. */

const own = createRoute({
  getParentRoute: () => root,
  path: '/me',
  component: lazyRouteComponent(() => import('../me/frame.tsx'), 'OwnFrame'),
})
const ofOwn = () => own
const agenda = createRoute({
  getParentRoute: ofOwn,
  path: '/',
  component: lazyRouteComponent(() => import('../me/agenda.tsx'), 'AgendaPage'),
})
const profile = createRoute({
  getParentRoute: ofOwn,
  path: '/profile',
  component: lazyRouteComponent(() => import('../me/profile.tsx'), 'Profile'),
})
const notifications = createRoute({
  getParentRoute: ofOwn,
  path: '/notifications',
  component: lazyRouteComponent(() => import('../me/notifications.tsx'), 'Notifications'),
})
const settings = createRoute({
  getParentRoute: ofOwn,
  path: '/settings',
  component: lazyRouteComponent(() => import('../me/settings.tsx'), 'Settings'),
})
const sessions = createRoute({
  getParentRoute: ofOwn,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../me/sessions.tsx'), 'Sessions'),
})
const account = createRoute({
  getParentRoute: ofOwn,
  path: '/account',
  component: lazyRouteComponent(() => import('../me/account.tsx'), 'AccountPage'),
})
const ownTeams = createRoute({
  getParentRoute: ofOwn,
  path: '/teams',
  component: lazyRouteComponent(() => import('../me/teams.tsx'), 'Teams'),
})
/** The teams that the reader plays in and the tournaments that they run are on one page. */
const ownTournaments = createRoute({
  getParentRoute: ofOwn,
  path: '/tournaments',
  beforeLoad: () => {
    throw redirect({ to: '/me/teams', replace: true })
  },
})
const applications = createRoute({
  getParentRoute: ofOwn,
  path: '/applications',
  component: lazyRouteComponent(() => import('../me/applications.tsx'), 'Applications'),
})
const application = createRoute({
  getParentRoute: ofOwn,
  path: '/applications/$application',
  component: lazyRouteComponent(() => import('../me/application.tsx'), 'ApplicationPage'),
})
const streaming = createRoute({
  getParentRoute: ofOwn,
  path: '/streaming',
  component: lazyRouteComponent(() => import('../me/streaming.tsx'), 'Streaming'),
})
const ownBadges = createRoute({
  getParentRoute: ofOwn,
  path: '/badges',
  component: lazyRouteComponent(() => import('../me/badges.tsx'), 'OwnBadges'),
})
const ownMedia = createRoute({
  getParentRoute: ofOwn,
  path: '/media',
  component: lazyRouteComponent(() => import('../me/media.tsx'), 'OwnMedia'),
})

export const ownRoutes = own.addChildren([
  agenda,
  profile,
  notifications,
  settings,
  sessions,
  account,
  ownTeams,
  ownTournaments,
  applications,
  application,
  streaming,
  ownBadges,
  ownMedia,
])
