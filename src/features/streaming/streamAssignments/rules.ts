import { conflict, forbidden, invalid, missing } from '../../../core/problem.ts'
import { formatInstant, readInstant } from '../../../core/time.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import type { Notice } from '../../people/notifications/types.ts'
import type { AssignmentChanges, AssignmentStatus, ListedAssignment, StreamAssignment, StreamRole } from './types.ts'

export const mostSlots = 6
/** Of one match, in one request: six a side, casters and observers. */
export const mostOfMatch = 40
export const longestNote = 500
const longestDays = 7
const longestMs = longestDays * 24 * 3_600_000

type Times = Pick<StreamAssignment, 'startsAt' | 'endsAt'>

/** Planned, then active from its start until its end, unless it was cancelled. (streaming: Records) */
export function statusOf(
  { startsAt, endsAt, cancelledAt }: Times & Pick<StreamAssignment, 'cancelledAt'>,
  now: Date,
): AssignmentStatus {
  if (cancelledAt !== null) return 'cancelled'
  if (endsAt <= now) return 'ended'
  return startsAt <= now ? 'active' : 'planned'
}

/** An end that touches a start is no overlap. */
export function isOverlapping(one: Times, other: Times): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt
}

/**
 * Both times as they are given, which must be times of an assignment.
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
 * An assignment ends after it starts, and lasts seven days at most. (streaming: Records)
 * @throws Problem `assignment.times_invalid`
 */
export function checkTimes({ startsAt, endsAt }: Times): void {
  const ms = endsAt.getTime() - startsAt.getTime()
  if (ms <= 0) throw invalid('assignment.times_invalid', '`endsAt` must be after `startsAt`.')
  if (ms > longestMs) {
    throw invalid('assignment.times_invalid', `An assignment lasts ${longestDays} days at most.`)
  }
}

/**
 * Nobody is assigned to what is over; one that is there may be ended at once. (S11)
 * @throws Problem `assignment.times_invalid`
 */
export function checkIsToCome({ endsAt }: Times, now: Date): void {
  if (endsAt <= now) throw invalid('assignment.times_invalid', '`endsAt` must be in the future.')
}

/** What decides for which side somebody is shown. */
export interface Standing {
  readonly role: StreamRole
  readonly match: Pick<MatchRecord, 'team1Guid' | 'team2Guid' | 'sides'> | null
  /** The team of the tournament that the user is in. */
  readonly teamGuid: string | null
}

/**
 * A player of a match is in one of its teams, which gives the side; while a side is open, whoever is in a team of the
 * tournament may come to play there. Players of the whole tournament are in one of its teams. Observers may stand for a side
 * of a match, casters stand for none. (S11)
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

/** Whether it is not known yet who plays there: on the side that is asked for, or else on one of them. */
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
 * At any time a slot of a side is one player's alone. Where none is asked for, it is the first that is free. (streaming: Records)
 * @param others of the match, that are not cancelled
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
  for (let slot = 1; slot <= mostSlots; slot++) if (!taken.has(slot)) return slot
  throw conflict('assignment.slot_taken', `All ${mostSlots} slots of the side are taken at that time.`)
}

/**
 * Nobody is assigned to matches at overlapping times, or twice to one; what is for the whole tournament overlaps nothing. Of
 * another tournament's assignment no more is told than that there is one. (S11)
 * @param shown the one that overlaps, where it is of the same tournament
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
 * Of one match, nobody is named twice in one role in one step.
 * @throws Problem `assignment.twice`
 */
export function checkNamedOnce(places: readonly Pick<StreamAssignment, 'userGuid' | 'role'>[]): void {
  const keys = new Set(places.map(({ userGuid, role }) => `${role} ${userGuid}`))
  if (keys.size < places.length) {
    throw invalid('assignment.twice', 'A user is named twice in the same role; name everybody once.')
  }
}

/** What is cancelled stays so, and what has ended was not cancelled. */
export function over(status: 'cancelled' | 'ended') {
  return conflict('assignment.over', status === 'ended' ? 'The assignment has ended.' : 'The assignment was cancelled.')
}

/** The members of which a changed assignment has others than before. */
export function changedMembers(before: StreamAssignment, changes: AssignmentChanges): AssignmentChanges {
  const isOther = (value: unknown, was: unknown) =>
    value instanceof Date && was instanceof Date ? value.getTime() !== was.getTime() : value !== was
  const entries = Object.entries(changes) as [keyof AssignmentChanges, unknown][]
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== undefined && isOther(value, before[name])),
  ) as AssignmentChanges
}

/** Of a tournament as a whole, and of each of its matches; what was cancelled is kept, and counts. */
export const mostMade = { tournament: 1_000, match: 200 } as const

/**
 * Each assignment is kept, and its user is told of it: nobody makes and cancels them without end. (streaming: Records; D8)
 * @param made how many there were, of the match where it is of one
 * @throws Problem `assignment.limit_reached`
 */
export function checkRoom(made: number, of: keyof typeof mostMade): void {
  if (made < mostMade[of]) return
  const where = of === 'match' ? 'The match' : 'The tournament as a whole'
  throw conflict(
    'assignment.limit_reached',
    `${where} has had ${mostMade[of]} assignments, as many as there may be; change one of them instead.`,
  )
}

export function roleForbidden(role: StreamRole) {
  return forbidden('assignment.role_forbidden', `Your role does not let you assign ${roleWords[role]}.`)
}

export function unknownAssignment() {
  return missing('assignment.unknown', 'There is no such assignment in this tournament.')
}

/** What has become of an assignment, for its user. */
export type Occasion = 'created' | 'moved' | 'cancelled'

/** Users are told of what they are to stream, and when that changes or is taken back. (streaming: Stream operations) */
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
