import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from './root.tsx'

/** Pages of those who run a tournament. `manage/pages.ts` says who sees each. */

const manage = createRoute({
  getParentRoute: () => root,
  path: '/manage/$tournament',
  component: lazyRouteComponent(() => import('../manage/frame.tsx'), 'ManageFrame'),
})
const ofManage = () => manage
const manageOverview = createRoute({
  getParentRoute: ofManage,
  path: '/',
  component: lazyRouteComponent(() => import('../manage/overview/page.tsx'), 'ManageOverview'),
})

export const manageRoutes = manage.addChildren([manageOverview])
