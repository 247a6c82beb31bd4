import { backoff, type Platform } from './platform.ts'

/** Members of `authenticate`. */
export type Credential = { readonly token: string } | { readonly viewToken: string }

/** So often a token is asked for that cannot be had: over a network that comes back, say. */
const mostTries = 3

/** With what the client makes itself known. */
export class Credentials {
  readonly #platform: Platform
  readonly #token: (() => Promise<string | null>) | undefined
  #viewToken: string | undefined
  #current: Promise<Credential | null> | undefined

  constructor(platform: Platform, token: (() => Promise<string | null>) | undefined, viewToken: string | undefined) {
    this.#platform = platform
    this.#token = token
    this.#viewToken = viewToken
  }

  /** @returns null for who is anonymous */
  get(): Promise<Credential | null> {
    this.#current ??= this.#fetch().then((credential) => {
      // A token that could not be had is asked for again next time.
      if (credential === null) this.#current = undefined
      return credential
    })
    return this.#current
  }

  /** What was given is not good any more: the token is asked for anew, and a view token given up. (RT31) */
  refuse(): void {
    this.#current = undefined
    this.#viewToken = undefined
  }

  /** Another token, for one that is about to expire. */
  renew(): Promise<Credential | null> {
    if (this.#token !== undefined) this.#current = undefined
    return this.get()
  }

  async #fetch(): Promise<Credential | null> {
    if (this.#viewToken !== undefined) return { viewToken: this.#viewToken }
    if (this.#token === undefined) return null
    for (let attempt = 1; ; attempt++) {
      try {
        const token = await this.#token()
        return token ? { token } : null
      } catch {
        if (attempt === mostTries) return null
        await new Promise<void>((resolve) => this.#platform.later(backoff(this.#platform, attempt), resolve))
      }
    }
  }
}
