import { useId } from 'react'
import { address } from '../data/api.ts'
import { prefer, usePreferences } from '../data/preferences.ts'
import { signInAddress, signOut, useRead, useReader } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { Icon } from '../parts/icon.tsx'
import { Face } from '../parts/team.tsx'
import { Ago } from '../parts/time.tsx'
import styles from './who.module.css'

/** Who reads: sign-in, or their notifications and their menu. Everybody chooses how pages look. */
export function Who() {
  const { user } = useReader()
  return (
    <>
      {user && <Bell />}
      <Look />
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
              <bdi>{each.title}</bdi>
              <span className="small muted">
                <Ago at={each.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

const themes: readonly (readonly ['system' | 'light' | 'dark', WordId])[] = [
  ['system', 'look.system'],
  ['light', 'look.light'],
  ['dark', 'look.dark'],
]
const densities: readonly (readonly ['comfortable' | 'compact', WordId])[] = [
  ['comfortable', 'look.comfortable'],
  ['compact', 'look.compact'],
]

function Look() {
  const { theme, density } = usePreferences()
  const id = useId()
  return (
    <>
      <button type="button" className="btn btn-quiet btn-icon" popoverTarget={id} aria-label={words('look.title')}>
        <Icon name="theme" />
      </button>
      <div id={id} popover="auto" className={styles.layer}>
        <fieldset>
          <legend>{words('look.theme')}</legend>
          {themes.map(([value, word]) => (
            <label key={value}>
              <input type="radio" name="theme" checked={theme === value} onChange={() => prefer({ theme: value })} />
              {words(word)}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>{words('look.density')}</legend>
          {densities.map(([value, word]) => (
            <label key={value}>
              <input
                type="radio"
                name="density"
                checked={density === value}
                onChange={() => prefer({ density: value })}
              />
              {words(word)}
            </label>
          ))}
        </fieldset>
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
  return (
    <>
      <button type="button" className={styles.own} popoverTarget={id}>
        <Face name={name} picture={picture} />
        <span className="unseen">{words('who.own', { name })}</span>
      </button>
      <div id={id} popover="auto" className={styles.layer}>
        <ul>
          <li>
            <a href={`/u/${guid}`}>{words('who.profile')}</a>
          </li>
          <li>
            <button type="button" className="btn btn-quiet" onClick={() => void signOut()}>
              {words('who.sign-out')}
            </button>
          </li>
        </ul>
      </div>
    </>
  )
}
