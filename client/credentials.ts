import { backoff, type Platform } from './platform.ts'

/** The members of `authenticate`. */
export type Credential = { readonly token: string } | { readonly viewToken: string }

/** How often a token is requested before giving up, for instance while the network is down. */
const maxTries = 3

/** The credentials of the client. */
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

  /** @returns null for an anonymous client */
  get(): Promise<Credential | null> {
    this.#current ??= this.#fetch().then((credential) => {
      // A failed request is repeated at the next call.
      if (credential === null) this.#current = undefined
      return credential
    })
    return this.#current
  }

  /** Forgets refused credentials: the token is requested again, and a view token is given up. */
  refuse(): void {
    this.#current = undefined
    this.#viewToken = undefined
  }

  /** Requests a new token in place of the current one. The caller calls it shortly before the token expires. */
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
        if (attempt === maxTries) return null
        await new Promise<void>((resolve) => this.#platform.later(backoff(this.#platform, attempt), resolve))
      }
    }
  }
}
