import type { SignedIn } from '../../core/actor.ts'
import { membersOf } from '../../core/events.ts'
import { missing } from '../../core/problem.ts'
import type { Tx } from '../../infra/db/database.ts'
import { emit } from '../../infra/events/emit.ts'
import { readPictures, usePictures } from '../../infra/media/references.ts'
import { endUsages } from '../../infra/media/usages.ts'
import { digestOf } from '../../infra/secrets.ts'
import * as store from '../store/applications.ts'
import type { Application, ApplicationType } from '../types.ts'
import { unknownApplication } from './resolve.ts'
import { changesOf, checkDetails, checkHasSecret, checkMayRegister, type Details } from './rules.ts'

/**
 * Commands of owners on their applications. An application outlives a ban of its owner: it acts for other users, who
 * are not banned. It cannot be changed until the ban is lifted.
 */

export interface Registration {
  readonly name: string
  readonly imageUrl?: string | null
  readonly type: ApplicationType
  readonly scopes: Details['scopes']
  readonly redirectUris: readonly string[]
}

/** Input of a change besides the database. */
export interface Surroundings {
  readonly mediaUrl: string
  readonly now: Date
}

/**
 * Registers an application of the caller; `clientSecret` is null where its type has none.
 * @throws Problem `application.name_invalid`, `application.image_invalid`, `application.redirect_invalid`,
 *   `application.limit_reached`, `media.reference_invalid`, `user.unknown` for an account that was deleted meanwhile
 */
export async function registerApplication(
  tx: Tx,
  actor: SignedIn,
  { name, imageUrl = null, type, scopes, redirectUris }: Registration,
  clientSecret: string | null,
  { mediaUrl, now }: Surroundings,
): Promise<Application> {
  const given = { name, imageUrl, scopes, redirectUris }
  checkDetails(given, mediaUrl)
  if (!(await store.lockOwner(tx, actor.guid))) throw missing('user.unknown', 'There is no such user.')
  checkMayRegister(await store.countApplications(tx, actor.guid))
  const room = { owners: [actor.guid] }
  const pictures = await readPictures(tx, 'application', { mediaUrl, given, current: null, room })
  const details = pictures.addresses
  const secretHash = clientSecret === null ? null : digestOf(clientSecret)
  const application = await store.insertApplication(tx, { ...details, type, ownerGuid: actor.guid, secretHash })
  await usePictures(tx, 'application', application.clientId, pictures.uses, now)
  emit(tx, {
    type: 'application.created',
    subject: application.clientId,
    actor: actor.guid,
    after: { ...details, type },
  })
  return application
}

/**
 * Updates the given members; changes nothing if all of them already have these values.
 * @throws Problem `application.unknown`, `application.type_fixed`, `application.nothing_given`,
 *   `application.name_invalid`, `application.image_invalid`, `application.redirect_invalid`, `media.reference_invalid`
 */
export async function changeApplication(
  tx: Tx,
  actor: SignedIn,
  clientId: string,
  input: Partial<Registration>,
  { mediaUrl, now }: Surroundings,
): Promise<Application> {
  const application = await lockOwned(tx, actor, clientId)
  const room = { owners: [actor.guid] }
  const different = changesOf(application, input, mediaUrl)
  const pictures = await readPictures(tx, 'application', { mediaUrl, given: different, current: application, room })
  const { scopes, redirectUris, ...texts } = pictures.addresses
  const changes: store.ApplicationChanges = {
    ...texts,
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    ...(redirectUris === undefined ? {} : { redirectUris: [...redirectUris] }),
  }
  const names = Object.keys(changes) as (keyof Details)[]
  if (names.length === 0) return application
  const changed = await store.updateApplication(tx, clientId, changes, now)
  await usePictures(tx, 'application', clientId, pictures.uses, now)
  const [before, after] = [membersOf(application, names), membersOf(changed, names)]
  emit(tx, { type: 'application.updated', subject: clientId, actor: actor.guid, before, after })
  return changed
}

/**
 * Replaces the secret; the old one is refused from the commit on.
 * @throws Problem `application.unknown`, `application.public`
 */
export async function rotateSecret(
  tx: Tx,
  actor: SignedIn,
  clientId: string,
  clientSecret: string,
  now: Date,
): Promise<void> {
  checkHasSecret(await lockOwned(tx, actor, clientId))
  await store.updateApplication(tx, clientId, { secretHash: digestOf(clientSecret) }, now)
  emit(tx, { type: 'application.secret_rotated', subject: clientId, actor: actor.guid })
}

/**
 * Deletes an application with all of its tokens, which end immediately on every process. (D17)
 * @throws Problem `application.unknown`
 */
export async function deleteApplication(tx: Tx, actor: SignedIn, clientId: string, now: Date): Promise<void> {
  const { name, imageUrl, type, scopes, redirectUris } = await lockOwned(tx, actor, clientId)
  await store.deleteApplication(tx, clientId)
  await endUsages(tx, [clientId], now)
  emit(tx, {
    type: 'application.deleted',
    subject: clientId,
    actor: actor.guid,
    before: { name, imageUrl, scopes, redirectUris, type },
    rights: true,
  })
}

/** Locks the record, which may have been deleted since it was found. */
async function lockOwned(tx: Tx, actor: SignedIn, clientId: string): Promise<Application> {
  const application = await store.lockApplication(tx, clientId, actor.guid)
  if (application === undefined) throw unknownApplication()
  return application
}
