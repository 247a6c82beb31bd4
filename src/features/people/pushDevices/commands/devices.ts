import type { SignedIn } from '../../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { conflict, missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { notifyEach } from '../../notifications/commands.ts'
import { lockUser } from '../../users/store/users.ts'
import { pushDevicesTag } from '../events.ts'
import {
  checkRoom,
  type DeviceInput,
  firstSettings,
  keyReplacedNotice,
  readSubscription,
  settingsAfter,
  unknownDevice,
} from '../rules/devices.ts'
import * as store from '../store/devices.ts'
import type { PushDevice } from '../types.ts'

export interface Saved {
  readonly device: PushDevice
  readonly isNew: boolean
}

/**
 * Saves a device of a user, or changes the one that has the same endpoint. A browser in which another user was signed in
 * before now belongs to this one; its secret proves that it is the same browser. (additions: Push; D85)
 * @throws Problem `push_device.invalid`, `push_device.limit_reached`, `push_device.endpoint_taken`, and `user.unknown`
 *   for an account that was deleted in the meantime
 */
export async function saveDevice(
  tx: Tx,
  actor: SignedIn,
  input: DeviceInput,
  { allowPrivate, now }: { readonly allowPrivate: boolean; readonly now: Date },
): Promise<Saved> {
  const subscription = readSubscription(input, { allowPrivate })
  if ((await lockUser(tx, actor.guid)) === undefined) throw missing('user.unknown', 'There is no such user.')
  const held = await store.listDevices(tx, actor.guid)
  const before = held.find(({ endpoint }) => endpoint === subscription.endpoint)
  const settings = { ...subscription, ...settingsAfter(input, before ?? firstSettings) }
  const changed = before === undefined ? undefined : await store.updateDevice(tx, before.guid, settings, now)
  if (before === undefined) checkRoom(held.length)
  const device = changed ?? (await insertDevice(tx, actor, settings, now))
  emit(tx, {
    type: 'push_device.saved',
    subject: device.guid,
    actor: actor.guid,
    after: { user: actor.guid },
    touches: [pushDevicesTag(actor.guid)],
  })
  return { device, isNew: changed === undefined }
}

async function insertDevice(
  tx: Tx,
  actor: SignedIn,
  device: Parameters<typeof store.updateDevice>[2] & { readonly endpoint: string },
  now: Date,
): Promise<PushDevice> {
  const left = await store.deleteDeviceOfOthers(tx, actor.guid, device)
  if (left !== undefined) emitRemoved(tx, left, actor.guid)
  const inserted = await store.insertDevice(tx, { ...device, userGuid: actor.guid }, now)
  if (inserted !== undefined) return inserted
  throw conflict(
    'push_device.endpoint_taken',
    'This subscription belongs to somebody else; let the browser end it and subscribe again.',
  )
}

/**
 * Removes one of the user's devices.
 * @throws Problem `push_device.unknown`
 */
export async function removeDevice(tx: Tx, actor: SignedIn, text: string): Promise<void> {
  const guid = normaliseGuid(text)
  if (!isGuid(text) || !(await store.deleteDevice(tx, actor.guid, guid))) throw unknownDevice()
  emitRemoved(tx, { guid, userGuid: actor.guid }, actor.guid)
}

/** Removes a device that its push service no longer knows. */
export async function removeGone(tx: Tx, device: Pick<PushDevice, 'guid' | 'userGuid'>): Promise<void> {
  if (await store.deleteDevice(tx, device.userGuid, device.guid)) emitRemoved(tx, device, null)
}

function emitRemoved(tx: Tx, { guid, userGuid }: Pick<PushDevice, 'guid' | 'userGuid'>, actor: string | null): void {
  emit(tx, {
    type: 'push_device.removed',
    subject: guid,
    actor,
    before: { user: userGuid },
    touches: [pushDevicesTag(userGuid)],
  })
}

/**
 * Removes the devices of all users, who are notified: browsers bind their subscriptions to the key of the service, which is
 * replaced. Returns the number of devices. (additions: Push)
 */
export async function removeAllDevices(tx: Tx, now: Date): Promise<number> {
  const removed = await store.deleteAllDevices(tx)
  const owners = [...new Set(removed.map(({ userGuid }) => userGuid))]
  await notifyEach(tx, owners, keyReplacedNotice, now)
  for (const device of removed) emitRemoved(tx, device, null)
  return removed.length
}
