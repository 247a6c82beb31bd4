/** Milliseconds between two questions for a newer page. */
const askMs = 60_000

/**
 * A newer version of the page is looked for now and then, and taken when it is not seen: at a change of scenes, or after a long
 * quiet. (OV17)
 * @returns what loads it, where there is one
 */
export function newerPage(): () => void {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''
  let isNewer = false
  const ask = async () => {
    const reply = await fetch(location.pathname, { credentials: 'omit', cache: 'no-cache' })
    if (!reply.ok) return
    const page = await reply.text()
    // The script has another name as soon as anything is another in it.
    isNewer = !page.includes(new URL(own).pathname)
  }
  setInterval(() => void ask().catch(() => {}), askMs)
  return () => {
    if (isNewer) location.reload()
  }
}
