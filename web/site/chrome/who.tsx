import { Link, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useId, useState } from 'react'
import { address } from '../data/api.ts'
import { signInAddress, signOut, useRead, useReader } from '../data/queries.ts'
import { hasMark } from '../data/reports/mark.ts'
import { words } from '../data/words.ts'
import { Icon } from '../parts/icon.tsx'
import { Look } from '../parts/look.tsx'
import { NotificationTitle } from '../parts/notification.tsx'
import { Face } from '../parts/team.tsx'
import { Ago } from '../parts/time.tsx'
import styles from './who.module.css'

const NotSent = lazy(() => import('./not-sent.tsx').then((each) => ({ default: each.NotSent })))
const Duties = lazy(() => import('./duties.tsx').then((each) => ({ default: each.Duties })))
const SignOut = lazy(() => import('./not-sent.tsx').then((each) => ({ default: each.SignOut })))

/** Who reads: sign-in, or their notifications and their menu. Everybody chooses how pages look. */
export function Who() {
  const { user } = useReader()
  // A page may have added reports.
  useRouterState({ select: ({ location }) => location.pathname })
  return (
    <>
      {user && hasMark(user.guid) && (
        <Suspense>
          <NotSent />
        </Suspense>
      )}
      {user && <Bell />}
      <LookMenu />
      {user === null && (
        <a className="btn" href={signInAddress()}>
          {words('who.sign-in')}
        </a>
      )}
      {user && <Own name={user.preferredName ?? user.username} guid={user.guid} picture={user.avatarUrl} />}
    </>
  )
}

function Bell() {
  const { data } = useRead(address('/users/@me/notifications', {}, { limit: 10 }), { live: true })
  const id = useId()
  const notifications = data?.notifications ?? []
  const unread = notifications.filter(({ readAt }) => readAt === null).length
  return (
    <>
      <button
        type="button"
        className={`btn btn-quiet btn-icon ${styles.bell}`}
        popoverTarget={id}
        aria-label={words('who.notifications', { unread })}
      >
        <Icon name="bell" />
        {unread > 0 && (
          <span className={styles.count} aria-hidden="true">
            {unread}
          </span>
        )}
      </button>
      <div id={id} popover="auto" className={styles.layer}>
        <h2>{words('who.notifications-title')}</h2>
        {notifications.length === 0 && <p className="muted">{words('who.no-notifications')}</p>}
        <ul className="lines">
          {notifications.map((each) => (
            <li key={each.guid} className={each.readAt === null ? 'strong' : 'muted'}>
              <NotificationTitle notification={each} />
              <span className="small muted">
                <Ago at={each.createdAt} />
              </span>
            </li>
          ))}
        </ul>
        <Link to="/me/notifications">{words('who.all-notifications')}</Link>
      </div>
    </>
  )
}

function LookMenu() {
  const id = useId()
  return (
    <>
      <button type="button" className="btn btn-quiet btn-icon" popoverTarget={id} aria-label={words('look.title')}>
        <Icon name="theme" />
      </button>
      <div id={id} popover="auto" className={styles.layer}>
        <Look />
      </div>
    </>
  )
}

function Own({
  name,
  guid,
  picture,
}: {
  readonly name: string
  readonly guid: string
  readonly picture: string | null
}) {
  const id = useId()
  const [isLeaving, setLeaving] = useState(false)
  // What only some have in their menu is asked for when they are about to open it.
  const [isNear, setNear] = useState(false)
  const approach = () => setNear(true)
  return (
    <>
      {isLeaving && (
        <Suspense>
          <SignOut close={() => setLeaving(false)} />
        </Suspense>
      )}
      <button type="button" className={styles.own} popoverTarget={id} onPointerEnter={approach} onFocus={approach}>
        <Face name={name} picture={picture} />
        <span className="unseen">{words('who.own', { name })}</span>
      </button>
      <div id={id} popover="auto" className={styles.layer}>
        <ul>
          <li>
            <Link to="/me">{words('me.agenda')}</Link>
          </li>
          <li>
            <Link to="/me/teams">{words('who.runs')}</Link>
          </li>
          <li>
            <Link to="/me/profile">{words('me.profile')}</Link>
          </li>
          <li>
            <Link to="/me/settings">{words('me.settings')}</Link>
          </li>
          <li>
            <Link to="/new">{words('new.title')}</Link>
          </li>
          {isNear && (
            <Suspense>
              <Duties />
            </Suspense>
          )}
          <li>
            <Link to="/u/$user" params={{ user: guid }}>
              {words('who.profile')}
            </Link>
          </li>
          <li>
            <button
              type="button"
              className="btn btn-quiet"
              onClick={() => (hasMark(guid) ? setLeaving(true) : void signOut())}
            >
              {words('who.sign-out')}
            </button>
          </li>
        </ul>
      </div>
    </>
  )
}
