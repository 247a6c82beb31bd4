import { createRouter } from '@tanstack/react-router'
import { Pending } from './parts/loaded.tsx'
import { adminRoutes } from './routes/admin.tsx'
import { manageRoutes } from './routes/manage.tsx'
import { overlayRoutes } from './routes/overlay.tsx'
import { ownRoutes } from './routes/own.tsx'
import { platformRoutes } from './routes/platform.tsx'
import { publicRoutes } from './routes/public.tsx'
import { root } from './routes/root.tsx'
import { tournamentRoutes } from './routes/tournament.tsx'

/** The addresses of the website. `src/site/pages.ts` has their heads. (W3) */

export const router = createRouter({
  routeTree: root.addChildren([
    ...publicRoutes,
    ownRoutes,
    tournamentRoutes,
    ...manageRoutes,
    adminRoutes,
    ...overlayRoutes,
    ...platformRoutes,
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
