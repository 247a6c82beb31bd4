import type { NewEvent } from '../../../../core/events.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { renameTeams } from '../../../people/notifications/commands.ts'
import type { Renaming } from '../../../people/notifications/types.ts'
import {
  type CountsChange,
  changeCountsOfMany,
  lockTournaments,
} from '../../../tournaments/tournaments/store/tournaments.ts'
import type { TeamEvent } from '../events.ts'
import {
  type Leaver,
  namelessTeam,
  type Parting,
  partingOf,
  revealsChatId,
  revealsName,
  type TeamOfLeaver,
} from '../rules/leaving.ts'
import { deleteAnswersOf } from '../store/answers.ts'
import * as store from '../store/parting.ts'

/**
 * Locks the tournaments whose teams change when the user deletes their account, and returns their GUIDs. Tournaments
 * are always locked before users, so call this before the user is locked.
 */
export async function lockTeamsOf(tx: Tx, leaver: Leaver): Promise<ReadonlySet<string>> {
  const tournaments = await listTournamentsToLock(tx, leaver)
  if (tournaments.length > 0) await lockTournaments(tx, tournaments)
  return new Set(tournaments)
}

/**
 * Whether the given tournaments still cover all of the leaver's teams. Call it once the leaver is locked: they may have
 * joined another team before that.
 */
export async function areTeamsLocked(tx: Tx, leaver: Leaver, locked: ReadonlySet<string>): Promise<boolean> {
  const tournaments = await listTournamentsToLock(tx, leaver)
  return tournaments.every((guid) => locked.has(guid))
}

async function listTournamentsToLock(tx: Tx, leaver: Leaver): Promise<string[]> {
  const all = await store.listTeamsOfLeaver(tx, leaver)
  return all.filter((each) => isChanging(each, leaver)).map(({ team }) => team.tournamentGuid)
}

function isChanging(each: TeamOfLeaver, leaver: Leaver): boolean {
  return partingOf(each, leaver) !== 'stay' || revealsChatId(each, leaver) || revealsName(each, leaver)
}

/**
 * Removes a leaver from their teams, and removes the leaver's name and IDs from the teams that stay. The teams'
 * tournaments must be locked.
 */
export async function leaveTeams(tx: Tx, leaver: Leaver, now: Date): Promise<void> {
  await store.deleteInvitationsTo(tx, leaver.guid)
  // Answers about a person are deleted, whether private or not.
  await deleteAnswersOf(tx, leaver.guid)
  const changing = (await store.listTeamsOfLeaver(tx, leaver)).filter((each) => isChanging(each, leaver))
  if (changing.length === 0) return
  const parted = changing.map((each) => ({ ...each, parting: partingOf(each, leaver) }))
  // Renames before the members are deleted: the memberships tell whose notifications contain the team's name.
  const touches = await renameTeams(tx, parted.filter((each) => revealsName(each, leaver)).map(renamingOf))
  const guidsOf = (...partings: Parting[]) =>
    parted.filter(({ parting }) => partings.includes(parting)).map(({ team }) => team.guid)
  await store.deleteTeams(tx, guidsOf('dissolve'))
  await endUsages(tx, guidsOf('dissolve'), now)
  await store.deleteMemberships(tx, leaver.guid, guidsOf('leave', 'pass'))
  await store.updateTeams(
    tx,
    parted.filter(({ parting }) => parting !== 'dissolve').map((each) => fateOf(each, leaver)),
    now,
  )
  await changeCountsOfMany(tx, parted.filter(({ parting }) => parting !== 'stay').map(countsOf))
  for (const event of parted.flatMap((each) => eventsOf(each, leaver))) emit(tx, { ...event, touches })
}

type Parted = TeamOfLeaver & { readonly parting: Parting }

function renamingOf({ team: { guid, name } }: Parted): Renaming {
  return { teamGuid: guid, from: name, to: namelessTeam(guid).name }
}

function fateOf(each: Parted, leaver: Leaver): store.TeamFate {
  const { team, parting, successorGuid } = each
  const nameless = namelessTeam(team.guid)
  const renames = revealsName(each, leaver)
  return {
    teamGuid: team.guid,
    captainGuid: parting === 'pass' ? successorGuid : null,
    id: revealsChatId(each, leaver) ? nameless.id : null,
    name: renames ? nameless.name : null,
    longName: renames ? nameless.longName : null,
  }
}

function countsOf({ team: { tournamentGuid }, parting, memberGuids }: Parted): CountsChange {
  if (parting === 'dissolve') return { tournamentGuid, teams: -1, players: -memberGuids.length }
  return { tournamentGuid, teams: 0, players: -1 }
}

function eventsOf(
  { team, parting, isActive, memberGuids, successorGuid }: Parted,
  { guid }: Leaver,
): NewEvent<TeamEvent>[] {
  const common = { subject: team.guid, tournament: team.tournamentGuid, actor: guid }
  const left = { ...common, type: 'team.member_left', before: { userGuid: guid, isActive: isActive === true } } as const
  switch (parting) {
    case 'stay':
      return [{ ...common, type: 'team.updated' }]
    case 'leave':
      return [left]
    case 'pass': {
      if (successorGuid === null) throw new Error('a captaincy passes to nobody')
      const captaincy = { before: { captainGuid: guid }, after: { captainGuid: successorGuid } }
      return [left, { ...common, type: 'team.updated', ...captaincy }]
    }
    case 'dissolve':
      return [{ ...common, type: 'team.deleted', before: { status: team.status, captainGuid: guid, memberGuids } }]
  }
}
