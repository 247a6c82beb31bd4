/** The one policy by which the website inserts markup and starts a script: rendered texts, and its worker. (W5) */

interface Trusted {
  toString(): string
}
interface Policy {
  createHTML(text: string): Trusted
  createScriptURL(address: string): Trusted
}

const workerAddress = '/worker.js'

const { trustedTypes } = globalThis as {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { [Rule in keyof Policy]: (text: string) => string }): Policy
  }
}
const policy = trustedTypes?.createPolicy('site', {
  createHTML: (text) => text,
  createScriptURL(address) {
    if (address !== workerAddress) throw new TypeError('not the worker of the website')
    return address
  },
})

/** @param html a text that the service has rendered and sanitised */
export const trustedHtml = (html: string): string => (policy?.createHTML(html) ?? html) as string

/** Starts the service worker, which browsers have in secure contexts alone. (W11) */
export async function startWorker(): Promise<void> {
  const address = (policy?.createScriptURL(workerAddress) ?? workerAddress) as string
  await navigator.serviceWorker?.register(address, { scope: '/' })
}
