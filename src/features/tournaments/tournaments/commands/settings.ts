import { isDeepStrictEqual } from 'node:util'
import type { Actor, SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import { forbidden, invalid } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { everythingTag } from '../../../../infra/events/head.ts'
import { readPictures, usePictures } from '../../../../infra/media/references.ts'
import { changedTexts, useShown } from '../../../../infra/media/texts.ts'
import { playedTag } from '../../../people/users/views.ts'
import type { SettingName, SettingsInput } from '../bodies.ts'
import { changersOf } from '../policy.ts'
import { readRecord, type TournamentRecord } from '../queries.ts'
import { readDate } from '../rules/dates.ts'
import { countNewFields } from '../rules/fields.ts'
import { checkRoomForDraft } from '../rules/organiser.ts'
import { checkCapacity, checkNotStale, checkRehearsable, defaults, readSettings } from '../rules/settings.ts'
import { textNames } from '../store/media.ts'
import * as store from '../store/tournaments.ts'
import { type Settings, settingColumns, type Tournament, type VisibilityScope } from '../types.ts'
import { settingsView } from '../views.ts'
import { differences } from './differences.ts'
import { lockTournament } from './lock.ts'
import { lockNewOrganiser } from './organiser.ts'

/**
 * Creates a draft. The caller becomes its organiser.
 * @throws Problem `tournament.invalid`, `tournament.fields_too_long`, `tournament.dates_out_of_order`,
 *   `tournament.too_many_drafts`, `tournament.organiser_unfit`, `media.reference_invalid`, `tournament.id_taken` by its
 *   constraint
 */
export async function createTournament(
  tx: Tx,
  actor: SignedIn,
  input: SettingsInput & { readonly id: string; readonly name: string },
  { chatApiUrl, mediaUrl, now }: Surroundings,
): Promise<TournamentRecord> {
  const newGuids = await store.newGuids(tx, countNewFields(input.additionalFields))
  const settings = readSettings(input, { ...defaults, id: input.id, name: input.name }, { chatApiUrl, newGuids })
  const organiser = await lockNewOrganiser(tx, actor.guid)
  checkRoomForDraft(organiser, await store.countDrafts(tx, organiser.guid))
  const room = { owners: [actor.guid] }
  const pictures = await readPictures(tx, 'tournament', { mediaUrl, given: picturesOf(settings), current: null, room })
  const tournament = await store.insertTournament(tx, {
    ...settings,
    ...pictures.addresses,
    organiserGuid: actor.guid,
  })
  await usePictures(tx, 'tournament', tournament.guid, pictures.uses, now)
  const texts = changedTexts(textNames, defaults, settings)
  await useShown(tx, { subject: 'tournament', subjectGuid: tournament.guid }, texts, { room, now })
  const record = await readRecord(tx, tournament, { teams: 0, registered: 0, qualified: 0, players: 0 })
  const blank = settingsView({ ...defaults, id: '', name: '' })
  emit(tx, {
    type: 'tournament.created',
    subject: tournament.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: differences(blank, settingsView(tournament)).after,
    // The caller is now staff of a tournament, which changes what the caller's own answers show.
    touches: [actor.guid],
  })
  return record
}

/** The inputs of a change apart from the database. */
export interface Surroundings {
  /** Base URL of the chat platform's REST API. */
  readonly chatApiUrl: string
  readonly mediaUrl: string
  readonly now: Date
}

export type SettingsChange = SettingsInput & { readonly expectedUpdatedAt?: string | null }

/**
 * Changes the given settings. If none of them differs from the current state, nothing is saved or emitted.
 * @throws Problem `tournament.nothing_given`, `tournament.setting_forbidden`, `tournament.invalid`,
 *   `tournament.fields_too_long`, `tournament.dates_out_of_order`, `tournament.stale`, `tournament.capacity_too_small`,
 *   `media.reference_invalid`, `tournament.id_taken`, `rehearsal.not_possible`
 */
export async function changeSettings(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  { expectedUpdatedAt = null, ...input }: SettingsChange,
  { chatApiUrl, mediaUrl, now }: Surroundings,
): Promise<TournamentRecord> {
  checkMayChange(actor, Object.keys(input) as SettingName[])
  const { tournament, counts } = await lockTournament(tx, guid)
  checkRehearsable(input, tournament)
  const newGuids = await store.newGuids(tx, countNewFields(input.additionalFields))
  const before = settingsOf(tournament)
  const read = readSettings(input, before, { chatApiUrl, newGuids })
  checkNotStale(tournament.updatedAt, readDate('expectedUpdatedAt', expectedUpdatedAt))
  if (read.capacity !== before.capacity) checkCapacity(read.capacity, counts.registered)
  const room = { owners: [actor.guid], tournamentGuid: guid }
  const pictures = await readPictures(tx, 'tournament', { mediaUrl, given: picturesOf(read), current: before, room })
  const next = { ...read, ...pictures.addresses }
  if (isDeepStrictEqual(next, before)) return readRecord(tx, tournament, counts)

  // A change of the chat's settings alone is not visible to the public, so `updatedAt` stays.
  const isShown = !isDeepStrictEqual({ ...next, ...chatDefaults }, { ...before, ...chatDefaults })
  const changed = await store.updateTournament(tx, guid, next, now, isShown)
  await usePictures(tx, 'tournament', guid, pictures.uses, now)
  const texts = changedTexts(textNames, before, next)
  await useShown(tx, { subject: 'tournament', subjectGuid: guid }, texts, { room, now })
  const moved = changed.startsAt?.getTime() !== tournament.startsAt?.getTime()
  if (moved) await store.refreshListings(tx, guid)
  const record = await readRecord(tx, changed, counts)
  // Answers about anything may show the tournament, and everybody but its staff gets other ones from now on.
  const isSwitched = next.spoilerMode !== before.spoilerMode
  const event = {
    type: 'tournament.updated',
    subject: guid,
    tournament: guid,
    actor: actor.guid,
    ...settingDifferences(before, next),
    touches: [...(moved ? [playedTag] : []), ...(isSwitched ? [everythingTag] : [])],
  } as const
  if (next.liveScores === before.liveScores && !isSwitched) emit(tx, event)
  // The settings decide who may follow live scores, and who sees results when: all followers are checked again.
  else emit(tx, { ...event, rights: true })
  return record
}

/**
 * Sets on which platforms the tournament wants to be visible. The caller changes its visibility requests. (D52)
 * @param tournament as `lockTournament` returned it
 */
export async function changeVisibilityScope(
  tx: Tx,
  tournament: Tournament,
  visibilityScope: VisibilityScope,
  actorGuid: string,
  now: Date,
): Promise<Tournament> {
  const before = tournament.visibilityScope
  if (visibilityScope === before) return tournament
  const changed = await store.updateTournament(tx, tournament.guid, { visibilityScope }, now)
  emit(tx, {
    type: 'tournament.updated',
    subject: tournament.guid,
    tournament: tournament.guid,
    actor: actorGuid,
    before: { visibilityScope: before },
    after: { visibilityScope },
  })
  return changed
}

const chatDefaults = membersOf(defaults, ['chatWebhookUrl', 'chatWebhooks', 'announcements', 'announcementRoles'])

function checkMayChange(actor: Actor, names: readonly SettingName[]): void {
  if (names.length === 0) throw invalid('tournament.nothing_given', 'Give at least one setting to change.')
  const barred = names.find((name) => !changersOf(name).allows(actor, undefined))
  if (barred !== undefined) {
    throw forbidden('tournament.setting_forbidden', `Only ${changersOf(barred).who} may change "${barred}".`)
  }
}

function picturesOf({ imageUrl, bannerUrl }: Settings): Pick<Settings, 'imageUrl' | 'bannerUrl'> {
  return { imageUrl, bannerUrl }
}

function settingsOf(settings: Settings): Settings {
  return Object.fromEntries(settingColumns.map((name) => [name, settings[name]])) as unknown as Settings
}

/**
 * The view shows only that a webhook is configured, so that two different webhooks look the same. The change is logged
 * all the same.
 */
function settingDifferences(before: Settings, after: Settings) {
  const [earlier, later] = [settingsView(before), settingsView(after)]
  const hidden = (['chatWebhookUrl', 'chatWebhooks'] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]) && isDeepStrictEqual(earlier[name], later[name]),
  )
  const changes = differences(earlier, later)
  return {
    before: { ...changes.before, ...membersOf(earlier, hidden) },
    after: { ...changes.after, ...membersOf(later, hidden) },
  }
}
