import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../../../config.ts'
import type { Policy, SignedIn } from '../../../../core/actor.ts'
import { membersOf, type NewEvent } from '../../../../core/events.ts'
import { forbidden, missing } from '../../../../core/problem.ts'
import type { PlatformRole } from '../../../../core/roles.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { readPictures, usePictures } from '../../../../infra/media/references.ts'
import { changedTexts, useShown } from '../../../../infra/media/texts.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { lockPersonForKeyShare } from '../../../people/users/commands/users.ts'
import { findUser } from '../../../people/users/store/users.ts'
import { playedTag } from '../../../people/users/views.ts'
import type { NewPlatform } from '../bodies.ts'
import type { PlatformEvent } from '../events.ts'
import { platformAdministrators } from '../policy.ts'
import {
  checkDeletable,
  checkKeepsId,
  checkRoom,
  configured,
  defaultSystemPlatform,
  type RecordInput,
  readContextId,
  readRecord,
  readSettings,
  recordNames,
  type SettingsContext,
  type SettingsInput,
  systemName,
} from '../rules.ts'
import * as store from '../store.ts'
import type { Platform, PlatformMember, PlatformSettings } from '../types.ts'
import { platformsTag } from '../views.ts'

/** The surroundings of a change besides the database. */
export interface Surroundings {
  readonly mediaUrl: string
  readonly now: Date
}

/**
 * Adds a platform. The caller submits the requests of tournaments that want to be listed everywhere, since those belong
 * to another feature. Locks the list of platforms until the transaction ends.
 * @throws Problem `platform.invalid`, `platform.limit_reached`, `media.reference_invalid`, `platform.context_id_taken`
 * by its constraint
 */
export async function createPlatform(
  tx: Tx,
  actor: SignedIn,
  input: NewPlatform,
  { mediaUrl, now }: Surroundings,
): Promise<Platform> {
  const contextId = readContextId(input.contextId)
  const given = readRecord(input, { name: '', description: '', imageUrl: '', websiteUrl: null })
  await store.lockPlatformList(tx)
  checkRoom('platforms', await store.countPlatforms(tx))
  const room = { owners: [actor.guid] }
  const { addresses: record, uses } = await readPictures(tx, 'platform', { mediaUrl, given, current: null, room })
  const platform = await store.insertPlatform(tx, { contextId, ...record })
  await usePictures(tx, 'platform', platform.guid, uses, now)
  const { description } = record
  await useShown(tx, { subject: 'platform', subjectGuid: platform.guid }, { description }, { room, now })
  emit(tx, {
    type: 'platform.created',
    subject: platform.guid,
    actor: actor.guid,
    after: { contextId, ...record },
    touches: [platformsTag],
  })
  return platform
}

/**
 * Deletes a platform with its settings, members, requests and public list. Call under `lockPlatformList`, after all
 * tournaments that have asked the platform are locked, since their listings are derived under those locks. The event
 * log keeps its entries.
 * @throws Problem `platform.is_system`, `platform.unknown`
 */
export async function deletePlatform(tx: Tx, actor: SignedIn, guid: string, now: Date): Promise<void> {
  const platform = await store.lockPlatform(tx, guid)
  if (platform === undefined) throw unknown()
  checkDeletable(platform)
  const members = await store.listMembers(tx, guid)
  await store.deletePlatform(tx, guid)
  await endUsages(tx, [guid], now)
  for (const member of members) emit(tx, memberRemoved(guid, member, actor.guid))
  emit(tx, {
    type: 'platform.deleted',
    subject: guid,
    actor: actor.guid,
    before: { contextId: platform.contextId, name: platform.name },
    touches: [platformsTag, playedTag],
  })
}

/**
 * Creates the system platform at the first start, and gives it the configured name at later starts.
 * @throws ConfigError
 */
export async function establishSystemPlatform(tx: Tx, config: Config['systemPlatform'], now: Date): Promise<void> {
  const platform = await store.insertSystemPlatform(tx, {
    contextId: config.contextId ?? defaultSystemPlatform.contextId,
    name: systemName(defaultSystemPlatform, config.name),
  })
  checkKeepsId(platform, config.contextId)
  const name = systemName(platform, config.name)
  if (name === platform.name) return
  await store.updatePlatform(tx, platform.guid, { ...platform, name }, now)
  emit(tx, {
    type: 'platform.updated',
    subject: platform.guid,
    actor: null,
    before: { name: platform.name },
    after: { name },
    touches: [platformsTag],
  })
}

/**
 * Changes the given members of the public record. If all of them hold already, nothing is saved.
 * @throws Problem `platform.unknown`, `role.missing`, `platform.invalid`, `media.reference_invalid`
 */
