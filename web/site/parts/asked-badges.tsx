import type { BadgeRequest } from '../data/generated.ts'
import { words } from '../data/words.ts'
import styles from './asked-badges.module.css'

/** The badges of a request: their pictures, their words, and who gets them. */
export function AskedBadges({ badges }: Pick<BadgeRequest, 'badges'>) {
  return (
    <ul className="lines">
      {badges.map(({ name, description, imageUrl, recipients }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the badges of a request that was sent keep their order
        <li key={at} className={styles.asked}>
          {imageUrl !== null && <img src={imageUrl} alt="" className={styles.picture} loading="lazy" />}
          <div>
            <p className="strong">
              <bdi>{name}</bdi>
            </p>
            <p className="muted">
              <bdi>{description}</bdi>
            </p>
            <details>
              <summary>{words('manage-badges.recipients', { count: recipients.length })}</summary>
              <p>
                {recipients.map(({ user, label }) => (
                  <span key={user.guid} className={styles.who}>
                    <bdi>{user.preferredName}</bdi>
                    {label !== null && <span className="muted"> {label}</span>}
                  </span>
                ))}
              </p>
            </details>
          </div>
        </li>
      ))}
    </ul>
  )
}
