import { conflict, forbidden, invalid, missing } from '../../../core/problem.ts'
import { formatInstant, readInstant } from '../../../core/time.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import type { Notice } from '../../people/notifications/types.ts'
import type { AssignmentChanges, AssignmentStatus, ListedAssignment, StreamAssignment, StreamRole } from './types.ts'

export const maxSlots = 6
/** The maximum number of assignments to one match in a request: six players a side, casters and observers. */
export const maxOfMatch = 40
export const maxNoteLength = 500
const maxDays = 7
const maxMs = maxDays * 24 * 3_600_000

type Times = Pick<StreamAssignment, 'startsAt' | 'endsAt'>

/** An assignment is planned, then active from its start to its end, unless it is cancelled. (streaming: Records) */
export function statusOf(
  { startsAt, endsAt, cancelledAt }: Times & Pick<StreamAssignment, 'cancelledAt'>,
  now: Date,
): AssignmentStatus {
  if (cancelledAt !== null) return 'cancelled'
  if (endsAt <= now) return 'ended'
  return startsAt <= now ? 'active' : 'planned'
}

/** Whether two assignments overlap. If one ends when the other starts, they do not. */
export function isOverlapping(one: Times, other: Times): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt
}

/**
 * Parses and checks the times of an assignment.
 * @throws Problem `assignment.times_invalid`
 */
export function readTimes(given: { readonly startsAt: string; readonly endsAt: string }): Times {
  const times = { startsAt: readTime('startsAt', given.startsAt), endsAt: readTime('endsAt', given.endsAt) }
  checkTimes(times)
  return times
}

/** @throws Problem `assignment.times_invalid` */
export function readTime(name: 'startsAt' | 'endsAt', text: string): Date {
  const fault = (reason: string) => invalid('assignment.times_invalid', `\`${name}\` ${reason}.`)
  const read = readInstant(text, fault)
  if (read === null) throw fault('must be set')
  return read
}

/**
 * An assignment ends after it starts and lasts at most seven days. (streaming: Records)
 * @throws Problem `assignment.times_invalid`
 */
export function checkTimes({ startsAt, endsAt }: Times): void {
  const ms = endsAt.getTime() - startsAt.getTime()
  if (ms <= 0) throw invalid('assignment.times_invalid', '`endsAt` must be after `startsAt`.')
  if (ms > maxMs) {
    throw invalid('assignment.times_invalid', `An assignment lasts ${maxDays} days at most.`)
  }
}

/**
 * A new assignment must end in the future. Only an existing one may be given an end that has passed. (S11)
 * @throws Problem `assignment.times_invalid`
 */
export function checkIsToCome({ endsAt }: Times, now: Date): void {
  if (endsAt <= now) throw invalid('assignment.times_invalid', '`endsAt` must be in the future.')
}

/** The facts that decide on which side a user is shown. */
export interface Standing {
  readonly role: StreamRole
  readonly match: Pick<MatchRecord, 'team1Guid' | 'team2Guid' | 'sides'> | null
  /** The user's team in the tournament. */
  readonly teamGuid: string | null
}

/**
 * Returns the side of an assignment. A player of a match is in one of its teams, which determines the side; while a
 * side has no team yet, a player of any team of the tournament is accepted. Players for the whole tournament are in one
 * of its teams. Observers of a match may have a side, casters have none. (S11)
 * @throws Problem `assignment.side_invalid`, `assignment.not_a_player`
 */
export function sideFor({ role, match, teamGuid }: Standing, wanted: 1 | 2 | null | undefined): 1 | 2 | null {
  const side = wanted ?? null
  if (side !== null && (match === null || role === 'caster')) {
    throw invalid('assignment.side_invalid', 'A side is for players and observers of a match alone.')
  }
  if (role !== 'player') return side
  if (teamGuid === null) throw notAPlayer('The user is in no team of the tournament.')
  if (match === null) return null
  const own = teamGuid === match.team1Guid ? 1 : teamGuid === match.team2Guid ? 2 : null
  if (own === null) {
    if (isOpen(match, side)) return side
    throw notAPlayer('The user is in neither team of the match.')
  }
  if (side !== null && side !== own) {
    throw invalid('assignment.side_invalid', `The user plays on side ${own} of the match.`)
  }
  return own
}

/** Whether the team is not known yet, on the requested side or on either side. */
function isOpen({ team1Guid, team2Guid, sides }: NonNullable<Standing['match']>, side: 1 | 2 | null): boolean {
  const open = [team1Guid, team2Guid].map((team, index) => {
    const { bye = false, empty = false } = sides[index] ?? {}
    return team === null && !bye && !empty
  })
  return side === null ? open.includes(true) : open[side - 1] === true
}

function notAPlayer(message: string) {
  return invalid('assignment.not_a_player', message)
}

type Place = Pick<StreamAssignment, 'role' | 'side'> & Times

/**
 * Returns the slot. At any time, only one player has a slot of a side. Without a requested slot, it is the first free
 * one. (streaming: Records)
 * @param others the assignments of the match that are not cancelled
 * @throws Problem `assignment.slot_taken`
 */
