import { Link } from '@tanstack/react-router'
import { administering, useGlobalRoles } from '../data/global-roles.ts'
import { useOwnPlatforms } from '../data/platforms.ts'
import { words } from '../data/words.ts'

/** The ways to what only some look after: requests that wait for a platform, and the service itself. */
export function Duties() {
  const platforms = useOwnPlatforms().data ?? []
  const { roles = [] } = useGlobalRoles()
  return (
    <>
      {platforms.length > 0 && (
        <li>
          <Link to="/review">{words('review.title')}</Link>
        </li>
      )}
      {roles.some((role) => administering.includes(role)) && (
        <li>
          <Link to="/admin">{words('admin.title')}</Link>
        </li>
      )}
    </>
  )
}
