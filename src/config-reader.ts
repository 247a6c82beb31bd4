import ipaddr from 'ipaddr.js'
import { shortIdFault } from './core/ids.ts'
import { listEntries } from './core/list.ts'

/** Reads settings from variables of the environment, one kind of value each. */

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Env = Readonly<Record<string, string | undefined>>

/** @throws ConfigError whose message names the variable and what it must be */
export class Reader {
  readonly #env: Env

  constructor(env: Env) {
    this.#env = env
  }

  /** An empty variable counts as not set. */
  text(name: string): string | null {
    const value = this.#env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }

  oneOf<const V extends readonly string[]>(name: string, values: V, otherwise: V[number]): V[number] {
    const value = this.text(name) ?? otherwise
    if (!values.includes(value))
      throw new ConfigError(`${name} must be one of ${values.join(', ')}, not ${JSON.stringify(value)}`)
    return value
  }

  /** A switch whose second value is allowed only in the local environment. */
  flag<const V extends readonly [string, string]>(name: string, values: V, local: boolean): V[number] {
    const value = this.oneOf(name, values, values[0])
    if (value === values[1] && !local) throw new ConfigError(`${name} may be ${value} only when ENVIRONMENT is local`)
    return value
  }

  port(name: string, otherwise: number): number {
    const value = this.text(name) ?? String(otherwise)
    const port = Number(value)
    if (!/^\d+$/.test(value) || port > 65_535)
      throw new ConfigError(`${name} must be a port from 0 to 65535, not ${JSON.stringify(value)}`)
    return port
  }

  /** An IP address to listen on, or a host name. */
  host(name: string): string | null {
    const value = this.text(name)
    if (value === null || ipaddr.isValid(value) || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value)) return value
    throw new ConfigError(`${name} must be an IP address or a host name, not ${JSON.stringify(value)}`)
  }

  origin(name: string, protocols: readonly string[]): string | null {
    const value = this.url(name, protocols)
    if (value === null) return null
    const { origin, href } = new URL(value)
    if (href === `${origin}/`) return origin
    throw new ConfigError(`${name} must be an address without a path, such as https://example.org`)
  }

  url(name: string, protocols: readonly string[]): string | null {
    const value = this.text(name)
    if (value === null) return null
    const isOne = protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`))
    if (!isOne || !URL.canParse(value)) {
      // The message omits the value, which may contain a password.
      throw new ConfigError(
        `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      )
    }
    return value.replace(/\/+$/, '')
  }

  list(name: string, isItem: (text: string) => boolean, what: string): string[] {
    const items = listEntries(this.text(name) ?? '').filter((item) => item !== '')
    const wrong = items.find((item) => !isItem(item))
    if (wrong !== undefined) throw new ConfigError(`${name} must list ${what}; ${JSON.stringify(wrong)} is not one`)
    return items
  }

  /** The listed words, each checked against `words`; `otherwise` where none is given. */
  listOr(name: string, words: readonly string[], what: string, otherwise = words): readonly string[] {
    const given = this.list(name, (word) => words.includes(word), what)
    return given.length === 0 ? otherwise : given
  }

  version(name: string): string | null {
    const value = this.text(name)
    if (value === null || /^[\w.+-]{1,64}$/.test(value)) return value
    throw new ConfigError(`${name} must be a version such as 1.2.3, not ${JSON.stringify(value)}`)
  }

  count(name: string, otherwise: number): number {
    const value = this.text(name) ?? String(otherwise)
    if (/^[1-9]\d{0,6}$/.test(value)) return Number(value)
    throw new ConfigError(`${name} must be a whole number from 1 to 9999999, not ${JSON.stringify(value)}`)
  }

  shortId(name: string): string | null {
    const id = this.text(name)?.toLowerCase() ?? null
    const fault = id === null ? null : shortIdFault(id)
    if (fault !== null) throw new ConfigError(`${name} ${fault}`)
    return id
  }
}
