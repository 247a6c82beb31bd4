import { succeeded } from './page.ts'

/** Milliseconds between two questions for a newer page. */
const askMs = 60_000

/** Looks for a newer version of the page. */
export interface Renewal {
  /** Begins it, where there is one. */
  begin(): void
  /** It is looked for no more. */
  end(): void
}

/**
 * A newer version of the page is looked for now and then, and begun when that is not seen: at a change of scenes, or after a long
 * quiet. It runs in this page, and takes its place as soon as it has a picture, so that nothing is ever seen to be missing. (OV17)
 */
export function newerPage(): Renewal {
  // Not what stands in the document: that is of the first version of those that have followed one another in it.
  const own = import.meta.url
  let newer: string | null = null
  const ask = async () => {
    const reply = await fetch(location.pathname, { credentials: 'omit', cache: 'no-cache' })
    const page = reply.ok ? await reply.text() : ''
    const script = addressIn(page, 'js')
    // A file has another name as soon as anything is another in it.
    newer = script === null || new URL(script, location.href).href === own ? null : page
  }
  const asking = setInterval(() => void ask().catch(() => {}), askMs)
  const end = () => clearInterval(asking)
  return {
    begin() {
      if (newer === null) return
      const page = newer
      newer = null
      // Where it does not come about, it is looked for again.
      begin(page).then(end, () => {})
    },
    end,
  }
}

/** The first file of a kind that the text of a page names. */
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
