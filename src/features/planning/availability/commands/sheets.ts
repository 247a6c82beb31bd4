import type { SignedIn } from '../../../../core/actor.ts'
import type { EventType } from '../../../../core/events.ts'
import { forbidden } from '../../../../core/problem.ts'
import type { TournamentRole } from '../../../../core/roles.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { useShown } from '../../../../infra/media/texts.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { lockAccountForKeyShare } from '../../../people/users/commands/users.ts'
import { unknownTeam } from '../../../teams/teams/commands/lock.ts'
import { lockTeamForShare } from '../../../teams/teams/store/teams.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { ResponsesInput, SheetInput, TeamResponsesInput } from '../bodies.ts'
import { askedCaptain, askedStaff, mayAnswerFor, mayManageSheet, rolesToAnswer, sheetManagers } from '../policy.ts'
import { unknownSheet } from '../resolve.ts'
import {
  checkNotStale,
  checkOpen,
  chooseRole,
  readResponses,
  readTeamResponses,
  submissionAfter,
} from '../rules/answers.ts'
import { type Dropped, refitAnswers } from '../rules/editing.ts'
import { checkMatches, checkRoomForSheet, inheritGuids, readSheet } from '../rules/sheet.ts'
import * as answersStore from '../store/answers.ts'
import { lockStaffAnswers, lockTeamAnswers } from '../store/locks.ts'
import { listKnownMatches, listSheetMatches, replaceSheetMatches } from '../store/matches.ts'
import * as store from '../store/sheets.ts'
import type { Sheet, SheetMatch, SheetSettings, StaffAnswers, TeamAnswers, Window } from '../types.ts'

/**
 * @throws Problem `role.missing`, `tournament.unknown`, `availability.sheet_invalid`, `availability.match_unknown`,
 *   `availability.limit_reached`
 */
export async function createSheet(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  input: SheetInput,
  now: Date,
): Promise<Sheet> {
  checkMayAsk(actor, input)
  const settings = readSheet(input)
  await lockTournament(tx, tournamentGuid)
  checkRoomForSheet(await store.countSheets(tx, tournamentGuid))
  const { matchGuids, ...details } = settings
  const windows = await withGuids(tx, settings, [])
  checkMatches(matchGuids, await listKnownMatches(tx, tournamentGuid, matchGuids))
  const sheet = await store.insertSheet(tx, { ...details, windows, tournamentGuid, createdByGuid: actor.guid }, now)
  await replaceSheetMatches(tx, sheet.guid, matchGuids)
  await useText(tx, actor, sheet, now)
  emitSheetEvent(tx, actor, sheet, 'availability.sheet_created')
  return sheet
}

/**
 * Replaces a sheet and keeps the answers that still fit it. Returns how many answers were dropped.
 * @throws Problem `sheet.unknown` and the problems of `createSheet` except `availability.limit_reached`
 */
export async function replaceSheet(
  tx: Tx,
  actor: SignedIn,
  addressed: Sheet,
  input: SheetInput,
  now: Date,
): Promise<{ sheet: Sheet; dropped: Dropped }> {
  checkMayAsk(actor, input)
  const settings = readSheet(input)
  const before = await lockManaged(tx, actor, addressed)
  const { matchGuids, ...details } = settings
  checkMatches(matchGuids, await listKnownMatches(tx, before.tournamentGuid, matchGuids))
  const { staff, teams } = await answersStore.listAllAnswers(tx, before.guid)
  const kept = refitAnswers(before, settings, staff, teams)
  await answersStore.shrinkAnswers(tx, before.guid, kept)
  const windows = await withGuids(tx, settings, before.windows)
  const sheet = await store.updateSheet(tx, before.guid, { ...details, windows }, now)
  await replaceSheetMatches(tx, sheet.guid, matchGuids)
  if (sheet.description !== before.description) await useText(tx, actor, sheet, now)
  emitSheetEvent(tx, actor, sheet, 'availability.sheet_updated')
  return { sheet, dropped: kept.dropped }
}

/** @throws Problem `sheet.unknown`, `role.missing`, `tournament.unknown` */
export async function deleteSheet(tx: Tx, actor: SignedIn, addressed: Sheet, now: Date): Promise<void> {
  const sheet = await lockManaged(tx, actor, addressed)
  await store.deleteSheet(tx, sheet.guid)
  await endUsages(tx, [sheet.guid], now)
  emitSheetEvent(tx, actor, sheet, 'availability.sheet_deleted')
}

async function useText(tx: Tx, actor: SignedIn, sheet: Sheet, now: Date): Promise<void> {
  const { guid: subjectGuid, tournamentGuid, description } = sheet
  const room = { owners: [actor.guid], tournamentGuid }
  await useShown(tx, { subject: 'availability_sheet', subjectGuid }, { description }, { room, now })
}

/**
 * Refuses a sheet that asks more than the actor manages. An edited sheet must pass this both before and after the
 * change. (additions: F)
 */
function checkMayAsk(actor: SignedIn, { audience = 'staff', roles = [] }: SheetInput): void {
  if (mayManageSheet(actor, { audience, roles })) return
  throw forbidden('role.missing', 'Your roles let you make sheets for staff alone, and only for roles that you manage.')
}

