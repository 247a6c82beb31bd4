import { expectDescribed } from './described.ts'
import type { Harness } from './harness.ts'

/**
 * The parts of a browser that sign-in needs: cookies by path, redirects, and the headers about the origin of a request.
 */

interface StoredCookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

export interface Hop {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed as JSON if possible. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and fail where it is not as expected.
  readonly body: any
}

export class Browser {
  readonly #base: string
  readonly #cookies = new Map<string, StoredCookie>()

  constructor(api: Pick<Harness, 'url'>) {
    this.#base = api.url
  }

  cookie(name: string): string | undefined {
    return [...this.#cookies.values()].find((cookie) => cookie.name === name)?.value
  }

  setCookie(name: string, value: string, path: string): void {
    this.#cookies.set(`${name} ${path}`, { name, value, path })
  }

  /** Sends one request without following redirects. Paths are relative to the service. */
  async visit(target: string | URL, init: RequestInit = {}): Promise<Hop> {
    const url = new URL(target, this.#base)
    const isOurs = url.origin === new URL(this.#base).origin
    const cookie = [...(isOurs ? this.#cookies.values() : [])]
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string>) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    if (isOurs) for (const line of response.headers.getSetCookie()) this.#store(line)
    const text = await response.text()
    const code = response.headers.get('problem-code')
    if (isOurs) expectDescribed(init.method ?? 'GET', url.pathname, response.status, code)
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true
    return { url, status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text }
  }

  /** Follows all redirects; the last hop is the final response. */
  async follow(target: string | URL, init: RequestInit = {}): Promise<Hop[]> {
    const hops = [await this.visit(target, init)]
    for (let hop = hops[0]; hop !== undefined && hop.status >= 300 && hop.status < 400 && hops.length < 10; ) {
      hop = await this.visit(new URL(hop.headers.get('location') ?? '', hop.url))
      hops.push(hop)
    }
    return hops
  }

  /** Posts like a script of the website, with the origin that a browser adds. */
  async post(path: string, headers: Record<string, string> = { origin: this.#base }): Promise<Hop> {
    return this.visit(path, { method: 'POST', headers })
  }

  #store(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */)
    const [name = '', value = ''] = pair.split('=')
    const attribute = (wanted: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
    const path = attribute('path') ?? '/'
    if (attribute('max-age') === '0') this.#cookies.delete(`${name} ${path}`)
    else this.setCookie(name, value, path)
  }
}
