import type { SignedIn } from '../../../../core/actor.ts'
import { conflict } from '../../../../core/problem.ts'
import { formatInstant, parseInstant } from '../../../../core/time.ts'
import type { WithdrawalPolicy } from '../../../../engine/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { changeCounts } from '../../../tournaments/tournaments/store/tournaments.ts'
import { checkWithdrawable } from '../rules/teams.ts'
import { checkNotWithdrawn } from '../rules/withdrawal.ts'
import { setActiveMembers, updateTeam } from '../store/teams.ts'
import { deleteWithdrawal, findWithdrawal, insertWithdrawal } from '../store/withdrawals.ts'
import type { EndedWithdrawal, KeptWithdrawal, LeftBracket, Team, TeamMember, TeamState } from '../types.ts'
import { type LockedTeam, lockManagedTeam, lockTeam } from './lock.ts'
import { type Changed, registrationOf } from './teams.ts'

/** Changes the team itself when it withdraws and when the withdrawal is taken back. The callers change its brackets. */

export interface Target {
  readonly tournamentGuid: string
  readonly teamGuid: string
}

/**
 * Locks a team for its withdrawal.
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
  /** Whether the team's existing results stay or do not count. */
  readonly policy: WithdrawalPolicy
}

/**
 * Withdraws the team from the tournament. As when it is unregistered, it loses its seed and its place, and its members
 * leave the active roster but stay in the team. Its former state is saved, so that it can be restored. (D60)
 */
export async function withdrawTeam(
  tx: Tx,
  locked: LockedTeam,
  { reason, policy }: Withdrawal,
  brackets: readonly LeftBracket[],
  now: Date,
): Promise<Changed> {
  const state = stateOf(locked.team, locked.members)
  return leave(tx, locked, { policy, state, brackets, reason, at: now }, now)
}

interface Leaving extends KeptWithdrawal {
  readonly reason: string
  readonly at: Date
  /** The correction that this withdrawal undoes. */
  readonly correctionGuid?: string
  /** Members who stay active. */
  readonly active?: readonly string[]
}

async function leave(
  tx: Tx,
  { actor, tournament, team }: LockedTeam,
  { policy, state, brackets, reason, at, correctionGuid, active = [] }: Leaving,
  now: Date,
): Promise<Changed> {
  await changeCounts(tx, tournament.guid, registrationOf(team))
  const out = { status: 'unregistered', seed: null, rosterLocked: false, registeredAt: null } as const
  const after = await updateTeam(tx, team.guid, { ...out, withdrawnAt: at, withdrawnReason: reason }, now)
  // After its place, so that both are held together. (V2)
  await setActiveMembers(tx, team.guid, active)
  await insertWithdrawal(tx, team.guid, { policy, state, brackets })
  emit(tx, {
    type: 'team.withdrawn',
    subject: team.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: { status: team.status, seed: team.seed },
    after: {
      status: after.status,
      seed: after.seed,
      reason,
      policy,
      ...(correctionGuid === undefined ? {} : { correctionGuid }),
    },
  })
  return { tournament, team: after }
}

function stateOf({ status, seed, rosterLocked, registeredAt }: Team, members: readonly TeamMember[]): TeamState {
  const activeGuids = members.filter(({ isActive }) => isActive).map(({ userGuid }) => userGuid)
  return { status, seed, rosterLocked, registeredAt: formatInstant(registeredAt), activeGuids }
}

/** A withdrawn team with its former state. */
export interface LockedLeaver extends LockedTeam {
  readonly withdrawal: KeptWithdrawal
}

/**
 * Locks a team to take its withdrawal back.
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

/**
 * Restores the team's former status, seed and roster lock, and its former active members as far as they are still in
 * the team. (D60)
 */
export async function returnTeam(
  tx: Tx,
  { actor, tournament, team, members, withdrawal }: LockedLeaver,
  { correctionGuid, reason }: Returning,
  now: Date,
): Promise<EndedWithdrawal> {
  const { status, seed, rosterLocked, registeredAt, activeGuids } = withdrawal.state
  await changeCounts(tx, tournament.guid, countsOf(withdrawal.state))
  const back = { status, seed, rosterLocked, registeredAt: readInstant(registeredAt) }
  await updateTeam(tx, team.guid, { ...back, withdrawnAt: null, withdrawnReason: null }, now)
  // After its place, so that both are held together. (V2)
  await setActiveMembers(tx, team.guid, activeGuids)
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
 * Locks a team to undo its return.
 * @param check runs first under the lock and throws if the return cannot be undone
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

/** Withdraws the team again, as it was before its return, and saves its former state again. (D60) */
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
