import { readName } from '../../../core/names.ts'
import { conflict, invalid } from '../../../core/problem.ts'
import type { StreamKey } from './types.ts'

/** The maximum number of a user's keys, without those in a grace period. (S3; streaming: Details, 4) */
export const maxKeys = 5

export const maxLabelCharacters = 40

/** The maximum grace period in seconds: ten minutes to give the encoder its new key. (S3) */
export const maxKeyGrace = 600

/** The seconds per UTC day that a user may stream without an assignment. (S4) */
export const testSecondsADay = 1_800

/** The lifetime in seconds of a token for watching one's own tests. (S5) */
export const viewTokenLifetime = 900

/** The minimum quality of a stream that may be shown. (streaming: Stream operations) */
export const minimumPicture = { height: 720, fps: 30 } as const

/** Builds a key that fits the names and addresses of every kind of media server. (streaming: Records) */
export function keyOf(secret: string): string {
  return `sk-${secret}`
}

/** The last characters of a key, by which its owner recognises it without seeing it. (streaming: Records) */
export function lastFourOf(key: string): string {
  return key.slice(-4)
}

/**
 * A label is visible and on one line. (streaming: Records; D56)
 * @throws Problem `stream_key.label_invalid`
 */
export function readLabel(text: string): string {
  const label = readName(text)
  if (!label.ok) throw invalid('stream_key.label_invalid', `"label" ${label.reason}.`)
  return label.value
}

/** A user may have at most five keys; keys in a grace period do not count. (S3; streaming: Details, 4) */
export function checkRoom(heldWithoutGrace: number): void {
  if (heldWithoutGrace < maxKeys) return
  throw conflict(
    'stream_key.limit_reached',
    `You have ${maxKeys} stream keys, as many as there may be; revoke one first.`,
  )
}

/**
 * With those in a grace period, a user may have at most twice as many keys. Beyond that, a key is rotated without
 * grace. (S3)
 */
export function checkRoomInGrace(held: number): void {
  if (held < 2 * maxKeys) return
  throw conflict(
    'stream_key.limit_reached',
    'Too many of your stream keys are still in grace; wait until one of them has ended, or rotate without a grace.',
  )
}

/** Refuses to rotate a key that is in its grace period: its successor has to be rotated instead. (S3) */
export function checkGoesOn({ expiresAt }: Pick<StreamKey, 'expiresAt'>): void {
  if (expiresAt === null) return
  throw conflict('stream_key.in_grace', 'This key ends by itself; rotate the one that has taken its place.')
}

/** The end of a key that is rotated now; null if it ends immediately. (S3) */
export function graceEnd(graceSeconds: number, now: Date): Date | null {
  return graceSeconds === 0 ? null : new Date(now.getTime() + graceSeconds * 1000)
}

/** The maximum number of networks that are kept for a key. */
export const maxKnownNetworks = 20

/** The networks from which a key was used, with the current one as the newest. */
export function networksWith(known: readonly string[], network: string): string[] {
  return [...known.filter((each) => each !== network), network].slice(-maxKnownNetworks)
}

/**
 * Whether the owner is notified of the network: the key was not used from it before, and it is not the key's first
 * network. (streaming: Stream operations)
 */
export function isNewNetwork(known: readonly string[], network: string): boolean {
  return known.length > 0 && !known.includes(network)
}

const noteIntervalMs = 60_000

/** The last use of a key is saved at most once a minute. */
export function isNoteDue(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= noteIntervalMs
}

/** The last midnight UTC, at which the day of tests begins. (S4) */
export function dayOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000)
}

/** The remaining test time of the day in whole seconds. (S4) */
export function testSecondsLeft(usedSeconds: number): number {
  return Math.max(0, Math.floor(testSecondsADay - usedSeconds))
}

/**
 * Returns the requested key, or else the newest key without an end, or else the key that ends last.
 * @param keys the user's keys, oldest first
 */
export function keyToShow(keys: readonly StreamKey[], guid: string | undefined): StreamKey | undefined {
  if (guid !== undefined) return keys.find((key) => key.guid === guid)
  return keys.findLast(({ expiresAt }) => expiresAt === null) ?? keys.at(-1)
}
