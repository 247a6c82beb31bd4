import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Announcements } from '../parts/announcer.tsx'
import { Guarded } from '../parts/loaded.tsx'
import { LostConnection } from './lost-connection.tsx'

/** The frame of a page inside another website: only the notice of a lost connection. */
export function EmbedFrame() {
  useEffect(() => {
    document.addEventListener('click', openOutside, true)
    return () => document.removeEventListener('click', openOutside, true)
  }, [])
  return (
    <>
      <LostConnection />
      <main id="main" tabIndex={-1}>
        <Guarded>
          <Outlet />
        </Guarded>
      </main>
      <Announcements page="" />
    </>
  )
}

/** Opens links in a new tab, since other pages of the website may not be framed. */
function openOutside({ target }: MouseEvent): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.getAttribute('href')?.startsWith('#')) return
  link.target = '_blank'
  link.relList.add('noopener')
}
