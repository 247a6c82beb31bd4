import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root, textsOf } from './root.tsx'

/** Pages of administration. `admin/pages.ts` says who sees each. */

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: lazyRouteComponent(() => import('../admin/frame.tsx'), 'AdminFrame'),
})
const ofAdmin = () => admin
const adminHealth = createRoute({
  getParentRoute: ofAdmin,
  path: '/',
  component: lazyRouteComponent(() => import('../admin/health/page.tsx'), 'AdminHealth'),
})
const adminUsers = createRoute({
  getParentRoute: ofAdmin,
  path: '/users',
  validateSearch: textsOf('q'),
  component: lazyRouteComponent(() => import('../admin/users/page.tsx'), 'AdminUsers'),
})
const adminUser = createRoute({
  getParentRoute: ofAdmin,
  path: '/users/$user',
  component: lazyRouteComponent(() => import('../admin/users/user.tsx'), 'AdminUser'),
})
const adminPlatforms = createRoute({
  getParentRoute: ofAdmin,
  path: '/platforms',
  component: lazyRouteComponent(() => import('../admin/platforms/page.tsx'), 'AdminPlatforms'),
})
const adminNotices = createRoute({
  getParentRoute: ofAdmin,
  path: '/notices',
  validateSearch: textsOf('notice'),
  component: lazyRouteComponent(() => import('../admin/notices/page.tsx'), 'AdminNotices'),
})
const adminAwards = createRoute({
  getParentRoute: ofAdmin,
  path: '/awards',
  component: lazyRouteComponent(() => import('../admin/awards/page.tsx'), 'AdminAwards'),
})
const adminEdition = createRoute({
  getParentRoute: ofAdmin,
  path: '/awards/$edition',
  validateSearch: textsOf('part', 'category'),
  component: lazyRouteComponent(() => import('../admin/awards/edition.tsx'), 'AdminEdition'),
})
const adminBadges = createRoute({
  getParentRoute: ofAdmin,
  path: '/badges',
  validateSearch: textsOf('q', 'requests'),
  component: lazyRouteComponent(() => import('../admin/badges/page.tsx'), 'AdminBadges'),
})
const adminBadge = createRoute({
  getParentRoute: ofAdmin,
  path: '/badges/$badge',
  component: lazyRouteComponent(() => import('../admin/badges/badge.tsx'), 'AdminBadge'),
})
const adminMedia = createRoute({
  getParentRoute: ofAdmin,
  path: '/media',
  validateSearch: textsOf('kind', 'owner'),
  component: lazyRouteComponent(() => import('../admin/media/page.tsx'), 'AdminMedia'),
})
const adminStreaming = createRoute({
  getParentRoute: ofAdmin,
  path: '/streaming',
  validateSearch: textsOf('sessions'),
  component: lazyRouteComponent(() => import('../admin/streaming/page.tsx'), 'AdminStreaming'),
})

export const adminRoutes = admin.addChildren([
  adminHealth,
  adminUsers,
  adminUser,
  adminPlatforms,
  adminNotices,
  adminAwards,
  adminEdition,
  adminBadges,
  adminBadge,
  adminMedia,
  adminStreaming,
])
