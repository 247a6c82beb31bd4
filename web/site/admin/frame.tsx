import { Link, Navigate, Outlet, useMatches } from '@tanstack/react-router'
import { FaultOf, ForbiddenPage } from '../chrome/faults.tsx'
import { hasRole, useGlobalRoles } from '../data/global-roles.ts'
import { words } from '../data/words.ts'
import { Pending } from '../parts/loaded.tsx'
import { SideMenu } from '../parts/side-menu.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import { type AdminPage, adminPages } from './pages.ts'

/** The frame of the pages of administration: its menu, and who may see which page. */
export function AdminFrame() {
  return <SignedIn title={words('admin.title')}>{() => <OfReader />}</SignedIn>
}

function OfReader() {
  const { read, roles } = useGlobalRoles()
  const at = useMatches({ select: (matches) => matches.at(-1)?.fullPath.replace(/(?<=.)\/$/, '') })
  if (roles === undefined)
    return read.error ? (
      <FaultOf error={read.error} again={() => void read.refetch()} />
    ) : (
      <Pending title={words('admin.title')} />
    )
  const pages: readonly AdminPage[] = adminPages.filter(({ role }) => hasRole(roles, role))
  const page = pages.find(({ to }) => to === at)
  const first = pages.find(({ isInMenu }) => isInMenu)
  // The first page is for some of the roles; the others begin with the first of theirs.
  if (page === undefined && first !== undefined && at === '/admin')
    return <Navigate to={first.to as '/admin'} replace />
  if (page === undefined) return <ForbiddenPage />
  const menu = (
    <ul>
      {pages.map(
        ({ to, word, isInMenu }) =>
          isInMenu && (
            <li key={to}>
              <Link to={to as '/admin'} activeOptions={{ exact: to === '/admin' }}>
                {words(word)}
              </Link>
            </li>
          ),
      )}
    </ul>
  )
  return (
    <SideMenu id="admin" label={words('admin.pages')} title={words('admin.title')} page={words(page.word)} menu={menu}>
      <Outlet />
    </SideMenu>
  )
}
