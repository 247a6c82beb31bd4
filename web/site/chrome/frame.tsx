import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isEmbed } from '../data/settings.ts'
import { words } from '../data/words.ts'
import { Announcements } from '../parts/announcer.tsx'
import { Brand, Icon } from '../parts/icon.tsx'
import { Guarded } from '../parts/loaded.tsx'
import { ownZone, zoneOf } from '../parts/time.tsx'
import { EmbedFrame } from './embed-frame.tsx'
import styles from './frame.module.css'
import { LostConnection } from './lost-connection.tsx'
import { SearchField } from './search-field.tsx'
import { useShortcuts } from './shortcuts.tsx'
import { Who } from './who.tsx'

/** The frame of every page. */
export const Frame = isEmbed ? EmbedFrame : FullFrame

/** The bar on top, the page, the foot. */
function FullFrame() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useMovedFocus(path)
  const shortcuts = useShortcuts()
  return (
    <>
      <a className={`btn ${styles.skip}`} href="#main">
        {words('frame.skip')}
      </a>
      <header className={`${styles.top} no-print`}>
        <Link to="/" className={styles.brand}>
          <Brand />
          {words('frame.name')}
        </Link>
        <nav aria-label={words('frame.main')}>
          <Places />
        </nav>
        <SearchField />
        <div className={styles.who}>
          <Link to="/search" className={`btn btn-quiet btn-icon ${styles.narrow}`} aria-label={words('search.title')}>
            <Icon name="search" />
          </Link>
          <Who />
          <button
            type="button"
            className={`btn btn-quiet btn-icon ${styles.narrow}`}
            popoverTarget="places"
            aria-label={words('frame.menu')}
          >
            <Icon name="menu" />
          </button>
          <nav id="places" popover="auto" className={styles.layer} aria-label={words('frame.main')}>
            <Places />
          </nav>
        </div>
      </header>
      <LostConnection />
      <main id="main" className={styles.main} tabIndex={-1}>
        <Guarded>
          <Outlet />
        </Guarded>
      </main>
      <Announcements page={path} />
      <footer className={`${styles.foot} no-print`}>
        <div>
          <span className="push">{words('frame.what')}</span>
          <Link to="/about">{words('about.title')}</Link>
          <Link to="/about/accessibility">{words('accessibility.title')}</Link>
          <Link to="/about/licences">{words('licences.title')}</Link>
          <a href="/api/docs/">{words('frame.api')}</a>
          <span>{words('frame.zone', { zone: zoneOf(ownZone) })}</span>
        </div>
      </footer>
      {shortcuts}
    </>
  )
}

function Places() {
  return (
    <ul>
      <li>
        <Link to="/">{words('shortcut.home')}</Link>
      </li>
      <li>
        <Link to="/tournaments">{words('frame.tournaments')}</Link>
      </li>
      <li>
        <Link to="/calendar">{words('calendar.title')}</Link>
      </li>
      <li>
        <Link to="/maps">{words('maps.title')}</Link>
      </li>
      <li>
        <Link to="/awards">{words('awards.title')}</Link>
      </li>
    </ul>
  )
}

/** After a step to another page its heading has the focus, and the tab its title. (W3) */
function useMovedFocus(path: string): void {
  const first = useRef(true)
  useEffect(() => {
    // A menu has led to the page.
    for (const open of document.querySelectorAll<HTMLElement>(':popover-open')) open.hidePopover()
    const main = document.getElementById('main')
    let isAwaited = !first.current
    const take = (place: HTMLElement) => {
      place.tabIndex = -1
      place.focus({ preventScroll: true })
    }
    const name = () => {
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading === null) return
      // The heading came later than the page.
      if (isAwaited && document.activeElement === main) take(heading)
      isAwaited = false
      const title = heading.dataset.title ?? heading.textContent ?? ''
      const full = title === '' || path === '/' ? words('frame.name') : `${title} · ${words('frame.name')}`
      if (document.title !== full) document.title = full
    }
    const seen = new MutationObserver(name)
    if (main !== null) seen.observe(main, { childList: true, subtree: true, characterData: true })
    if (!first.current) {
      const heading = document.querySelector<HTMLElement>('main h1') ?? main
      if (heading !== null) take(heading)
      name()
    }
    first.current = false
    return () => seen.disconnect()
  }, [path])
}
