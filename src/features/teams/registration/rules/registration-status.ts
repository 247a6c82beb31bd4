import { forbidden, invalid } from '../../../../core/problem.ts'
import type { Counts, Tournament } from '../../../tournaments/tournaments/types.ts'
import type { Team, TeamMember } from '../../teams/types.ts'
import type { Standing } from '../types.ts'
import { isDeadlinePassed } from './eligibility.ts'

/** The state transitions of a team's registration. (rest-interface: Team registration) */

/** The changes that an operation makes to a team and to its tournament's totals. */
export interface Transition {
  readonly team: Partial<Pick<Team, 'status' | 'seed' | 'rosterLocked' | 'registeredAt'>>
  readonly counts: Partial<Counts>
}

/** unregistered → registered; the roster is locked. (rest-interface: Team registration; D45) */
export function register(now: Date): Transition {
  return {
    team: { status: 'registered', rosterLocked: true, registeredAt: now },
    counts: { registered: 1 },
  }
}

/**
 * registered or qualified → unregistered; the roster is unlocked. (rest-interface: Team registration, 2; D45)
 * @throws Problem `team.not_registered`
 */
export function unregister(team: Team): Transition {
  if (team.status === 'unregistered') throw notRegistered(team)
  return {
    team: { status: 'unregistered', seed: null, rosterLocked: false, registeredAt: null },
    counts: { registered: -1, qualified: team.status === 'qualified' ? -1 : 0 },
  }
}

/**
 * registered → qualified, with the seed if one is given; qualified → qualified, with another seed. Null removes the
 * seed, undefined keeps it. (rest-interface: Team registration, 2; D45)
 * @throws Problem `team.not_registered`
 */
export function qualify(team: Team, seed: number | null | undefined): Transition {
  if (team.status === 'unregistered') throw notRegistered(team)
  return {
    team: { status: 'qualified', rosterLocked: true, seed: seed === undefined ? team.seed : seed },
    counts: { qualified: team.status === 'qualified' ? 0 : 1 },
  }
}

/**
 * qualified → registered; the seed is removed and the roster unlocked. (rest-interface: Team registration, 2; D45)
 * @throws Problem `team.not_qualified`
 */
export function disqualify(team: Team): Transition {
  if (team.status !== 'qualified') throw invalid('team.not_qualified', `“${team.name}” is not qualified.`)
  return { team: { status: 'registered', seed: null, rosterLocked: false }, counts: { qualified: -1 } }
}

function notRegistered(team: Team) {
  return invalid('team.not_registered', `“${team.name}” is not registered.`)
}

/**
 * Captains can unregister until the registration deadline, managers at any time. (rest-interface: Team registration, 3)
 * @throws Problem `registration.deadline_passed`
 */
export function checkUnregistrationOpen(tournament: Tournament, standing: Standing, now: Date): void {
  if (standing !== 'captain' || !isDeadlinePassed(tournament, now)) return
  throw forbidden(
    'registration.deadline_passed',
    'The registration deadline has passed; ask the organiser to unregister the team, or withdraw it.',
  )
}

/**
 * Only organisers waive requirements. (additions: People who are not here yet)
 * @throws Problem `waiver.not_allowed`
 */
export function checkMayWaive(waiver: string | undefined, standing: Standing): void {
  if (waiver === undefined || standing !== 'captain') return
  throw forbidden('waiver.not_allowed', 'Only the organiser waives requirements; register the team without `waiver`.')
}

/**
 * Registrations cannot change once the tournament is completed or cancelled. Global managers may still correct those of
 * a completed one. (D25, D46)
 * @throws Problem `tournament.over`
 */
export function checkNotOver({ status }: Tournament, standing: Standing): void {
  const isOver = status === 'cancelled' || (status === 'completed' && standing !== 'global')
  if (!isOver) return
  throw invalid('tournament.over', `The tournament is ${status}; its registrations stay as they are.`)
}

/**
 * No two teams of a tournament may have the same seed.
 * @param holder another team with the seed, if there is one
 * @throws Problem `seed.taken`
 */
export function checkSeedFree(seed: number, holder: Pick<Team, 'name'> | undefined): void {
  if (holder === undefined) return
  throw invalid('seed.taken', `Seed ${seed} belongs to “${holder.name}”; give that team another seed first.`)
}

/**
 * The active roster after registration: the active members, then the substitutes, each in the order in which they
 * joined, at most `size` of them. (additions: Tournament record, `teamSize.active`)
 */
export function activeMembers(members: readonly TeamMember[], size: number): string[] {
  const active = members.filter((member) => member.isActive)
  const substitutes = members.filter((member) => !member.isActive)
  return [...active, ...substitutes].slice(0, size).map((member) => member.userGuid)
}
