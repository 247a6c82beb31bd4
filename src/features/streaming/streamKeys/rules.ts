import { readName } from '../../../core/names.ts'
import { conflict, invalid } from '../../../core/problem.ts'
import type { StreamKey } from './types.ts'

/** Of a user, beside those that end with a rotation's grace. (S3; streaming: Details, 4) */
export const maxKeys = 5

export const maxLabelCharacters = 40

/** Seconds: ten minutes, within which an encoder must have been given its new key. (S3) */
export const maxKeyGrace = 600

/** Seconds a day that a user may stream without an assignment, by the day of UTC. (S4) */
export const testSecondsADay = 1_800

/** Seconds: a token for watching one's own tests. (S5) */
export const viewTokenLifetime = 900

/** What makes a stream good enough to be shown. (streaming: Stream operations) */
export const minimumPicture = { height: 720, fps: 30 } as const

/** A key fits the names and addresses of every kind of media server. (streaming: Records) */
export function keyOf(secret: string): string {
  return `sk-${secret}`
}

/** By which its owner tells a key from others without seeing it. (streaming: Records) */
export function lastFourOf(key: string): string {
  return key.slice(-4)
}

/**
 * A label stands on one line, and can be seen. (streaming: Records; D56)
 * @throws Problem `stream_key.label_invalid`
 */
export function readLabel(text: string): string {
  const label = readName(text)
  if (!label.ok) throw invalid('stream_key.label_invalid', `"label" ${label.reason}.`)
  return label.value
}

/** A user has at most five keys; one in grace does not count. (S3; streaming: Details, 4) */
export function checkRoom(heldWithoutGrace: number): void {
  if (heldWithoutGrace < maxKeys) return
  throw conflict(
    'stream_key.limit_reached',
    `You have ${maxKeys} stream keys, as many as there may be; revoke one first.`,
  )
}

/** However often keys are rotated, no more than twice as many count at a time: beyond that there is no grace. (S3) */
export function checkRoomInGrace(held: number): void {
  if (held < 2 * maxKeys) return
  throw conflict(
    'stream_key.limit_reached',
    'Too many of your stream keys are still in grace; wait until one of them has ended, or rotate without a grace.',
  )
}

/** A key whose end is set already has been given a successor: that one is rotated. (S3) */
export function checkGoesOn({ expiresAt }: Pick<StreamKey, 'expiresAt'>): void {
  if (expiresAt === null) return
  throw conflict('stream_key.in_grace', 'This key ends by itself; rotate the one that has taken its place.')
}

/** The end of a key that is rotated now; null where it ends at once. (S3) */
export function graceEnd(graceSeconds: number, now: Date): Date | null {
  return graceSeconds === 0 ? null : new Date(now.getTime() + graceSeconds * 1000)
}

/** Networks that are kept of a key. */
export const maxKnownNetworks = 20

/** The networks that a key was used from, with the one that it is used from now as the newest. */
export function networksWith(known: readonly string[], network: string): string[] {
  return [...known.filter((each) => each !== network), network].slice(-maxKnownNetworks)
}

/** Its owner is told of a network that a key was not used from before, but for the first one ever. (streaming: Stream operations) */
export function isNewNetwork(known: readonly string[], network: string): boolean {
  return known.length > 0 && !known.includes(network)
}

const noteIntervalMs = 60_000

/** The last use of a key is written once a minute at most. */
export function isNoteDue(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= noteIntervalMs
}

/** Midnight of UTC before an instant, with which the day of tests begins. (S4) */
export function dayOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000)
}

/** What is left of a day's tests, in whole seconds. (S4) */
export function testSecondsLeft(usedSeconds: number): number {
  return Math.max(0, Math.floor(testSecondsADay - usedSeconds))
}

/** Of a user's keys, the oldest first, the one that is asked for; otherwise the newest that goes on, or else that ends last. */
export function keyToShow(keys: readonly StreamKey[], guid: string | undefined): StreamKey | undefined {
  if (guid !== undefined) return keys.find((key) => key.guid === guid)
  return keys.findLast(({ expiresAt }) => expiresAt === null) ?? keys.at(-1)
}
