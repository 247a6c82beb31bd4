import { succeeded } from './page.ts'

/** The interval between two checks for a newer page, in milliseconds. */
const askMs = 60_000

/** Replaces the page with a newer version. */
export interface Renewal {
  /** Starts the newer version, if there is one. */
  begin(): void
  /** Ends the checks. */
  end(): void
}

/**
 * Checks regularly for a newer version of the page. It starts when that is not noticed: at a scene change, or after a
 * long time without changes. The newer version runs in the same document and replaces this one when it has drawn its
 * first picture, so that viewers never see a gap. (OV17)
 */
export function newerPage(): Renewal {
  // The address of this module: the document's script may be that of an earlier version.
  const own = import.meta.url
  let newer: string | null = null
  const ask = async () => {
    const reply = await fetch(location.pathname, { credentials: 'omit', cache: 'no-cache' })
    const page = reply.ok ? await reply.text() : ''
    const script = addressIn(page, 'js')
    // The file name contains a hash of the content.
    newer = script === null || new URL(script, location.href).href === own ? null : page
  }
  const asking = setInterval(() => void ask().catch(() => {}), askMs)
  const end = () => clearInterval(asking)
  return {
    begin() {
      if (newer === null) return
      const page = newer
      newer = null
      // When the start fails, the checks go on.
      begin(page).then(end, () => {})
    },
    end,
  }
}

/** The first file with the extension that the HTML of a page names. */
function addressIn(page: string, extension: 'js' | 'css'): string | null {
  return new RegExp(`"(/assets/[\\w.-]+\\.${extension})"`).exec(page)?.[1] ?? null
}

async function begin(page: string): Promise<void> {
  const before = [...document.querySelectorAll('link[rel=stylesheet]')]
  const [script, styles] = [addressIn(page, 'js'), addressIn(page, 'css')]
  if (script === null) return
  if (styles !== null) await addStyles(styles)
  addEventListener(succeeded, () => {
    for (const link of before) if (!link.getAttribute('href')?.endsWith(styles ?? '')) link.remove()
  })
  await import(/* @vite-ignore */ new URL(script, location.href).href)
}

function addStyles(address: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = address
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error('the styles did not come'))
    })
    document.head.append(link)
  })
}
