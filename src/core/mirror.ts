/**
 * Addresses at which external pictures are shown. Pages in browsers form these addresses too, so nothing here needs
 * Node.js. (M26)
 */

/** The mirror address of an external picture. (M26) */
export function mirrorUrl(mediaOrigin: string, url: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(url))
  const part = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${mediaOrigin}/media/remote/${part}`
}
