import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Guarded } from '../parts/loaded.tsx'
import { LostConnection } from './lost-connection.tsx'

/** The frame of a page inside another website: none, but for the word that its values may be old. */
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
    </>
  )
}

/** Other pages may not be framed, so that links to them open beside the website around. */
function openOutside({ target }: MouseEvent): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.getAttribute('href')?.startsWith('#')) return
  link.target = '_blank'
  link.relList.add('noopener')
}
