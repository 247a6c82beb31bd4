import { createPublicKey } from 'node:crypto'
import { readName } from '../../../../core/names.ts'
import { isPrivateHost } from '../../../../core/network.ts'
import { conflict, invalid, missing, type Problem } from '../../../../core/problem.ts'
import { isTimeZone } from '../../../../core/time.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { Notice } from '../../notifications/types.ts'
import { type PushDevice, type PushKind, pushKinds, type QuietHours, type Subscription } from '../types.ts'

/** The maximum number of a user's devices. (additions: Push) */
export const maxDevices = 10

export const maxDeviceName = 60

/** @throws Problem `push_device.limit_reached` */
export function checkRoom(held: number): void {
  if (held < maxDevices) return
  throw conflict(
    'push_device.limit_reached',
    `You have ${maxDevices} devices, as many as there may be; remove one first.`,
  )
}

export function unknownDevice(): Problem {
  return missing('push_device.unknown', 'There is no such device.')
}

export interface DeviceInput {
  readonly endpoint: string
  readonly keys: Pick<Subscription, 'p256dh' | 'auth'>
  readonly name?: string | null
  readonly kinds?: Partial<Readonly<Record<PushKind, boolean>>>
  readonly quietHours?: QuietHours | null
}

/** The settings of a device that a user can change. */
export type DeviceSettings = Pick<PushDevice, 'name' | 'mutedKinds' | 'quietHours'>

/**
 * Reads a browser's subscription. The endpoint is an https address everywhere and does not name a private network; its
 * delivery checks the resolved address. The keys are a point of P-256 and 16 bytes. (additions: Push; D34, D85)
 * @throws Problem `push_device.invalid`, without the secrets that it is about
 */
export function readSubscription(
  { endpoint, keys }: DeviceInput,
  { allowPrivate }: { readonly allowPrivate: boolean },
): Subscription {
  const fault = endpointFault(endpoint, allowPrivate)
  if (fault !== null) throw refusal('endpoint', fault)
  if (!isPoint(keys.p256dh)) throw refusal('keys.p256dh', 'must be a public key of P-256 as base64url')
  if (!isBase64url(keys.auth, 16)) throw refusal('keys.auth', 'must be 16 bytes as base64url')
  return { endpoint: new URL(endpoint).href, ...keys }
}

function endpointFault(endpoint: string, allowPrivate: boolean): string | null {
  const fault = webAddressFault(endpoint)
  if (fault !== null) return fault
  const { protocol, hostname, hash } = new URL(endpoint)
  if (protocol !== 'https:') return 'must start with https://'
  if (hash !== '') return 'must not have a fragment'
  return isPrivateHost(hostname) && !allowPrivate ? 'must not lead into a private network' : null
}

function isBase64url(text: string, bytes: number): boolean {
  return /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes
}

/** Whether the text is an uncompressed point on the curve. */
function isPoint(text: string): boolean {
  if (!isBase64url(text, 65)) return false
  const point = Buffer.from(text, 'base64url')
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url')
  try {
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: part(1), y: part(33) } })
    return point[0] === 4
  } catch {
    return false
  }
}

/**
 * The settings of a device after a request: members that are left out stay as they are, and so do kinds that are not
 * named. All kinds of a new device are on. (additions: Push)
 * @throws Problem `push_device.invalid`
 */
export function settingsAfter({ name, kinds = {}, quietHours }: DeviceInput, before: DeviceSettings): DeviceSettings {
  return {
    name: name === undefined ? before.name : readDeviceName(name),
    mutedKinds: pushKinds.filter((kind) => !(kinds[kind] ?? !before.mutedKinds.includes(kind))),
    quietHours: quietHours === undefined ? before.quietHours : readQuietHours(quietHours),
  }
}

export const firstSettings: DeviceSettings = { name: null, mutedKinds: [], quietHours: null }

function readDeviceName(text: string | null): string | null {
  if (text === null || text === '') return null
  const name = readName(text)
  if (!name.ok) throw refusal('name', name.reason)
  return name.value
}

function readQuietHours(quiet: QuietHours | null): QuietHours | null {
  if (quiet === null) return null
  if (!isTimeZone(quiet.timezone)) throw refusal('quietHours.timezone', 'must be an IANA name such as Europe/Berlin')
  if (quiet.from === quiet.to) throw refusal('quietHours.to', 'must differ from "from"; switch kinds off instead')
  return quiet
}

function refusal(member: string, fault: string): Problem {
  return invalid('push_device.invalid', `"${member}" ${fault}.`)
}

/** The notice to users whose devices were removed because the key of the service was replaced. (additions: Push) */
export const keyReplacedNotice: Notice = {
  type: 'push_device.key_replaced',
  title: 'Messages to your devices are off',
  body: 'The service has a new key for messages. Switch them on again on each of your devices.',
  data: {},
}
