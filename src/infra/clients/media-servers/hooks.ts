import type { TSchema } from 'typebox'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { shapeOf } from '../../../core/shape.ts'
import { isSame } from '../../secrets.ts'
import type { HookQuestion, HookRequest, StreamProtocol } from './types.ts'

/**
 * Functions for the hooks of all kinds of servers. The server has proven itself, but the clients that it reports have
 * not.
 */

/** The application in which all streams are public. (S1) */
export const liveApp = 'live'

/** Compares in constant time, for all secrets. (S10) */
export function isOneOf(given: string, secrets: readonly string[]): boolean {
  return secrets.map((secret) => isSame(given, secret)).includes(true)
}

/** Checks `?secret=` in the address of the hook. */
export function provesByQuery({ query }: HookRequest, secrets: readonly string[]): boolean {
  const secret = query.get('secret')
  return secret !== null && isOneOf(secret, secrets)
}

/** The password of HTTP Basic, for any user. (RFC 7617) */
export function basicPassword(authorization: string | null): string | null {
  const encoded = /^basic +([a-z0-9+/]+=*)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const decoded = Buffer.from(encoded, 'base64').toString()
  const colon = decoded.indexOf(':')
  return colon === -1 ? null : decoded.slice(colon + 1)
}

/** Reads bodies of one shape; null for other shapes, and for bodies that are not JSON. */
export function jsonReader<const Schema extends TSchema>(schema: Schema) {
  const shape = shapeOf(schema)
  return ({ body }: HookRequest) => {
    try {
      const value: unknown = JSON.parse(body.toString())
      return shape.check(value) ? value : null
    } catch {
      return null
    }
  }
}

/**
 * The GUID in a public name; null for other names, such as one in upper case, which is another path on the server. (S1)
 */
export function userOfName(name: string): string | null {
  return isGuid(name) && name === normaliseGuid(name) ? name : null
}

/** Like `userOfName`, for the whole path. */
export function userOfPath(path: string): string | null {
  const [app, name, ...more] = path.split('/')
  return app === liveApp && name !== undefined && more.length === 0 ? userOfName(name) : null
}

/** Null for an empty text. */
export function orNull(text: string | undefined | null): string | null {
  return text === undefined || text === '' ? null : text
}

const schemes: Readonly<Record<string, StreamProtocol>> = {
  rtmp: 'rtmp',
  rtmps: 'rtmps',
  srt: 'srt',
  rtsp: 'rtsp',
  webrtc: 'whip',
  http: 'whip',
  https: 'whip',
}

/** The protocol of an address. */
export function protocolOfUrl(url: string): StreamProtocol | null {
  return schemes[/^([a-z]+):/i.exec(url)?.[1]?.toLowerCase() ?? ''] ?? null
}

/** The placeholder of a hidden key in an address. */
export function shownKey(key: string | null): string {
  return key ?? '{key}'
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

/** Maximum lengths in characters, the same as at the neutral address. */
const longest: Readonly<Record<string, number>> = { key: 200, clientId: 200, address: 64, view: 2_000 }

/**
 * Checks values that clients wrote and the server passed on: an invalid name, address or token makes the shape unknown.
 * (S7)
 */
export function isPlausible(question: HookQuestion): boolean {
  return Object.entries(question).every(([member, text]: [string, unknown]) => {
    const most = longest[member]
    return most === undefined || typeof text !== 'string' || (text.length <= most && !/\p{Cc}/u.test(text))
  })
}
