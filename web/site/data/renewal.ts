import { isThere } from './connection.ts'

/** A page of an older build asks for a part that is no longer there: it is loaded anew, once for each part. */

const key = 'downbeat.renewed'

/** A part of the website could not be loaded; the browser asks for it again only after a reload. */
export const missingPart = 'a part of the website is missing'

/** Loads the page anew where the service answers: without a connection the reader would lose it. */
export async function renew(): Promise<void> {
  if (await isThere()) location.reload()
}

export function watchMissingParts(): void {
  addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { readonly payload: Error }
    const part = payload.message
    // The router knows the browsers' words, and would reload at once.
    payload.message = missingPart
    if (sessionStorage.getItem(key) === part) return
    sessionStorage.setItem(key, part)
    void renew()
  })
}
