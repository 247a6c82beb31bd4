import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { forbidden, invalid } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { readPictures, usePictures } from '../../../../infra/media/references.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { lockAccountForKeyShare } from '../../../people/users/commands/users.ts'
import type { User, UserFacts } from '../../../people/users/types.ts'
import { changeCounts } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { mayCreateTeamFor } from '../policy.ts'
import { readPronunciation, readTeamDetails, type TeamInput } from '../rules/details.ts'
import { checkNameFree } from '../rules/names.ts'
import {
  checkDeletable,
  checkEntriesOpen,
  checkHasNoTeam,
  checkNotOver,
  checkRosterUnlocked,
  defaultTeamId,
  defaultTeamName,
  loggedMembers,
  readTeamId,
  readTeamName,
} from '../rules/teams.ts'
import { findNamesake, listTakenNames } from '../store/name-keys.ts'
import {
  deleteTeam as deleteRow,
  findTeamOfUser,
  insertTeam,
  listTakenIds,
  updateTeam as updateRow,
} from '../store/teams.ts'
import type { Team, TeamMember } from '../types.ts'
import { loadUser, lock, lockManagedTeam, unknownTeam } from './lock.ts'

export interface TeamEntry {
  /** Any identifier of a user. */
  readonly captainId: string
  readonly teamName?: string
  readonly teamId?: string
  /** How the name is spoken. */
  readonly pronunciation?: string
}

/** The result of a change, from which the answer is made. */
export interface Changed {
  readonly tournament: Tournament
  readonly team: Team
  /** The team's members, and the facts about them and the captain, if the change has read them. */
  readonly members?: readonly TeamMember[]
  readonly users?: ReadonlyMap<string, UserFacts>
}

/**
 * Creates a team with its captain as a member. It is not registered yet. (D30)
 * @throws Problem `user.unknown`, `team.not_for_others`, `team.invalid`, `team.entries_closed`, `user.has_team`,
 *   `team.name_taken`, `team.id_taken`
 */
export async function createTeam(tx: Tx, actor: SignedIn, tournamentGuid: string, entry: TeamEntry): Promise<Changed> {
  const captain = await loadUser(tx, actor, entry.captainId)
  const { byOrganiser, tournament } = await lock(tx, actor, tournamentGuid)
  if (!mayCreateTeamFor(actor, captain.guid)) {
    throw forbidden('team.not_for_others', 'You can create a team for yourself alone.')
  }
  const name = entry.teamName === undefined ? undefined : readTeamName(entry.teamName)
  const id = entry.teamId === undefined ? undefined : readTeamId(entry.teamId)
  checkEntriesOpen(tournament, byOrganiser)
  const [current] = await Promise.all([
    findTeamOfUser(tx, tournamentGuid, captain.guid),
    lockAccountForKeyShare(tx, captain.guid),
  ])
  checkHasNoTeam(current)
  if (name !== undefined) checkNameFree(name, await findNamesake(tx, { tournamentGuid, name }))
  const team = await insertTeam(tx, {
    tournamentGuid,
    captainGuid: captain.guid,
    name: name ?? (await freeName(tx, tournamentGuid, captain)),
    id: id ?? (await freeId(tx, tournamentGuid, captain)),
    pronunciation: readPronunciation(entry.pronunciation ?? null),
  })
  await changeCounts(tx, tournamentGuid, { teams: 1, players: 1 })
  emit(tx, {
    type: 'team.created',
    subject: team.guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: loggedMembers({ id: team.id, name: team.name, captainGuid: team.captainGuid }),
    touches: [team.captainGuid],
  })
  return { tournament, team }
}

function freeName(tx: Tx, tournamentGuid: string, { preferredName }: User): Promise<string> {
  return firstFree(
    (attempt) => defaultTeamName(preferredName, attempt),
    (names) => listTakenNames(tx, tournamentGuid, names),
  )
}

function freeId(tx: Tx, tournamentGuid: string, { guid, chatPlatformId }: User): Promise<string> {
  return firstFree(
    (attempt) => defaultTeamId(chatPlatformId || guid.replaceAll('-', ''), attempt),
    (ids) => listTakenIds(tx, tournamentGuid, ids),
  )
}

const triedAtOnce = 32

