import { normaliseGuid } from '../../../../core/ids.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { TournamentRole } from '../../../../core/roles.ts'
import { formatInstant, readInstant } from '../../../../core/time.ts'
import {
  type AvailabilityStatus,
  merge,
  type PlacedAnswer,
  placeOf,
  quarter,
  type Run,
  type Span,
} from '../../../../engine/availability.ts'
import type { ResponseInput, TeamResponseInput } from '../bodies.ts'
import type { MatchAnswer, Sheet } from '../types.ts'
import { slotsToAnswer } from './sheet.ts'

type Answers = { readonly runs: readonly Run[]; readonly matches: readonly MatchAnswer[] }

/**
 * Reads answers. Depending on the sheet's mode, each answer is for a match of the sheet or for a span within its
 * windows that starts and ends at a quarter of an hour. Its status must be one that the sheet accepts. Later answers
 * overwrite earlier ones. (rest-interface: AvailabilityResponseInput)
 * @throws Problem `availability.response_invalid`, `availability.unaligned`, `availability.outside`,
 *   `availability.status_not_accepted`
 */
export function readResponses(
  sheet: Sheet,
  matchGuids: ReadonlySet<string>,
  inputs: readonly ResponseInput[],
): Answers {
  if (sheet.mode === 'matches') {
    const matches = new Map(inputs.map((input, index) => readMatch(sheet, matchGuids, input, index)))
    return { runs: [], matches: [...matches.values()] }
  }
  const slots = slotsToAnswer(sheet)
  const placed = inputs.map((input, index) => {
    if (input.matchGuid != null) throw fault(index, 'must not have matchGuid, for the sheet asks for times')
    const { otherReason: reason } = input
    return place(sheet, slots, index, input, reason ? { reason } : {})
  })
  return { runs: merge(slots, placed), matches: [] }
}

/**
 * Reads a captain's answers: whole slots of the sheet, each with a status that the sheet accepts. Later answers
 * overwrite earlier ones. (rest-interface: TeamAvailabilityResponseInput)
 * @throws Problem as `readResponses`
 */
export function readTeamResponses(sheet: Sheet, inputs: readonly TeamResponseInput[]): Run[] {
  const slots = slotsToAnswer(sheet)
  return merge(
    slots,
    inputs.map((input, index) => place(sheet, slots, index, input)),
  )
}

function readMatch(
  sheet: Sheet,
  matchGuids: ReadonlySet<string>,
  { status, otherReason, matchGuid, startsAt, endsAt }: ResponseInput,
  index: number,
): readonly [string, MatchAnswer] {
  if (readTime(index, 'startsAt', startsAt) !== null || readTime(index, 'endsAt', endsAt) !== null) {
    throw fault(index, 'must not have startsAt and endsAt, for the sheet asks for matches')
  }
  if (matchGuid == null) throw fault(index, 'must have matchGuid, for the sheet asks for matches')
  checkStatus(sheet, index, status)
  const guid = normaliseGuid(matchGuid)
  if (!matchGuids.has(guid)) throw outside(index, 'is for a match that is not on the sheet')
  return [guid, { matchGuid: guid, status, ...(otherReason ? { reason: otherReason } : {}) }]
}

function place(
  sheet: Sheet,
  slots: readonly Span[],
  index: number,
  { status, ...given }: Pick<ResponseInput, 'status' | 'startsAt' | 'endsAt'>,
  note: { readonly reason?: string } = {},
): PlacedAnswer {
  const start = readTime(index, 'startsAt', given.startsAt)
  const end = readTime(index, 'endsAt', given.endsAt)
  if (start === null || end === null) throw fault(index, 'must have startsAt and endsAt, for the sheet asks for times')
  if (end <= start) throw fault(index, 'must end after it starts')
  checkStatus(sheet, index, status)
  if (start % quarter !== 0 || end % quarter !== 0) {
    throw unaligned(index, 'must start and end at quarters of an hour')
  }
  const found = placeOf(slots, { start, end })
  if (found === 'outside') throw outside(index, 'is not within the windows of the sheet')
  if (found === 'unaligned') throw unaligned(index, `must be made of whole slots of ${sheet.slotMinutes} minutes`)
  return { ...found, answer: { status, ...note } }
}

/** Milliseconds since the epoch, or null if it is not set. (D7) */
function readTime(index: number, member: string, text: string | null | undefined): number | null {
  return readInstant(text, (reason) => fault(index, `has a ${member} that ${reason}`))?.getTime() ?? null
}

function checkStatus({ acceptedStatuses }: Sheet, index: number, status: AvailabilityStatus): void {
  if (acceptedStatuses.includes(status)) return
  throw invalid(
    'availability.status_not_accepted',
    `Answer ${index + 1} has a status that the sheet does not accept; it accepts ${acceptedStatuses.join(', ')}.`,
  )
}

function fault(index: number, reason: string) {
  return invalid('availability.response_invalid', `Answer ${index + 1} ${reason}.`)
}

function unaligned(index: number, reason: string) {
  return invalid('availability.unaligned', `Answer ${index + 1} ${reason}.`)
}

function outside(index: number, reason: string) {
  return invalid('availability.outside', `Answer ${index + 1} ${reason}.`)
}

/**
 * Returns the role in which the user answers. The sheet must ask the user in this role. If there is only one such role,
 * the request need not name it. (rest-interface: AvailabilityResponseInput)
 * @param asked the roles in which the sheet asks the user, at least one
 * @throws Problem `availability.role_needed`, `availability.role_invalid`
 */
export function chooseRole(asked: readonly TournamentRole[], given: TournamentRole | null | undefined): TournamentRole {
  const [only, ...others] = asked
  if (given == null) {
    if (only !== undefined && others.length === 0) return only
    throw invalid('availability.role_needed', `Say in "role" for which you answer: ${asked.join(', ')}.`)
  }
  if (!asked.includes(given)) {
    throw invalid('availability.role_invalid', `This sheet asks you as ${asked.join(', ')}, not as ${given}.`)
  }
  return given
}

/**
 * Refuses answers over others that came after those which the caller has read, as from another device. A caller who does
 * not say what they have read replaces whatever is there. (additions: Availability)
 * @param expected null where the caller has read that there are none
 * @throws Problem `availability.stale`, `request.invalid`
 */
export function checkNotStale(submittedAt: Date | null, expected: string | null | undefined): void {
  if (expected === undefined) return
  const instant = readInstant(expected, (reason) =>
    invalid('request.invalid', `The body's member "expectedSubmittedAt" ${reason}.`),
  )
  if (instant?.getTime() === submittedAt?.getTime()) return
  throw conflict('availability.stale', 'These answers were changed meanwhile; read them again before you send yours.', {
    submittedAt: formatInstant(submittedAt),
  })
}

/**
 * The time of new answers: later than that of those that they replace, so that each is known by its time.
 */
export function submissionAfter(before: Date | null, now: Date): Date {
  return before === null ? now : new Date(Math.max(now.getTime(), before.getTime() + 1))
}

/**
 * Refuses answers once the sheet is closed. (rest-interface: AvailabilitySheet)
 * @throws Problem `availability.closed`
 */
export function checkOpen({ closesAt }: Pick<Sheet, 'closesAt'>, now: Date): void {
  if (closesAt === null || now < closesAt) return
  throw conflict('availability.closed', 'This sheet is closed and takes no more answers.')
}
