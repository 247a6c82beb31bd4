import type { SignedIn } from '../../../core/actor.ts'
import { membersOf } from '../../../core/events.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { readNameOf } from '../../../core/names.ts'
import { invalid, missing } from '../../../core/problem.ts'
import { formatInstant, readInstant } from '../../../core/time.ts'
import { assetsOf } from '../../../engine/scenes/assets.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { endUsages } from '../../../infra/media/usages.ts'
import { digestOf, newSecret } from '../../../infra/secrets.ts'
import type { Services } from '../../../services.ts'
import { checkIsHere } from '../../people/users/commands/users.ts'
import { findUser, lockUsersForKeyShare } from '../../people/users/store/users.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { createDraft } from '../sceneDocuments/commands/drafts.ts'
import { useAssets } from '../sceneDocuments/commands/media.ts'
import { documentFromPackage } from '../sceneDocuments/commands/packages.ts'
import type { ChangeOverlayBody, CreateTokenBody } from './bodies.ts'
import type { NewOverlay } from './prepare.ts'
import { documentFrom } from './queries.ts'
import { unknownOverlay } from './resolve.ts'
import {
  checkEditors,
  checkExpiry,
  checkNameFree,
  checkRoom,
  checkRoomForToken,
  unknownToken,
  viewTokenOf,
} from './rules.ts'
import * as store from './store/overlays.ts'
import * as tokens from './store/tokens.ts'
import type { Overlay, ViewToken } from './types.ts'

const loggedNames = ['name', 'access'] as const

/**
 * Creates an overlay with its draft.
 * @throws Problem `request.invalid`, `tournament.unknown`, `overlay.too_many`, `overlay.name_taken`,
 *   `template.unknown`, `media.quota_exceeded`, `media.blocked`
 */
export async function createOverlay(
  tx: Tx,
  tournamentGuid: string,
  { template = null, package: given, ...input }: NewOverlay,
  about: { readonly actor: SignedIn; readonly services: Services; readonly now: Date },
): Promise<Overlay> {
  const { actor, now } = about
  const name = readNameOf('name', input.name)
  await store.lockNames(tx, tournamentGuid)
  const { tournament } = await lockTournament(tx, tournamentGuid)
  checkRoom(await store.countOverlays(tx, tournamentGuid))
  checkNameFree(name, await store.listOtherNames(tx, tournamentGuid))
  const document =
    given === null
      ? await documentFrom(tx, actor, template, tournament)
      : (await documentFromPackage(tx, given, about)).document
  const made = { tournamentGuid, name, createdAt: now, updatedAt: now }
  const guid = await store.insertOverlay(tx, made)
  await createDraft(tx, guid, document, { by: actor.guid, now })
  await useAssets(tx, 'draft', assetsOf(document), { overlay: guid, tournament: tournamentGuid, now })
  const overlay = (await store.findOverlay(tx, guid)) as Overlay
  emit(tx, {
    type: 'overlay.created',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: membersOf(overlay, loggedNames),
  })
  return overlay
}

/**
 * Changes the given members. Saves nothing if all of them are equal already.
 * @throws Problem `request.invalid`, `overlay.unknown`, `overlay.nothing_to_change`, `overlay.name_taken`,
 *   `overlay.too_many_editors`, `user.unknown`
 */
export async function changeOverlay(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Overlay,
  { access, editors, ...input }: ChangeOverlayBody,
  now: Date,
): Promise<Overlay> {
  const name = input.name === undefined ? undefined : readNameOf('name', input.name)
  if (name === undefined && access === undefined && editors === undefined) {
    throw invalid('overlay.nothing_to_change', 'Give at least one of name, access and editors.')
  }
  if (name !== undefined) await store.lockNames(tx, tournamentGuid)
  const before = await lockKnown(tx, guid)
  // An unchanged name is not checked: two names from before the comparison rule may look alike, and stay.
  if (name !== undefined && name !== before.name) {
    checkNameFree(name, await store.listOtherNames(tx, tournamentGuid, guid))
  }
  const next = { name: name ?? before.name, access: access ?? before.access }
  const named = editors === undefined ? before.editors : await readEditors(tx, editors)
  const changed = loggedNames.filter((member) => next[member] !== before[member])
  const added = named.filter((user) => !before.editors.includes(user))
  const removed = before.editors.filter((user) => !named.includes(user))
  const others = [...added, ...removed]
  if (others.length > 0) await store.changeEditors(tx, guid, { added, removed }, now)
  if (others.length > 0 || changed.length > 0) await store.updateOverlay(tx, guid, next, now)
  const after = (await store.findOverlay(tx, guid)) as Overlay
  const about = { subject: guid, tournament: before.tournamentGuid, actor: actor.guid, rights: true } as const
  if (changed.length > 0) {
    emit(tx, {
      type: 'overlay.updated',
      ...about,
      before: membersOf(before, changed),
      after: membersOf(after, changed),
    })
  }
  if (others.length > 0) {
    emit(tx, {
      type: 'overlay.editors_changed',
      ...about,
      touches: others,
      before: membersOf(before, ['editors']),
      after: membersOf(after, ['editors']),
    })
  }
  return after
}

