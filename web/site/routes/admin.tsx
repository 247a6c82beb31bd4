import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from './root.tsx'

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

export const adminRoutes = admin.addChildren([adminHealth])
