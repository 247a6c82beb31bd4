import type { AvailabilitySheet, StaffGroup } from '../../../../client/generated.ts'
import type { Status } from './sheets.ts'

/** Who is asked by a sheet, and what each has answered. */

export interface Answer {
  readonly status: Status
  /** Of a match, where the sheet asks for matches. */
  readonly match: string | null
  readonly start: number
  readonly end: number
  readonly reason: string | null
}

export interface Asked {
  readonly key: string
  readonly guid: string
  readonly name: string
  /** null for teams. */
  readonly role: AvailabilitySheet['roles'][number] | null
  /** Since when; null without an answer. For staff it is not told. */
  readonly answeredAt: string | null
  readonly hasAnswered: boolean
  readonly answers: readonly Answer[]
}

/** Those who have not answered come first. */
export function askedBy(sheet: AvailabilitySheet, staff: readonly StaffGroup[]): readonly Asked[] {
  const all = sheet.audience === 'teams' ? teamsOf(sheet) : staffOf(sheet, staff)
  return all.toSorted(
    (one, other) =>
      Number(one.hasAnswered) - Number(other.hasAnswered) ||
      one.name.localeCompare(other.name, undefined, { numeric: true }),
  )
}

const timeOf = (at: string | null) => (at === null ? 0 : Date.parse(at))

function teamsOf({ eligibleTeams, teamResponses, teamSubmissions }: AvailabilitySheet): readonly Asked[] {
  const sent = new Map(teamSubmissions.map(({ teamGuid, submittedAt }) => [teamGuid, submittedAt]))
  const given = Map.groupBy(teamResponses, ({ teamGuid }) => teamGuid)
  return eligibleTeams.map(({ guid, name }) => ({
    key: guid,
    guid,
    name,
    role: null,
    answeredAt: sent.get(guid) ?? null,
    hasAnswered: sent.has(guid),
    answers: (given.get(guid) ?? []).map(({ status, startsAt, endsAt }) => ({
      status,
      match: null,
      start: Date.parse(startsAt),
      end: Date.parse(endsAt),
      reason: null,
    })),
  }))
}

function staffOf({ roles, responses }: AvailabilitySheet, staff: readonly StaffGroup[]): readonly Asked[] {
  const keyOf = (guid: string, role: string) => `${guid} ${role}`
  const given = Map.groupBy(responses, ({ userGuid, role }) => keyOf(userGuid, role))
  return staff.flatMap(({ role, users }) => {
    if (role === 'organiser' || (roles.length > 0 && !roles.includes(role))) return []
    return users.map(({ guid, preferredName }): Asked => {
      const own = given.get(keyOf(guid, role)) ?? []
      return {
        key: keyOf(guid, role),
        guid,
        name: preferredName,
        role,
        answeredAt: null,
        hasAnswered: own.length > 0,
        answers: own.map(({ status, matchGuid, startsAt, endsAt, otherReason }) => ({
          status,
          match: matchGuid,
          start: timeOf(startsAt),
          end: timeOf(endsAt),
          reason: otherReason,
        })),
      }
    })
  })
}

export interface Span {
  readonly status: Status
  readonly start: number
  readonly end: number
}

/** Neighbouring answers of one status as one. */
export function spansOf(answers: readonly Answer[]): readonly Span[] {
  const spans: { status: Status; start: number; end: number }[] = []
  for (const { status, start, end } of answers.toSorted((one, other) => one.start - other.start)) {
    const last = spans.at(-1)
    if (last !== undefined && last.status === status && last.end === start) last.end = end
    else spans.push({ status, start, end })
  }
  return spans
}

const hourMs = 3_600_000

/** Hours of a status, or matches where the sheet asks for these. */
export function sumOf(answers: readonly Answer[], status: Status): number {
  const own = answers.filter((answer) => answer.status === status)
  if (own.some(({ match }) => match !== null)) return own.length
  return own.reduce((sum, { start, end }) => sum + (end - start) / hourMs, 0)
}
