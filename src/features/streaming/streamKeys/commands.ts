import type { SignedIn } from '../../../core/actor.ts'
import { missing } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import type { Seal } from '../../../infra/sealed.ts'
import { type Resealed, resealMembers, type SealChange, sumResealed } from '../../../infra/sealed-text.ts'
import { digestOf } from '../../../infra/secrets.ts'
import { lockUser } from '../../people/users/store/users.ts'
import { keyPurpose, sealKey } from './queries.ts'
import { unknownKey } from './resolve.ts'
import { checkGoesOn, checkRoom, checkRoomInGrace, graceEnd, lastFourOf, readLabel } from './rules.ts'
import * as store from './store.ts'
import type { StreamKey } from './types.ts'

/** The inputs of a change apart from the database. */
export interface Surroundings {
  readonly seal: Seal
  readonly now: Date
}

/**
 * Creates a further key for a user.
 * @throws Problem `stream_key.label_invalid`, `stream_key.limit_reached`, and `user.unknown` for an account that was
 *   deleted in the meantime
 */
export async function createKey(
  tx: Tx,
  actor: SignedIn,
  given: { readonly label: string; readonly key: string },
  { seal, now }: Surroundings,
): Promise<StreamKey> {
  const label = readLabel(given.label)
  await lockAccount(tx, actor.guid)
  checkRoom(await store.countLastingKeys(tx, actor.guid))
  const created = await store.insertKey(tx, {
    userGuid: actor.guid,
    label,
    createdAt: now,
    networks: [],
    ...secretParts(seal, given.key),
  })
  emit(tx, { type: 'stream_key.created', subject: created.guid, actor: actor.guid, ...aboutUser(created) })
  return created
}

/**
 * Creates a successor for a key. The old key ends immediately or after the grace period. (S3)
 * @throws Problem `stream_key.unknown`, `stream_key.in_grace`, `stream_key.limit_reached`, and `user.unknown` for an
 *   account that was deleted in the meantime
 */
export async function rotateKey(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  given: { readonly key: string; readonly graceSeconds: number },
  { seal, now }: Surroundings,
): Promise<StreamKey> {
  await lockAccount(tx, actor.guid)
  const old = await lockKnown(tx, actor.guid, guid)
  checkGoesOn(old)
  const expiresAt = graceEnd(given.graceSeconds, now)
  if (expiresAt !== null) checkRoomInGrace((await store.listKeys(tx, actor.guid)).length)
  if (expiresAt === null) await store.deleteKey(tx, old.guid)
  else await store.setExpiry(tx, old.guid, expiresAt)
  const { userGuid, label, networks } = old
  const fresh = await store.insertKey(tx, {
    userGuid,
    label,
    networks,
    createdAt: now,
    ...secretParts(seal, given.key),
  })
  const after = { user: userGuid, successor: fresh.guid }
  const touches = [userGuid, fresh.guid]
  emit(tx, { type: 'stream_key.rotated', subject: old.guid, actor: actor.guid, after, touches })
  if (expiresAt === null)
    emit(tx, { type: 'stream_key.revoked', subject: old.guid, actor: actor.guid, ...aboutUser(old) })
  return fresh
}

/**
 * Revokes a user's key, for the user or an administrator. A stream that uses the key is cut. (S9)
 * @throws Problem `stream_key.unknown`
 */
export async function revokeKey(tx: Tx, actor: SignedIn, userGuid: string, guid: string): Promise<void> {
  const key = await lockKnown(tx, userGuid, guid)
  await store.deleteKey(tx, key.guid)
  emit(tx, { type: 'stream_key.revoked', subject: key.guid, actor: actor.guid, ...aboutUser(key) })
}

/** Deletes a key whose grace period is over. Of several processes, only the first emits the event. (S3) */
export async function expireKey(tx: Tx, guid: string): Promise<void> {
  const userGuid = await store.deleteOverdueKey(tx, guid)
  if (userGuid === undefined) return
  emit(tx, { type: 'stream_key.expired', subject: guid, actor: null, ...aboutUser({ userGuid }) })
}

/** Locks the user, which serialises changes of their keys. */
async function lockAccount(tx: Tx, guid: string): Promise<void> {
  if ((await lockUser(tx, guid)) === undefined) throw missing('user.unknown', 'There is no such user.')
}

/** Locks the key; it may have ended since the request found it. */
async function lockKnown(tx: Tx, userGuid: string, guid: string): Promise<StreamKey> {
  const key = await store.lockKey(tx, userGuid, guid)
  if (key === undefined) throw unknownKey()
  return key
}

function secretParts(seal: Seal, key: string): Pick<StreamKey, 'digest' | 'sealed' | 'lastFour'> {
  return { digest: digestOf(key), sealed: sealKey(seal, key), lastFour: lastFourOf(key) }
}

function aboutUser({ userGuid }: Pick<StreamKey, 'userGuid'>) {
  return { after: { user: userGuid }, touches: [userGuid] }
}

/** Encrypts all keys with the new secret of the installation. No event: the keys are the same. (S2) */
export async function resealKeys(tx: Tx, change: SealChange): Promise<Resealed> {
  const counts: Resealed[] = []
  for (const { guid, sealed } of await store.listSealed(tx)) {
    const { values, ...count } = resealMembers(change, { sealed: keyPurpose }, { sealed })
    if (values.sealed !== null && values.sealed !== sealed) await store.setSealed(tx, guid, values.sealed)
    counts.push(count)
  }
  return sumResealed(counts)
}
