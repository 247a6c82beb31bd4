import type { ReactNode } from 'react'
import styles from './tabs.module.css'

/** The second bar of pages that belong together: their name, and the way to each of them. */
export function Tabs({
  label,
  name,
  children,
}: {
  readonly label: string
  readonly name: ReactNode
  readonly children: ReactNode
}) {
  return (
    <nav className={`${styles.sub} no-print`} aria-label={label}>
      <div>
        <p className={styles.name}>{name}</p>
        <ul className={styles.tabs}>{children}</ul>
      </div>
    </nav>
  )
}
