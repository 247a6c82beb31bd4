import type { SignedIn } from '../../../../core/actor.ts'
import { conflict } from '../../../../core/problem.ts'
import { formatInstant, parseInstant } from '../../../../core/time.ts'
import type { WithdrawalPolicy } from '../../../../engine/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { changeCounts } from '../../../tournaments/tournaments/store/tournaments.ts'
import { checkWithdrawable } from '../rules/teams.ts'
import { checkNotWithdrawn } from '../rules/withdrawing.ts'
import { setActiveMembers, updateTeam } from '../store/teams.ts'
import { deleteWithdrawal, findWithdrawal, insertWithdrawal } from '../store/withdrawals.ts'
import type { EndedWithdrawal, KeptWithdrawal, LeftBracket, Team, TeamMember, TeamState } from '../types.ts'
import { type LockedTeam, lockManagedTeam, lockTeam } from './lock.ts'
import { type Changed, registrationOf } from './teams.ts'

/** What becomes of the team itself when it withdraws, and when that is taken back. Its brackets are others' to change. */

export interface Target {
  readonly tournamentGuid: string
  readonly teamGuid: string
}

/**
 * Locks a team that is to withdraw.
 * @throws Problem `tournament.unknown`, `team.unknown`, `role.missing`, `tournament.over`, `team.withdrawn`
 */
export async function lockToWithdraw(tx: Tx, actor: SignedIn, target: Target): Promise<LockedTeam> {
  const locked = await lockManagedTeam(tx, actor, target.tournamentGuid, target.teamGuid)
  checkWithdrawable(locked.tournament)
  checkNotWithdrawn(locked.team)
  return locked
}

export interface Withdrawal {
  readonly reason: string
  /** What becomes of results that the team has already: they stay, or do not count. */
  readonly policy: WithdrawalPolicy
}

/**
 * Takes the team out of the tournament: it is unregistered, its seed and its place are free, and its members leave the
 * active roster but stay its members, as when a team is unregistered. What it had is kept, to be given back. (D60)
 */
export async function withdrawTeam(
  tx: Tx,
  locked: LockedTeam,
  { reason, policy }: Withdrawal,
  brackets: readonly LeftBracket[],
  now: Date,
): Promise<Changed> {
  const state = stateOf(locked.team, locked.members)
  return leave(tx, locked, { ...{ policy, state, brackets, reason }, at: now }, now)
}

interface Leaving extends KeptWithdrawal {
  readonly reason: string
  readonly at: Date
  /** The correction that is undone by it. */
  readonly correctionGuid?: string
  /** Members who stay on the field. */
  readonly active?: readonly string[]
}

async function leave(
  tx: Tx,
  { actor, tournament, team }: LockedTeam,
  { policy, state, brackets, reason, at, correctionGuid, active = [] }: Leaving,
  now: Date,
): Promise<Changed> {
  await setActiveMembers(tx, team.guid, active)
  await changeCounts(tx, tournament.guid, registrationOf(team))
  const out = { status: 'unregistered', seed: null, rosterLocked: false, registeredAt: null } as const
  const after = await updateTeam(tx, team.guid, { ...out, withdrawnAt: at, withdrawnReason: reason }, now)
  await insertWithdrawal(tx, team.guid, { policy, state, brackets })
  emit(tx, {
    type: 'team.withdrawn',
    subject: team.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: { status: team.status, seed: team.seed },
    after: {
      ...{ status: after.status, seed: after.seed, reason, policy },
      ...(correctionGuid === undefined ? {} : { correctionGuid }),
    },
  })
  return { tournament, team: after }
}

function stateOf({ status, seed, rosterLocked, registeredAt }: Team, members: readonly TeamMember[]): TeamState {
  const activeGuids = members.filter(({ isActive }) => isActive).map(({ userGuid }) => userGuid)
  return { status, seed, rosterLocked, registeredAt: formatInstant(registeredAt), activeGuids }
}

/** A team that has withdrawn, with what it had. */
export interface LockedLeaver extends LockedTeam {
  readonly withdrawal: KeptWithdrawal
}

/**
 * Locks a team whose withdrawal is to be taken back.
 * @throws Problem `tournament.unknown`, `team.unknown`, `tournament.over`, `team.not_withdrawn`
 */
export async function lockToReturn(tx: Tx, actor: SignedIn, target: Target): Promise<LockedLeaver> {
  const locked = await lockTeam(tx, actor, target.tournamentGuid, target.teamGuid)
  checkWithdrawable(locked.tournament)
  const withdrawal = await findWithdrawal(tx, target.teamGuid)
  if (locked.team.withdrawnAt === null || withdrawal === undefined) {
    throw conflict('team.not_withdrawn', `“${locked.team.name}” has not withdrawn.`)
  }
  return { ...locked, withdrawal }
}

interface Returning {
  readonly correctionGuid: string
  readonly reason: string | null
}

/** Gives the team back what it had: status, seed, roster lock, and those of its active members who are still with it. (D60) */
export async function returnTeam(
  tx: Tx,
  { actor, tournament, team, members, withdrawal }: LockedLeaver,
  { correctionGuid, reason }: Returning,
  now: Date,
): Promise<EndedWithdrawal> {
  const { status, seed, rosterLocked, registeredAt, activeGuids } = withdrawal.state
  await setActiveMembers(tx, team.guid, activeGuids)
  await changeCounts(tx, tournament.guid, countsOf(withdrawal.state))
  const back = { status, seed, rosterLocked, registeredAt: readInstant(registeredAt) }
  await updateTeam(tx, team.guid, { ...back, withdrawnAt: null, withdrawnReason: null }, now)
  await deleteWithdrawal(tx, team.guid)
  emit(tx, {
    type: 'team.returned',
    subject: team.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: { status: team.status, seed: team.seed },
    after: { status, seed, correctionGuid, ...(reason === null ? {} : { reason }) },
  })
  return {
    ...withdrawal,
    reason: team.withdrawnReason ?? '',
    at: formatInstant(team.withdrawnAt ?? now),
    active: stateOf(team, members).activeGuids,
  }
}

function countsOf({ status }: Pick<Team, 'status'>) {
  return { registered: status === 'unregistered' ? 0 : 1, qualified: status === 'qualified' ? 1 : 0 }
}

/**
 * Locks a team whose return is to be undone.
 * @param check what is to hold before anything else, as it is under the lock
 * @throws Problem `tournament.unknown`, `team.unknown`, `tournament.over`, `correction.overtaken`
 */
export async function lockToLeaveAgain(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { state }: EndedWithdrawal,
  check: () => Promise<void>,
): Promise<LockedTeam> {
  const locked = await lockTeam(tx, actor, target.tournamentGuid, target.teamGuid)
  await check()
  checkWithdrawable(locked.tournament)
  const { withdrawnAt, status, seed } = locked.team
  if (withdrawnAt !== null || status !== state.status || seed !== state.seed) {
    throw conflict('correction.overtaken', `“${locked.team.name}” was changed since: withdraw it anew instead.`)
  }
  return locked
}

/** The team is out again, as it was before its return, and what it had is kept anew. (D60) */
export async function leaveAgain(
  tx: Tx,
  locked: LockedTeam,
  { at, ...ended }: EndedWithdrawal,
  correctionGuid: string,
  now: Date,
): Promise<Changed> {
  return leave(tx, locked, { ...ended, correctionGuid, at: readInstant(at) ?? now }, now)
}

function readInstant(text: string | null): Date | null {
  if (text === null) return null
  const instant = parseInstant(text)
  return instant.ok ? instant.value : null
}
