import type { QueryClient } from '@tanstack/react-query'
import type { Address } from './api.ts'
import { epochOfLive } from './live.ts'

/** The order of what the service tells of an address: by reads, by its topic, and by the answers to writes. */

/** How often something newer than a read could bring has come for an address. */
const told = new Map<string, number>()

/** Notes that the topic of an address has told its present state. */
export function noteTold(address: string): void {
  told.set(address, (told.get(address) ?? 0) + 1)
}

/**
 * Reads an answer. It may be older than what its topic or a write has told meanwhile, and would stay in its place until
 * the next change: then what was told is kept. (W8)
 *
 * @param toldOf what was told last
 */
export async function newestOf<Body>(
  address: string,
  read: () => Promise<Body>,
  toldOf: () => Body | undefined,
): Promise<Body> {
  const before = told.get(address)
  const body = await read()
  return told.get(address) === before ? body : (toldOf() ?? body)
}

/** Where a state is among those of its record. */
interface Place {
  readonly of: unknown
  readonly at: number
}

/** How far the answers to writes are that their topics have not reached yet, with the connection of that time. */
const answered = new Map<string, { readonly place: Place; readonly epoch: number | null }>()

/**
 * Shows the answer to a write, or to a read while there is no topic, unless a newer state of the same record is shown. States of
 * its topic that were on their way before it do not replace it. (W7)
 */
export function showAnswer<Body>(cache: QueryClient, address: Address<Body>, body: Body): void {
  const place = placeOf(body)
  if (isOlder(place, placeOf(cache.getQueryData([address])))) return
  noteTold(address)
  if (place !== null) answered.set(address, { place, epoch: epochOfLive.get() })
  cache.setQueryData<Body>([address], body)
}

/**
 * Whether a state that the topic of an address tells is from before an answer that is shown. The order ends with the
 * connection, and once the topic has reached the answer: a reader who loses a role may see an older state then. (V1)
 */
export function isBeforeAnswer(address: string, body: unknown): boolean {
  const last = answered.get(address)
  if (last === undefined) return false
  if (last.epoch === epochOfLive.get() && isOlder(placeOf(body), last.place)) return true
  answered.delete(address)
  return false
}

/** Whether both are states of one record, and the first is the older one. */
function isOlder(one: Place | null, other: Place | null): boolean {
  return one !== null && other !== null && one.of === other.of && one.at < other.at
}

/** A record with its revision, or the session of a match with its position; null for bodies without an order. */
function placeOf(body: unknown): Place | null {
  if (typeof body !== 'object' || body === null) return null
  if ('session' in body && 'position' in body && typeof body.position === 'number')
    return { of: body.session, at: body.position }
  if ('guid' in body && 'revision' in body && typeof body.revision === 'number')
    return { of: body.guid, at: body.revision }
  return null
}