/** Returns the first of the numbered texts that no other team uses. */
async function firstFree(
  textOf: (attempt: number) => string,
  listTaken: (texts: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<string> {
  for (let first = 1; ; first += triedAtOnce) {
    const texts = Array.from({ length: triedAtOnce }, (_, index) => textOf(first + index))
    const taken = await listTaken(texts)
    const free = texts.find((text) => !taken.has(text))
    if (free !== undefined) return free
  }
}

export interface TeamUpdate extends TeamInput {
  /** Any identifier of a member. */
  readonly captain?: string
}

/**
 * Changes the given members of the team. If none differs from the current state, nothing is saved.
 * @throws Problem `team.nothing_to_change`, `team.invalid`, `team.captain_not_member`, `tournament.over`,
 *   `team.roster_locked`, `media.reference_invalid`, `team.name_taken`, `team.id_taken`
 */
export async function updateTeam(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  teamGuid: string,
  update: TeamUpdate,
  { mediaUrl, now }: { readonly mediaUrl: string; readonly now: Date },
): Promise<Changed> {
  const details = readTeamDetails(update)
  const captain = update.captain === undefined ? undefined : await loadUser(tx, actor, update.captain)
  const given: Partial<Team> = { ...details, ...(captain === undefined ? {} : { captainGuid: captain.guid }) }
  if (Object.keys(given).length === 0) {
    throw invalid(
      'team.nothing_to_change',
      'Give at least one of name, id, pronunciation, imageUrl, color and captain.',
    )
  }
  const { byOrganiser, tournament, team, members } = await lockManagedTeam(tx, actor, tournamentGuid, teamGuid)
  checkNotOver(tournament, byOrganiser)
  checkRosterUnlocked(team, tournament, byOrganiser, now)
  if (captain !== undefined && !isAmong(members, captain.guid)) {
    throw invalid('team.captain_not_member', 'The captain must be a member of the team.')
  }
  const room = { owners: [actor.guid], teamGuid }
  const pictures = await readPictures(tx, 'team', { mediaUrl, given, current: team, room })
  const wanted = pictures.addresses
  const changed = changedMembers(team, wanted)
  if (changed.length === 0) return { tournament, team }
  if (captain !== undefined) await lockAccountForKeyShare(tx, captain.guid)
  const { name } = wanted
  if (name !== undefined && name !== team.name) {
    checkNameFree(name, await findNamesake(tx, { tournamentGuid, name, but: teamGuid }))
  }
  const after = await updateRow(tx, teamGuid, wanted, now)
  await usePictures(tx, 'team', teamGuid, pictures.uses, now)
  emit(tx, {
    type: 'team.updated',
    subject: teamGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: loggedMembers(membersOf(team, changed)),
    after: loggedMembers(membersOf(after, changed)),
  })
  return { tournament, team: after }
}

function isAmong(members: readonly TeamMember[], userGuid: string): boolean {
  return members.some((member) => member.userGuid === userGuid)
}

function changedMembers(team: Team, wanted: Partial<Team>): (keyof Team)[] {
  return (Object.keys(wanted) as (keyof Team)[]).filter((name) => wanted[name] !== team[name])
}

/**
 * Deletes the team permanently, with its members, invitations, answers and registration.
 * @param teamGuid as the caller gave it
 * @throws Problem `team.unknown`, `role.missing`, `team.deletion_closed`
 */
export async function deleteTeam(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  teamGuid: string,
  now: Date,
): Promise<void> {
  if (!isGuid(teamGuid)) throw unknownTeam()
  const locked = await lockManagedTeam(tx, actor, tournamentGuid, normaliseGuid(teamGuid))
  const { byOrganiser, tournament, team, members } = locked
  checkDeletable(tournament, byOrganiser)
  await deleteRow(tx, team.guid)
  await endUsages(tx, [team.guid], now)
  await changeCounts(tx, tournamentGuid, { ...registrationOf(team), teams: -1, players: -members.length })
  emit(tx, {
    type: 'team.deleted',
    subject: team.guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: loggedMembers({
      id: team.id,
      name: team.name,
      status: team.status,
      captainGuid: team.captainGuid,
      memberGuids: members.map((member) => member.userGuid),
    }),
  })
}

/** The change of the tournament's totals when the team is no longer registered. */
export function registrationOf({ status }: Pick<Team, 'status'>) {
  return { registered: status === 'unregistered' ? 0 : -1, qualified: status === 'qualified' ? -1 : 0 }
}