/** Locks the tournament, then the sheet, and checks again: both may have changed since the request was let in. */
async function lockManaged(tx: Tx, actor: SignedIn, { guid, tournamentGuid }: Sheet): Promise<Sheet> {
  await lockTournament(tx, tournamentGuid)
  const sheet = await store.lockSheet(tx, guid)
  if (sheet === undefined) throw unknownSheet()
  if (!mayManageSheet(actor, sheet)) throw forbidden('role.missing', `Only ${sheetManagers.who} may do this.`)
  return sheet
}

async function withGuids(tx: Tx, { windows }: SheetSettings, before: readonly Window[]): Promise<Window[]> {
  const inherited = inheritGuids(windows, before)
  const fresh = (await newGuids(tx, inherited.filter((guid) => guid === null).length)).values()
  return windows.map((window, index) => ({ ...window, guid: inherited[index] ?? (fresh.next().value as string) }))
}

type SheetEventType = Extract<EventType, `availability.sheet_${string}`>

/** Emits without what the sheet asks, as not everybody who reads the audit list may know it. */
function emitSheetEvent(tx: Tx, actor: SignedIn, { guid, tournamentGuid }: Sheet, type: SheetEventType): void {
  emit(tx, { type, subject: guid, tournament: tournamentGuid, actor: actor.guid })
}

/**
 * Replaces all answers of the actor in this role. Of two concurrent submissions, one wins as a whole.
 * @throws Problem `sheet.unknown`, `team.unknown`, `role.missing`, `user.unknown` for an account that was deleted in
 *   the meantime, and the problems of `chooseRole`, `readResponses`, `checkNotCancelled`, `checkOpen` and `checkNotStale`
 */
export async function respond(
  tx: Tx,
  actor: SignedIn,
  tournament: Pick<Tournament, 'status'>,
  addressed: Sheet,
  input: ResponsesInput,
  now: Date,
): Promise<{ role: TournamentRole; answers: StaffAnswers | null; matches: readonly SheetMatch[] }> {
  const sheet = await share(tx, addressed)
  const asked = rolesToAnswer(actor, sheet)
  if (asked.length === 0) throw forbidden('role.missing', `Only ${askedStaff.who} may do this.`)
  const role = chooseRole(asked, input.role)
  const matches = sheet.mode === 'matches' ? await listSheetMatches(tx, [sheet.guid]) : []
  const given = readResponses(sheet, new Set(matches.map(({ matchGuid }) => matchGuid)), input.responses)
  checkNotCancelled(tournament)
  checkOpen(sheet, now)
  await lockAccountForKeyShare(tx, actor.guid)
  const row = { sheetGuid: sheet.guid, userGuid: actor.guid, role }
  const before = await lockStaffAnswers(tx, row)
  checkNotStale(before, input.expectedSubmittedAt)
  const submittedAt = submissionAfter(before, now)
  const isEmpty = input.responses.length === 0
  if (isEmpty) await answersStore.deleteStaffAnswers(tx, row)
  const answers = isEmpty ? null : await answersStore.replaceStaffAnswers(tx, { ...row, ...given, submittedAt })
  emitAnswered(tx, actor, sheet)
  return { role, answers, matches }
}

/**
 * Replaces all answers of the team.
 * @throws Problem `sheet.unknown`, `role.missing`, `user.unknown` for an account that was deleted in the meantime, and
 *   the problems of `readTeamResponses`, `checkNotCancelled`, `checkOpen` and `checkNotStale`
 */
export async function respondForTeam(
  tx: Tx,
  actor: SignedIn,
  tournament: Pick<Tournament, 'status'>,
  addressed: Sheet,
  teamGuid: string,
  input: TeamResponsesInput,
  now: Date,
): Promise<{ sheet: Sheet; answers: TeamAnswers }> {
  const sheet = await share(tx, addressed)
  await lockAccountForKeyShare(tx, actor.guid)
  // Read last, after all waiting for locks: from here on, the captain and the team's status cannot change.
  const team = await lockTeamForShare(tx, teamGuid)
  if (team === undefined) throw unknownTeam()
  if (!mayAnswerFor(actor, sheet, team)) {
    throw forbidden('role.missing', `Only ${askedCaptain.who} may do this.`)
  }
  const runs = readTeamResponses(sheet, input.responses)
  checkNotCancelled(tournament)
  checkOpen(sheet, now)
  const before = await lockTeamAnswers(tx, sheet.guid, teamGuid)
  checkNotStale(before, input.expectedSubmittedAt)
  const submittedAt = submissionAfter(before, now)
  const answers = { sheetGuid: sheet.guid, teamGuid, runs, updatedByGuid: actor.guid, submittedAt }
  await answersStore.replaceTeamAnswers(tx, answers)
  emitAnswered(tx, actor, sheet)
  return { sheet, answers }
}

/** Reads the current sheet with a share lock, so that nobody can edit it until the answers are saved. */
async function share(tx: Tx, { guid }: Sheet): Promise<Sheet> {
  const sheet = await store.lockSheetForShare(tx, guid)
  if (sheet === undefined) throw unknownSheet()
  return sheet
}

/** Emits without a tournament: not everybody who reads its audit list may know who has answered, or what. */
function emitAnswered(tx: Tx, actor: SignedIn, { guid, tournamentGuid }: Sheet): void {
  emit(tx, { type: 'availability.answered', subject: guid, actor: actor.guid, touches: [tournamentGuid] })
}
