import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import styles from './side-menu.module.css'

interface SideMenuProps {
  readonly id: string
  readonly label: string
  /** Of the button that opens it on narrow pages. */
  readonly title: string
  /** The page that is open. */
  readonly page: string
  readonly menu: ReactNode
  readonly children: ReactNode
}

/** A page with a menu at its side. On narrow pages the menu is a layer that a button opens. */
export function SideMenu({ id, label, title, page, menu, children }: SideMenuProps) {
  const layer = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the layer
  useEffect(() => layer.current?.hidePopover(), [path])
  return (
    <div className={styles.frame}>
      <button type="button" className={`${styles.open} no-print`} popoverTarget={id}>
        <Icon name="menu" />
        <span>{title}</span>
        <span className="muted">{page}</span>
      </button>
      <nav id={id} ref={layer} popover="auto" className={`${styles.menu} no-print`} aria-label={label}>
        {menu}
      </nav>
      <div className={styles.page}>{children}</div>
    </div>
  )
}
