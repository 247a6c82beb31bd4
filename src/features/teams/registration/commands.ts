import type { SignedIn } from '../../../core/actor.ts'
import { invalid } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { leaveBrackets } from '../../brackets/brackets/commands/withdrawals.ts'
import { listBracketsOfTeams } from '../../brackets/brackets/store/brackets.ts'
import type { Bracket } from '../../brackets/brackets/types.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { changeCounts } from '../../tournaments/tournaments/store/tournaments.ts'
import {
  type Locked,
  type LockedTeam,
  lock,
  lockManagedTeam,
  lockManagedTeamWith,
  lockTeam,
} from '../teams/commands/lock.ts'
import type { Changed } from '../teams/commands/teams.ts'
import { checkIsBack } from '../teams/rules/withdrawal.ts'
import { replaceAnswers } from '../teams/store/answers.ts'
import { listMembers, setActiveMembers, updateRegistration, updateRegistrations } from '../teams/store/teams.ts'
import type { Team, TeamMember } from '../teams/types.ts'
import type { RegistrationEvent } from './events.ts'
import { standingOf } from './policy.ts'
import { judge } from './queries.ts'
import type { GivenAnswer } from './rules/answers.ts'
import { refusalMessage } from './rules/eligibility.ts'
import type { Findings } from './rules/players.ts'
import {
  activeMembers,
  checkMayWaive,
  checkNotOver,
  checkSeedFree,
  checkUnregistrationOpen,
  disqualify,
  qualify,
  register,
  type Transition,
  unregister,
} from './rules/registration-status.ts'
import { type Seeded, type Seeding, seedTeams } from './rules/seeding.ts'
import { findSeedHolder, insertAppearances, listRegisteredTeams, listRoster } from './store.ts'
import { eligibilityView } from './views.ts'

/** A team and its tournament, by GUID. */
export interface Target {
  readonly tournamentGuid: string
  readonly teamGuid: string
}

export interface Application {
  readonly given: readonly GivenAnswer[]
  /** The ranking platforms' data about the players, read just before the transaction. */
  readonly findings: Findings
  /** Why the requirements are waived for members who have not signed in yet. */
  readonly waiver?: string | undefined
}

/**
 * Registers the team if a place is left and the team meets all conditions that apply to the caller.
 * @throws Problem `waiver.not_allowed`, and `team.withdrawn`, `registration.refused`, both with the eligibility
 */
export async function registerTeam(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { given, findings, waiver }: Application,
  now: Date,
): Promise<Changed> {
  const locked = await lockManagedTeamWith(tx, actor, target.tournamentGuid, target.teamGuid, listRoster)
  const { tournament, counts, team, members } = locked
  const userGuids = members.map((member) => member.userGuid)
  const standing = standingOf(locked.actor)
  checkMayWaive(waiver, standing)
  const facts = { tournament, registered: counts.registered, standing, given, findings, waiver, now }
  const verdict = await judge(tx, { team, userGuids }, facts, members)
  const { eligibility, answers } = verdict
  const data = { eligibility: eligibilityView(eligibility) }
  checkIsBack(team, data)
  if (!eligibility.eligible) {
    throw invalid('registration.refused', refusalMessage(eligibility), data)
  }
  const active = activeMembers(members, tournament.teamSizeActive)
  const [changed, , , users] = await Promise.all([
    apply(tx, locked, 'team.registered', register(now), now, { active, waiver }),
    insertAppearances(tx, tournament.guid, userGuids, now),
    replaceAnswers(tx, team.guid, answers, now),
    // Queued after the appearances, which the users' cards count.
    listUserFacts(tx, [team.captainGuid, ...userGuids]),
  ])
  return { ...changed, users }
}

/**
 * Unregisters the team and removes it from its brackets. Its members stay in the team but leave the active roster.
 * @throws Problem `tournament.over`, `team.not_registered`, `registration.deadline_passed`
 */
export async function unregisterTeam(tx: Tx, actor: SignedIn, target: Target, now: Date): Promise<Changed> {
  const locked = await lockManagedTeam(tx, actor, target.tournamentGuid, target.teamGuid)
  const standing = standingOf(locked.actor)
  checkNotOver(locked.tournament, standing)
  const transition = unregister(locked.team)
  checkUnregistrationOpen(locked.tournament, standing, now)
  await leaveBrackets(tx, actor, locked.tournament, { teamGuid: target.teamGuid, policy: 'walkover' }, now)
  return apply(tx, locked, 'team.unregistered', transition, now, { active: [] })
}

/**
 * Qualifies the team for the main bracket, or changes the seed of a qualified team.
 * @param seed null removes the seed, undefined keeps it
 * @throws Problem `tournament.over`, `team.withdrawn`, `team.not_registered`, `seed.taken`
 */
export async function qualifyTeam(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  seed: number | null | undefined,
  now: Date,
): Promise<Changed> {
  const locked = await lockTeam(tx, actor, target.tournamentGuid, target.teamGuid)
  checkNotOver(locked.tournament, standingOf(locked.actor))
  checkIsBack(locked.team)
  const transition = qualify(locked.team, seed)
  if (seed != null) checkSeedFree(seed, await findSeedHolder(tx, target.tournamentGuid, seed, target.teamGuid))
  return apply(tx, locked, 'team.qualified', transition, now)
}

