import type { Actor } from '../../../core/actor.ts'
import { formatInstant } from '../../../core/time.ts'
import { movesAt, statusAt } from '../../brackets/qualifiers/rules/status.ts'
import { stateOf } from '../../teams/registration/rules/eligibility.ts'
import { isEligible, rolesToAnswer } from '../availability/policy.ts'
import { readWindow } from '../calendar/rules/windows.ts'
import type { Window } from '../calendar/types.ts'
import type { Deadline, DeadlineKind, OpenSheet, Place } from './types.ts'

const hour = 3_600_000
const defaultDays = 30

export interface Asked {
  readonly window: Window
  /** Whether the period has the present in it, so that matches without a time belong to it. */
  readonly hasNow: boolean
  /** When a period that depends on the clock moves on; null for one that does not. */
  readonly movesAt: Date | null
}

/**
 * Without `from` and `to`, the agenda has the next 30 days. They begin with the present hour, so that what has just
 * begun is still seen, and the answer stays the same for an hour. (D85; additions: Agenda)
 * @throws Problem `calendar.window_invalid`
 */
export function readAsked(asked: { readonly from?: string; readonly to?: string }, now: Date): Asked {
  const present = Math.floor(now.getTime() / hour) * hour
  const from = asked.from ?? formatInstant(new Date(present))
  const start = new Date(from).getTime()
  const to = asked.to ?? formatInstant(new Date((Number.isNaN(start) ? present : start) + defaultDays * 24 * hour))
  const window = readWindow(from, to)
  return {
    window,
    hasNow: window.from <= now && now <= window.to,
    movesAt: asked.from === undefined ? new Date(present + hour) : null,
  }
}

/** Whether the team holds a place in its tournament. */
function hasPlace({ team }: Place): boolean {
  return team !== null && team.status !== 'unregistered'
}

/** A team that may still ask for a place. */
function isUnregistered({ team }: Place): boolean {
  return team !== null && team.status === 'unregistered' && team.withdrawnAt === null
}

function runs({ isOrganiser, roles }: Place): boolean {
  return isOrganiser || roles.includes('role:admin') || roles.includes('role:staff')
}

/**
 * The coming dates of a tournament that matter to what the user is in it: those of registration to a team without a
 * place and to who runs the tournament, those of the qualifier to a team with a place. (additions: Agenda)
 */
export function deadlinesOf(place: Place, { window: { from, to } }: Asked, now: Date): Deadline[] {
  const { tournament, team, qualifier } = place
  const { registrationOpensAt, registrationClosesAt, rosterLocksAt, startsAt } = tournament
  const isCandidate = isUnregistered(place) && tournament.publicRegistration
  const plays = hasPlace(place)
  const status = qualifier === null ? null : statusAt(qualifier, now)
  const isComing = status === 'draft' || status === 'open'
  const dates: readonly (readonly [DeadlineKind, Date | null | undefined, boolean])[] = [
    ['registration_opens', registrationOpensAt, isCandidate || runs(place)],
    ['registration_closes', registrationClosesAt, isCandidate || runs(place)],
    ['roster_locks', rosterLocksAt, team !== null && !team.rosterLocked && team.withdrawnAt === null],
    ['qualifier_opens', qualifier?.opensAt, plays && isComing],
    ['qualifier_closes', qualifier?.closesAt, plays && isComing],
    ['tournament_starts', startsAt, plays || place.isOrganiser || place.roles.length > 0],
  ]
  return dates.flatMap(([kind, at, concerns]) =>
    at && concerns && at > now && at >= from && at <= to ? [{ kind, at, place }] : [],
  )
}

/**
 * Whether it is the time to tell what the team lacks: it has a place in a tournament that is not over, or registration
 * is open, or opens later. (additions: Agenda)
 */
export function isToBeJudged(place: Place, now: Date): boolean {
  const { tournament, registered } = place
  if (tournament.status === 'draft') return false
  if (hasPlace(place)) return true
  const { state } = stateOf({ tournament, registered, now })
  return isUnregistered(place) && (state === 'open' || state === 'not_open_yet')
}

/** Who is asked by the sheet: the user in a role, their team if they are its captain, or neither. */
export function askedBy(sheet: OpenSheet, { roles, team }: Place, actor: Actor): 'user' | 'team' | null {
  if (sheet.audience === 'staff') {
    return rolesToAnswer({ ...actor, roles: new Set(roles) }, sheet).length > 0 ? 'user' : null
  }
  return team !== null && team.captainGuid === actor.guid && isEligible(sheet, team.status) ? 'team' : null
}

/** When the status of the qualifier changes by its dates. */
export function qualifierMovesAt({ qualifier }: Place, now: Date): Date | null {
  return qualifier === null ? null : movesAt(qualifier, now)
}
