import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './tabs.module.css'

/** The second bar of pages that belong together: their name, and the way to each of them. */
export function Tabs({
  label,
  name,
  beside,
  children,
}: {
  readonly label: string
  readonly name: ReactNode
  readonly beside?: ReactNode
  readonly children: ReactNode
}) {
  const list = useRef<HTMLUListElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another tab
  useEffect(() => {
    // On a narrow page the tab of the page may be outside of the bar.
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (current && list.current)
      list.current.scrollLeft = current.offsetLeft - list.current.offsetLeft - current.offsetWidth
  }, [path])
  return (
    <nav className={`${styles.sub} no-print`} aria-label={label}>
      <div>
        <p className={styles.name}>{name}</p>
        <ul ref={list} className={styles.tabs}>
          {children}
        </ul>
        {beside !== undefined && <div className={styles.beside}>{beside}</div>}
      </div>
    </nav>
  )
}