/**
 * Removes the team from the main bracket and all other brackets. It stays registered.
 * @throws Problem `tournament.over`, `team.not_qualified`
 */
export async function disqualifyTeam(tx: Tx, actor: SignedIn, target: Target, now: Date): Promise<Changed> {
  const locked = await lockTeam(tx, actor, target.tournamentGuid, target.teamGuid)
  checkNotOver(locked.tournament, standingOf(locked.actor))
  const transition = disqualify(locked.team)
  await leaveBrackets(tx, actor, locked.tournament, { teamGuid: target.teamGuid, policy: 'walkover' }, now)
  return apply(tx, locked, 'team.disqualified', transition, now)
}

export interface LockedTeams extends Locked {
  /** All registered teams, including qualified ones. */
  readonly teams: readonly Team[]
}

/**
 * Locks the tournament in order to seed its teams.
 * @throws Problem `tournament.unknown`
 */
export async function lockForSeeding(tx: Tx, actor: SignedIn, tournamentGuid: string): Promise<LockedTeams> {
  // The connection runs the statements in order, so the teams are read under the lock.
  const [locked, teams] = await Promise.all([lock(tx, actor, tournamentGuid), listRegisteredTeams(tx, tournamentGuid)])
  return { ...locked, teams }
}

/** A team that a seeding changes, with the brackets that the team leaves because of it. */
export interface SeededTeam extends Seeded {
  readonly leaves: readonly Pick<Bracket, 'guid' | 'name'>[]
}

/** Returns what the seeding would change. */
export async function previewSeeding(
  tx: Tx,
  { teams }: Pick<LockedTeams, 'teams'>,
  seeding: Seeding,
  now: Date,
): Promise<SeededTeam[]> {
  const changed = seedTeams(teams, seeding, now)
  const left = await listBracketsOfTeams(tx, disqualifiedBy(changed))
  return changed.map((each) => ({ ...each, leaves: left.filter(({ teamGuid }) => teamGuid === each.after.guid) }))
}

/** Returns the teams that lose their qualification, sorted by GUID. */
function disqualifiedBy(changed: readonly Seeded[]): string[] {
  const out = changed.filter(({ before, after }) => before.status === 'qualified' && after.status === 'registered')
  return out.map(({ after }) => after.guid).sort()
}

/**
 * Qualifies a list of teams with their seeds in one step, and returns what changed. Teams that lose their qualification
 * leave their brackets, as in `disqualifyTeam`. (rest-interface: Team registration, 2; additions: Qualifiers)
 * @throws Problem `tournament.over`
 */
export async function qualifyTeams(
  tx: Tx,
  { actor, tournament, teams }: LockedTeams,
  seeding: Seeding,
  now: Date,
): Promise<SeededTeam[]> {
  checkNotOver(tournament, standingOf(actor))
  const changed = await previewSeeding(tx, { teams }, seeding, now)
  if (changed.length === 0) return changed
  for (const teamGuid of disqualifiedBy(changed)) {
    await leaveBrackets(tx, actor, tournament, { teamGuid, policy: 'walkover' }, now)
  }
  const qualified = changed.reduce((sum, { counts }) => sum + (counts.qualified ?? 0), 0)
  const guids = changed.map(({ after }) => after.guid)
  const [members] = await Promise.all([
    listMembers(tx, guids),
    updateRegistrations(
      tx,
      changed.map(({ after }) => after),
    ),
    changeCounts(tx, tournament.guid, { qualified }),
  ])
  for (const { before, after } of changed) {
    emit(tx, {
      type: after.status === 'qualified' ? 'team.qualified' : 'team.disqualified',
      subject: after.guid,
      tournament: tournament.guid,
      actor: actor.guid,
      before: { status: before.status, seed: before.seed },
      after: { status: after.status, seed: after.seed },
      touches: (members.get(after.guid) ?? []).map((member) => member.userGuid),
    })
  }
  return changed
}

/**
 * Saves the transition. The updates are sent together, without waiting for each other, and run in this order: a team that loses
 * its place loses its active members after that, so that both are held together. (V2)
 */
async function apply(
  tx: Tx,
  { actor, tournament, team, members }: LockedTeam,
  type: RegistrationEvent['type'],
  transition: Transition,
  now: Date,
  { active, waiver }: { readonly active?: readonly string[]; readonly waiver?: string | undefined } = {},
): Promise<Changed> {
  const after: Team = { ...team, ...transition.team, updatedAt: now }
  const roster = active === undefined ? members : withActive(members, active)
  const isRosterChanged = roster.some((member, index) => member.isActive !== members[index]?.isActive)
  await Promise.all([
    updateRegistration(tx, after),
    changeCounts(tx, tournament.guid, transition.counts),
    isRosterChanged && active !== undefined ? setActiveMembers(tx, team.guid, active) : undefined,
  ])
  emit(tx, {
    type,
    subject: team.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: { status: team.status, seed: team.seed },
    after: { status: after.status, seed: after.seed, ...(waiver === undefined ? {} : { waiver }) },
    // The members' cards show how many tournaments they played.
    touches: members.map((member) => member.userGuid),
  })
  return { tournament, team: after, members: roster }
}

function withActive(members: readonly TeamMember[], active: readonly string[]): TeamMember[] {
  return members.map((member) => ({ ...member, isActive: active.includes(member.userGuid) }))
}
