import { Link } from '@tanstack/react-router'
import type { Notification } from '../../../client/generated.ts'

/** The title of a notification, as a link to what it is about. */
export function NotificationTitle({ notification: { title, data } }: { readonly notification: Notification }) {
  const at = placeOf(data)
  if (at === null) return <bdi>{title}</bdi>
  return (
    <Link to={at as '/'} className="plain">
      <bdi>{title}</bdi>
    </Link>
  )
}

/** The page of what a notification names by GUIDs; null where there is none. */
function placeOf(data: Notification['data']): string | null {
  const of = (name: string) => {
    const value = data[name]
    return typeof value === 'string' ? encodeURIComponent(value) : null
  }
  const [tournament, team, pool] = [of('tournamentGuid'), of('teamGuid'), of('poolGuid')]
  if (of('invitationGuid') !== null) return '/me'
  // The tournament may still be a draft of somebody else; the place is taken in the list.
  if (of('placeholderGuid') !== null) return '/me/notifications'
  if (tournament === null) return null
  if (team !== null) return `/t/${tournament}/teams/${team}`
  if (pool !== null) return `/t/${tournament}/pools/${pool}`
  const match = of('matchGuid')
  // The page finds a match by its GUID, and goes on to its own address.
  if (match !== null) return `/t/${tournament}/m/main/${match}`
  return `/t/${tournament}`
}
