import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root, textsOf } from './root.tsx'

/** Pages of those who review tournaments for a platform, and of those who run it. */

const reviewList = createRoute({
  getParentRoute: () => root,
  path: '/review',
  validateSearch: textsOf('q', 'page'),
  component: lazyRouteComponent(() => import('../review/list.tsx'), 'ReviewList'),
})
const review = createRoute({
  getParentRoute: () => root,
  path: '/review/$platform',
  validateSearch: textsOf('status', 'request'),
  component: lazyRouteComponent(() => import('../review/page.tsx'), 'ReviewPage'),
})
const managePlatform = createRoute({
  getParentRoute: () => root,
  path: '/platforms/$platform/manage',
  validateSearch: textsOf('deliveries'),
  component: lazyRouteComponent(() => import('../platforms/manage/page.tsx'), 'ManagePlatform'),
})

export const platformRoutes = [reviewList, review, managePlatform]