export async function changePlatform(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  input: RecordInput,
  { mediaUrl, now }: Surroundings,
): Promise<Platform> {
  const platform = await lockFor(tx, actor, guid, platformAdministrators)
  const given = readRecord(input, platform)
  const room = { owners: [actor.guid], platformGuid: guid }
  const { addresses: next, uses } = await readPictures(tx, 'platform', { mediaUrl, given, current: platform, room })
  const names = recordNames.filter((name) => next[name] !== platform[name])
  if (names.length === 0) return platform
  const changed = await store.updatePlatform(tx, guid, next, now)
  await usePictures(tx, 'platform', guid, uses, now)
  const texts = changedTexts(['description'], platform, next)
  await useShown(tx, { subject: 'platform', subjectGuid: guid }, texts, { room, now })
  emit(tx, {
    type: 'platform.updated',
    subject: guid,
    actor: actor.guid,
    before: membersOf(platform, names),
    after: membersOf(next, names),
    touches: [platformsTag],
  })
  return changed
}

/**
 * Changes the given private settings. If all of them hold already, nothing is saved.
 * @throws Problem `platform.unknown`, `role.missing`, `platform.webhook_invalid`
 */
export async function changeSettings(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  input: SettingsInput,
  context: SettingsContext,
): Promise<PlatformSettings> {
  await lockFor(tx, actor, guid, platformAdministrators)
  const before = await store.readSettings(tx, guid)
  const next = readSettings(input, before, context)
  if (isDeepStrictEqual(next, before)) return before
  await store.writeSettings(tx, guid, next)
  emit(tx, { type: 'platform.settings_changed', subject: guid, actor: actor.guid, ...settingsChanged(before, next) })
  return next
}

/**
 * The changed settings before and after, for the event log. `configured` replaces the addresses and the secret, since
 * anybody who knows an address can post to it.
 */
function settingsChanged(before: PlatformSettings, after: PlatformSettings) {
  const names = (Object.keys(after) as (keyof PlatformSettings)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  const [was, is] = [hidden(before), hidden(after)]
  return { before: membersOf(was, names), after: membersOf(is, names) }
}

function hidden(settings: PlatformSettings): PlatformSettings {
  const { chatWebhookUrl, customWebhookUrl, customWebhookSecret } = settings
  return {
    ...settings,
    chatWebhookUrl: chatWebhookUrl && configured,
    customWebhookUrl: customWebhookUrl && configured,
    customWebhookSecret: customWebhookSecret && configured,
  }
}

/**
 * Adds a member, or changes a member's role. If the user has the role already, nothing is saved.
 * @param userIdentifier any identifier of a user, or `@me` (D6)
 * @throws Problem `platform.unknown`, `role.missing`, `user.unknown`, `platform.limit_reached`
 */
export async function putMember(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  { userIdentifier, role }: { readonly userIdentifier: string; readonly role: PlatformRole },
  now: Date,
): Promise<PlatformMember> {
  await lockFor(tx, actor, guid, platformAdministrators)
  const userGuid = userIdentifier === '@me' ? actor.guid : (await findUser(tx, userIdentifier))?.guid
  if (userGuid === undefined) throw missing('user.unknown', 'There is no such user.')
  await lockPersonForKeyShare(tx, userGuid)
  const before = await store.findMember(tx, guid, userGuid)
  if (before?.role === role) return before
  if (before === undefined) checkRoom('members', await store.countMembers(tx, guid))
  const member = await store.writeMember(tx, guid, { userGuid, role }, now)
  emit(tx, {
    type: 'platform.member_added',
    subject: userGuid,
    actor: actor.guid,
    before: before === undefined ? null : { role: before.role },
    after: { platformGuid: guid, userGuid, role },
    rights: true,
  })
  return member
}

/** @throws Problem `platform.unknown`, `role.missing`, `member.unknown` */
export async function removeMember(tx: Tx, actor: SignedIn, guid: string, userGuid: string): Promise<void> {
  await lockFor(tx, actor, guid, platformAdministrators)
  const member = await store.deleteMember(tx, guid, userGuid)
  if (member === undefined) throw missing('member.unknown', 'The user is not a member of this platform.')
  emit(tx, memberRemoved(guid, member, actor.guid))
}

/** Removes a user who deletes their account from all review teams. (D35) */
export async function leavePlatforms(tx: Tx, { guid: userGuid }: { readonly guid: string }): Promise<void> {
  const left = await store.deleteMembershipsOf(tx, userGuid)
  for (const { platformGuid, role } of left) emit(tx, memberRemoved(platformGuid, { userGuid, role }, userGuid))
}

function memberRemoved(
  platformGuid: string,
  { userGuid, role }: Pick<PlatformMember, 'userGuid' | 'role'>,
  actorGuid: string,
): NewEvent<PlatformEvent> {
  return {
    type: 'platform.member_removed',
    subject: userGuid,
    actor: actorGuid,
    before: { role },
    after: { platformGuid, userGuid },
    rights: true,
  }
}

/**
 * Locks the platform and checks the policy again: the platform may have been deleted, or the actor's role removed,
 * since the first check.
 */
async function lockFor(tx: Tx, actor: SignedIn, guid: string, policy: Policy): Promise<Platform> {
  const platform = await store.lockPlatform(tx, guid)
  if (platform === undefined) throw unknown()
  const platformRole = (await store.findMember(tx, guid, actor.guid))?.role ?? null
  if (!policy.allows({ ...actor, platformRole }, {})) {
    throw forbidden('role.missing', `Only ${policy.who} may do this.`)
  }
  return platform
}

function unknown() {
  return missing('platform.unknown', 'There is no such platform.')
}
