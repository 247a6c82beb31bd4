import { randomUUID } from 'node:crypto'
import type { SignedIn } from '../../../core/actor.ts'
import { conflict } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { makePlaceholders } from '../../people/users/commands/placeholders.ts'
import { lockUsersForKeyShare } from '../../people/users/store/users.ts'
import { changeCounts } from '../../tournaments/tournaments/store/tournaments.ts'
import { activeMembers } from '../registration/rules/registration-status.ts'
import { insertAppearances } from '../registration/store.ts'
import { sendInvitations } from '../teams/commands/invitations.ts'
import { type Locked, lock } from '../teams/commands/lock.ts'
import { checkEntriesOpen, loggedMembers } from '../teams/rules/teams.ts'
import { replaceAnswers } from '../teams/store/answers.ts'
import * as many from '../teams/store/many.ts'
import { readExisting } from './queries.ts'
import { planImport } from './rules/plan.ts'
import { resultOf } from './rules/result.ts'
import { insertMentions, putSheetTeams } from './store.ts'
import type { ImportResult, PlannedTeam, ReadSheet } from './types.ts'

interface Around {
  readonly dryRun: boolean
  /** The picture of people who have not signed in. */
  readonly avatarUrl: string
  readonly now: Date
}

/**
 * Enters the teams of a sheet: all rows that can be used, at once. The same sheet again changes nothing.
 * (additions: People who are not here yet)
 * @throws Problem `team.entries_closed`, `team_import.people_changed`
 */
export async function importTeams(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  sheet: ReadSheet,
  around: Around,
): Promise<ImportResult> {
  const locked = await lock(tx, actor, tournamentGuid)
  checkEntriesOpen(locked.tournament, true)
  const planned = planImport(sheet.rows, await readExisting(tx, locked, sheet.rows, around.now))
  const result = resultOf(planned, sheet.faults, around.dryRun)
  const teams = planned.map(({ team }) => team).filter((team) => team !== null)
  if (!around.dryRun) await write(tx, locked, teams, result, around)
  return result
}

async function write(
  tx: Tx,
  locked: Locked,
  teams: readonly PlannedTeam[],
  { totals }: ImportResult,
  { avatarUrl, now }: Around,
): Promise<void> {
  const { actor, tournament } = locked
  const { guid: tournamentGuid } = tournament
  await lockPeople(tx, teams)
  const people = teams.flatMap(({ placeholders }) =>
    placeholders.map(({ guid, name, person }) => ({ ...person, guid, name })),
  )
  await makePlaceholders(tx, people, { tournamentGuid, actorGuid: actor.guid, avatarUrl })
  const made = teams.filter(({ found }) => found === null)
  await many.insertTeams(tx, tournamentGuid, made)
  const changed = teams.filter(isChanged)
  await many.updateTeams(tx, changed, now)
  const members = teams.flatMap((team) => newMembersOf(team, tournament.teamSizeActive))
  await many.insertMembers(tx, tournamentGuid, members)
  const sheetTeams = teams.filter(
    ({ found, externalId, sheetName }) => found?.sheetName !== sheetName || found.externalId !== externalId,
  )
  await putSheetTeams(
    tx,
    tournamentGuid,
    sheetTeams.map(({ guid, externalId, sheetName }) => ({ teamGuid: guid, externalId, sheetName })),
  )
  await insertMentions(
    tx,
    tournamentGuid,
    teams.flatMap(({ guid, mentions }) => mentions.map((mention) => ({ ...mention, teamGuid: guid }))),
  )
  for (const { guid, answers } of teams) await replaceAnswers(tx, guid, answers, now)
  const registered = teams.filter(({ registers }) => registers)
  await registerAll(tx, locked, registered, now)
  await changeCounts(tx, tournamentGuid, {
    teams: made.length,
    players: members.length,
    registered: registered.length,
  })
  emitTeams(tx, locked, { made, changed, members, registered })
  const invitations = teams.flatMap(({ guid, name, invites }) =>
    invites.map((invite) => ({ ...invite, guid: randomUUID(), teamGuid: guid, teamName: name })),
  )
  await sendInvitations(tx, locked, invitations, now)
  if (totals.created + totals.updated === 0) return
  emit(tx, {
    type: 'teams.imported',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: totals,
  })
}

