import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from './root.tsx'

/** Pages of those who make and control what is on air. */

const overlayControl = createRoute({
  getParentRoute: () => root,
  path: '/overlay/control/$overlay',
  component: lazyRouteComponent(() => import('../overlay/control/page.tsx'), 'ControlPage'),
})
const coordinate = createRoute({
  getParentRoute: () => root,
  path: '/coordinate/$tournament/$overlay',
  component: lazyRouteComponent(() => import('../coordinate/page.tsx'), 'Coordinate'),
})
const coordinateCockpit = createRoute({
  getParentRoute: () => coordinate,
  path: '/',
  component: lazyRouteComponent(() => import('../tournament/match/cockpit/of-overlay.tsx'), 'CockpitOfOverlay'),
})

export const overlayRoutes = [overlayControl, coordinate.addChildren([coordinateCockpit])] as const