export function slotFor(place: Place, others: readonly StreamAssignment[], wanted: number | undefined): number {
  if (place.role !== 'player') return wanted ?? 1
  const taken = new Set(
    others
      .filter(({ role, side }) => role === 'player' && side === place.side)
      .filter((other) => isOverlapping(place, other))
      .map(({ slot }) => slot),
  )
  if (wanted !== undefined) {
    if (taken.has(wanted)) throw conflict('assignment.slot_taken', `Slot ${wanted} of the side is taken at that time.`)
    return wanted
  }
  for (let slot = 1; slot <= maxSlots; slot++) if (!taken.has(slot)) return slot
  throw conflict('assignment.slot_taken', `All ${maxSlots} slots of the side are taken at that time.`)
}

/**
 * A user cannot be assigned to matches at overlapping times, or twice to one match. Assignments for the whole
 * tournament overlap nothing. Of an assignment in another tournament, the error reveals only that it exists. (S11)
 * @param shown the overlapping assignment, if it belongs to the same tournament
 * @throws Problem `assignment.overlap`
 */
export function overlap(other: ListedAssignment, shown: object | undefined) {
  return shown === undefined
    ? conflict('assignment.overlap', 'The user is assigned elsewhere at that time.')
    : conflict('assignment.overlap', `The user is assigned to match ${other.matchNumber} at that time.`, {
        assignment: shown,
      })
}

/**
 * A request for one match may name each user only once per role.
 * @throws Problem `assignment.twice`
 */
export function checkNamedOnce(places: readonly Pick<StreamAssignment, 'userGuid' | 'role'>[]): void {
  const keys = new Set(places.map(({ userGuid, role }) => `${role} ${userGuid}`))
  if (keys.size < places.length) {
    throw invalid('assignment.twice', 'A user is named twice in the same role; name everybody once.')
  }
}

/** The error for a change of a cancelled assignment or the cancellation of an ended one. */
export function over(status: 'cancelled' | 'ended') {
  return conflict('assignment.over', status === 'ended' ? 'The assignment has ended.' : 'The assignment was cancelled.')
}

/** Returns the members that differ from the current assignment. */
export function changedMembers(before: StreamAssignment, changes: AssignmentChanges): AssignmentChanges {
  const isOther = (value: unknown, was: unknown) =>
    value instanceof Date && was instanceof Date ? value.getTime() !== was.getTime() : value !== was
  const entries = Object.entries(changes) as [keyof AssignmentChanges, unknown][]
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== undefined && isOther(value, before[name])),
  ) as AssignmentChanges
}

/** The maximum numbers of assignments for a tournament as a whole and for each match; cancelled ones count too. */
export const maxMade = { tournament: 1_000, match: 200 } as const

/**
 * Limits the number of assignments: each is kept and its user is notified, so creating and cancelling cannot go on
 * without end. (streaming: Records; D8)
 * @param made how many there were, for the match or for the tournament as a whole
 * @throws Problem `assignment.limit_reached`
 */
export function checkRoom(made: number, of: keyof typeof maxMade): void {
  if (made < maxMade[of]) return
  const where = of === 'match' ? 'The match' : 'The tournament as a whole'
  throw conflict(
    'assignment.limit_reached',
    `${where} has had ${maxMade[of]} assignments, as many as there may be; change one of them instead.`,
  )
}

export function roleForbidden(role: StreamRole) {
  return forbidden('assignment.role_forbidden', `Your role does not let you assign ${roleWords[role]}.`)
}

export function unknownAssignment() {
  return missing('assignment.unknown', 'There is no such assignment in this tournament.')
}

/** The change of an assignment about which its user is notified. */
export type Occasion = 'created' | 'moved' | 'cancelled'

/** The notification to a user about a new, changed or cancelled assignment. (streaming: Stream operations) */
export function noticeOf(
  occasion: Occasion,
  { guid, tournamentGuid, matchGuid, matchNumber, role, startsAt, endsAt }: ListedAssignment,
  { name }: { readonly name: string },
): Notice {
  const times = { startsAt: formatInstant(startsAt), endsAt: formatInstant(endsAt) }
  const where = matchNumber === null ? name : `match ${matchNumber} of ${name}`
  const titles: Readonly<Record<Occasion, string>> = {
    created: `You are to stream as ${roleWords[role]} in ${where}`,
    moved: `The times at which you are to stream in ${where} have changed`,
    cancelled: `You are no longer to stream as ${roleWords[role]} in ${where}`,
  }
  return {
    type: `assignment.${occasion}`,
    title: titles[occasion],
    body: occasion === 'cancelled' ? '' : `From ${times.startsAt} until ${times.endsAt}.`,
    data: { tournamentGuid, assignmentGuid: guid, ...(matchGuid === null ? {} : { matchGuid }), ...times },
  }
}

const roleWords: Readonly<Record<StreamRole, string>> = {
  player: 'a player',
  caster: 'a caster',
  observer: 'an observer',
}