/** Keeps the accounts of the people in the sheet. */
async function lockPeople(tx: Tx, teams: readonly PlannedTeam[]): Promise<void> {
  const guids = teams.flatMap(({ joins, invites }) => [...joins, ...invites.map(({ userGuid }) => userGuid)])
  if (guids.length === 0) return
  if ((await lockUsersForKeyShare(tx, guids)).size === new Set(guids).size) return
  throw conflict('team_import.people_changed', 'Somebody in the sheet has just deleted their account; send it again.')
}

function isChanged({ found, name, seed }: PlannedTeam): boolean {
  return found !== null && (found.name !== name || seed !== null)
}

/** The captain of a new team comes first. Members are active as long as there is room on the active roster. */
function newMembersOf({ guid, found, captainGuid, placeholders, joins }: PlannedTeam, activeSize: number) {
  const there = (found?.members ?? []).filter(({ isActive }) => isActive).length
  const added = [...placeholders.map((each) => each.guid), ...joins]
  const ordered = [...added.filter((each) => each === captainGuid), ...added.filter((each) => each !== captainGuid)]
  return ordered.map((userGuid, index) => ({ teamGuid: guid, userGuid, isActive: there + index < activeSize }))
}

async function registerAll(tx: Tx, { tournament }: Locked, teams: readonly PlannedTeam[], now: Date): Promise<void> {
  const rosters = teams.map((team) => {
    const { teamSizeActive } = tournament
    const members = [...(team.found?.members ?? []), ...newMembersOf(team, teamSizeActive)]
    const joined = members.map(({ userGuid, isActive }) => ({ teamGuid: team.guid, userGuid, isActive, joinedAt: now }))
    return {
      teamGuid: team.guid,
      userGuids: joined.map(({ userGuid }) => userGuid),
      activeGuids: activeMembers(joined, teamSizeActive),
    }
  })
  await many.registerTeams(tx, rosters, now)
  await insertAppearances(
    tx,
    tournament.guid,
    rosters.flatMap(({ userGuids }) => userGuids),
    now,
  )
}

interface Written {
  readonly made: readonly PlannedTeam[]
  readonly changed: readonly PlannedTeam[]
  readonly members: readonly many.MemberToInsert[]
  readonly registered: readonly PlannedTeam[]
}

function emitTeams(tx: Tx, { actor, tournament }: Locked, { made, changed, members, registered }: Written): void {
  const common = { tournament: tournament.guid, actor: actor.guid }
  for (const { guid, id, name, captainGuid, isNamedAfterPerson } of made) {
    // The log outlives people's names. (D35)
    const after = isNamedAfterPerson ? { id, captainGuid } : loggedMembers({ id, name, captainGuid })
    emit(tx, { ...common, type: 'team.created', subject: guid, after })
  }
  for (const { guid, name, found, isNamedAfterPerson } of changed) {
    const isLogged = found !== null && found.name !== name && !isNamedAfterPerson
    const names = isLogged ? { before: loggedMembers({ name: found.name }), after: loggedMembers({ name }) } : {}
    emit(tx, { ...common, type: 'team.updated', subject: guid, ...names })
  }
  const newGuids = new Set(made.map(({ guid }) => guid))
  for (const { teamGuid, userGuid, isActive } of members) {
    if (newGuids.has(teamGuid)) continue
    emit(tx, {
      ...common,
      type: 'team.member_joined',
      subject: teamGuid,
      after: { userGuid, isActive },
      touches: [userGuid],
    })
  }
  for (const { guid, found, seed, waiver, placeholders, joins } of registered) {
    const before = { status: 'unregistered' as const, seed: found?.seed ?? null }
    const after = { status: 'registered' as const, seed: seed ?? found?.seed ?? null }
    emit(tx, {
      ...common,
      type: 'team.registered',
      subject: guid,
      before,
      after: { ...after, ...(waiver === null ? {} : { waiver }) },
      touches: [
        ...(found?.members ?? []).map(({ userGuid }) => userGuid),
        ...placeholders.map((each) => each.guid),
        ...joins,
      ],
    })
  }
}
