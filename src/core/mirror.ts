/** Where pictures elsewhere are shown from. Pages in browsers form these addresses too: nothing here is of Node.js alone. (M26) */

/** The address under which a picture elsewhere is shown from here. (M26) */
export function mirrorUrl(mediaOrigin: string, url: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(url))
  const part = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${mediaOrigin}/media/remote/${part}`
}