/**
 * Finds users by any identifier, and returns each once.
 * @throws Problem `user.unknown`, `overlay.too_many_editors`
 */
async function readEditors(tx: Tx, identifiers: readonly string[]): Promise<readonly string[]> {
  const guids = new Set<string>()
  for (const identifier of identifiers) {
    const user = await findUser(tx, identifier)
    if (user === undefined) throw missing('user.unknown', `There is no user ${JSON.stringify(identifier)}.`)
    checkIsHere(user)
    guids.add(user.guid)
  }
  checkEditors(guids.size)
  const kept = await lockUsersForKeyShare(tx, [...guids])
  if (kept.size < guids.size) throw missing('user.unknown', 'One of the users is gone.')
  return [...guids]
}

/**
 * Deletes an overlay with its scenes, its control state and its tokens. Connections with these tokens end.
 * @throws Problem `overlay.unknown`
 */
export async function deleteOverlay(tx: Tx, actor: SignedIn, { guid }: Overlay, now: Date): Promise<void> {
  const before = await lockKnown(tx, guid)
  const touches = await tokens.listTokenGuids(tx, guid)
  await endUsages(tx, [guid], now)
  await store.deleteOverlay(tx, guid)
  emit(tx, {
    type: 'overlay.deleted',
    subject: guid,
    tournament: before.tournamentGuid,
    actor: actor.guid,
    rights: true,
    touches,
    before: membersOf(before, loggedNames),
  })
}

/**
 * Creates a view token. Its secret is returned once, and only its digest is stored. (OV16)
 * @throws Problem `overlay.unknown`, `token.too_many`, `request.invalid`
 */
export async function createToken(
  tx: Tx,
  actor: SignedIn,
  { guid: overlayGuid }: Overlay,
  body: CreateTokenBody,
  now: Date,
): Promise<{ readonly token: ViewToken; readonly secret: string }> {
  const expiresAt = readInstant(body.expiresAt, (reason) =>
    invalid('request.invalid', `The body's member "expiresAt" ${reason}.`),
  )
  checkExpiry(expiresAt, now)
  const label = readNameOf('label', body.label)
  const { tournamentGuid } = await lockKnown(tx, overlayGuid)
  checkRoomForToken((await tokens.listTokens(tx, overlayGuid, now)).length)
  const secret = viewTokenOf(newSecret())
  const token = await tokens.insertToken(tx, {
    overlayGuid,
    expiresAt,
    createdAt: now,
    createdBy: actor.guid,
    digest: digestOf(secret),
    lastFour: secret.slice(-4),
    label,
    preview: body.preview ?? false,
  })
  emit(tx, {
    type: 'overlay.token_created',
    subject: overlayGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: loggedToken(token),
  })
  return { token, secret }
}

/**
 * Revokes a view token. Sockets and subscriptions that were opened with it end. (OV16)
 * @throws Problem `overlay.unknown`, `token.unknown`
 */
export async function revokeToken(tx: Tx, actor: SignedIn, overlay: Overlay, identifier: string): Promise<void> {
  const { guid, tournamentGuid } = await lockKnown(tx, overlay.guid)
  const before = isGuid(identifier) ? await tokens.deleteToken(tx, guid, normaliseGuid(identifier)) : undefined
  if (before === undefined) throw unknownToken()
  emit(tx, {
    type: 'overlay.token_revoked',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    rights: true,
    touches: [before.guid],
    before: loggedToken(before),
  })
}

function loggedToken({ guid, label, preview, expiresAt }: ViewToken) {
  return { token: guid, label, preview, expiresAt: formatInstant(expiresAt) }
}

/** @throws Problem `overlay.unknown` */
async function lockKnown(tx: Tx, guid: string): Promise<Overlay> {
  const overlay = await store.lockOverlay(tx, guid)
  if (overlay === undefined) throw unknownOverlay()
  return overlay
}
