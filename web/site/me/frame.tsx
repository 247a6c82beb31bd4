import { Link, Outlet } from '@tanstack/react-router'
import { type WordId, words } from '../data/words.ts'
import { SignedIn } from '../parts/signed-in.tsx'
import { Tabs } from '../parts/tabs.tsx'

/** The pages of the reader alone. */

const places: readonly (readonly [to: `/me${string}`, WordId])[] = [
  ['/me', 'me.agenda'],
  ['/me/teams', 'me.teams'],
  ['/me/profile', 'me.profile'],
  ['/me/badges', 'me.badges'],
  ['/me/notifications', 'me.notifications'],
  ['/me/streaming', 'me.streaming'],
  ['/me/settings', 'me.settings'],
  ['/me/sessions', 'me.sessions'],
  ['/me/applications', 'me.applications'],
  ['/me/media', 'me.media'],
  ['/me/account', 'me.account'],
]

export function OwnFrame() {
  return (
    <>
      <Tabs label={words('me.pages')} name={<Link to="/me">{words('me.title')}</Link>}>
        {places.map(([to, word]) => (
          <li key={to}>
            <Link to={to as '/me'} activeOptions={{ exact: true }}>
              {words(word)}
            </Link>
          </li>
        ))}
      </Tabs>
      <SignedIn title={words('me.title')}>{() => <Outlet />}</SignedIn>
    </>
  )
}
