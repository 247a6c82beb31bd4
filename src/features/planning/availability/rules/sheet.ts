import { normaliseGuid } from '../../../../core/ids.ts'
import { readName } from '../../../../core/names.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import { readMarkdown } from '../../../../core/text.ts'
import { isTimeZone, readInstant } from '../../../../core/time.ts'
import { availabilityStatuses, quarter, type Span, slotsOf } from '../../../../engine/availability.ts'
import type { SheetInput } from '../bodies.ts'
import type { Sheet, SheetDetails, SheetSettings, Window } from '../types.ts'

const day = 86_400_000
/** The maximum total length of a sheet's windows in days: two long months. */
export const maxDays = 62
/** The maximum number of sheets, so that a tournament's sheets fit into one answer. (D8) */
export const maxSheets = 100

export const maxDescriptionCharacters = 5_000

/** The defaults of a sheet. (rest-interface: AvailabilitySheet) */
export const defaults = { audience: 'staff', teamEligibility: 'both', slotMinutes: 15 } as const

/**
 * Reads a sheet. Its mode decides whether it asks for matches, windows or one span; members of other modes are ignored.
 * Windows start and end at a quarter of an hour, do not overlap, and have room for at least one slot. Teams are asked
 * only for slots and without roles. The title is visible and on one line.
 * (rest-interface: AvailabilitySheetInput; G12; D56)
 * @throws Problem `availability.sheet_invalid`
 */
export function readSheet(input: SheetInput): SheetSettings {
  const { audience = defaults.audience, slotMinutes = defaults.slotMinutes, mode, roles = [] } = input
  const title = readName(input.title)
  if (!title.ok) throw fault('title', title.reason)
  if (!isTimeZone(input.timezone)) throw fault('timezone', 'must be an IANA name such as Europe/Berlin')
  if (audience === 'teams' && mode === 'matches') throw fault('mode', 'must be days or range for teams')
  if (audience === 'teams' && roles.length > 0) throw fault('roles', 'must be empty for teams, which have none')
  const details: SheetDetails = {
    audience,
    teamEligibility: input.teamEligibility ?? defaults.teamEligibility,
    slotMinutes,
    acceptedStatuses: input.acceptedStatuses ?? availabilityStatuses,
    title: title.value,
    description: readMarkdown(input.description ?? '', maxDescriptionCharacters) || null,
    mode,
    roles,
    timezone: input.timezone,
    closesAt: readInstant(input.closesAt, (reason) => fault('closesAt', reason)),
  }
  const windows = readWindows(input)
  const [tooShort] = windows.filter((window) => slotsOf([window], slotLengthOf(details)).length === 0)
  if (tooShort !== undefined) throw fault('slotMinutes', `must not be longer than ${nameOf(tooShort)}`)
  return { ...details, windows, matchGuids: mode === 'matches' ? readMatchGuids(input.matchGuids) : [] }
}

/**
 * The slot length in milliseconds. Staff always answer quarters of an hour; teams answer whole slots of the sheet.
 * (G12)
 */
export function slotLengthOf({ audience, slotMinutes }: Pick<Sheet, 'audience' | 'slotMinutes'>): number {
  return audience === 'teams' ? slotMinutes * 60_000 : quarter
}

/** The slots that can be answered, in order of time. */
export function slotsToAnswer(sheet: Pick<SheetSettings, 'audience' | 'slotMinutes' | 'windows'>): Span[] {
  return slotsOf(sheet.windows, slotLengthOf(sheet))
}

function readMatchGuids(guids: readonly string[] = []): string[] {
  const read = [...new Set(guids.map(normaliseGuid))]
  if (read.length === 0) throw fault('matchGuids', 'must name at least one match in the mode matches')
  if (read.length < guids.length) throw fault('matchGuids', 'must not name a match twice')
  return read
}

function readWindows({ mode, windows, startsAt, endsAt }: SheetInput): Span[] {
  if (mode === 'matches') return []
  if (mode === 'range') return checkTotal([readSpan('', { startsAt, endsAt })])
  if (windows === undefined || windows.length === 0)
    throw fault('windows', 'must hold at least one window in the mode days')
  const spans = windows.map((window, index) => readSpan(`windows[${index}].`, window))
  return checkTotal(spans.sort((a, b) => a.start - b.start))
}

function readSpan(
  prefix: string,
  given: { startsAt?: string | null | undefined; endsAt?: string | null | undefined },
): Span {
  const start = readQuarter(`${prefix}startsAt`, given.startsAt)
  const end = readQuarter(`${prefix}endsAt`, given.endsAt)
  if (end <= start) throw fault(`${prefix}endsAt`, `must be after ${prefix}startsAt`)
  return { start, end }
}

function checkTotal(spans: Span[]): Span[] {
  const overlapping = spans.find(({ start }, index) => start < (spans[index - 1]?.end ?? start))
  if (overlapping !== undefined) throw fault('windows', `must not overlap, as ${nameOf(overlapping)} does with another`)
  const total = spans.reduce((sum, { start, end }) => sum + end - start, 0)
  if (total > maxDays * day) throw invalid(code, `A sheet may ask for at most ${maxDays} days of 24 hours altogether.`)
  return spans
}

function readQuarter(member: string, text: string | null | undefined): number {
  const time = readInstant(text, (reason) => fault(member, reason))?.getTime()
  if (time === undefined) throw fault(member, 'must be set')
  if (time % quarter !== 0) throw fault(member, 'must be at a quarter of an hour')
  return time
}

function nameOf({ start, end }: Span): string {
  return `the window from ${new Date(start).toISOString()} to ${new Date(end).toISOString()}`
}

const code = 'availability.sheet_invalid'

function fault(member: string, reason: string) {
  return invalid(code, `The body's member "${member}" ${reason}.`)
}

/** Returns the GUID of each window that is unchanged, and null for each new one. */
export function inheritGuids(windows: readonly Span[], before: readonly Window[]): (string | null)[] {
  const known = new Map(before.map(({ guid, start, end }) => [`${start} ${end}`, guid]))
  return windows.map(({ start, end }) => known.get(`${start} ${end}`) ?? null)
}

/**
 * A sheet may ask only for matches of its own tournament. (additions: F)
 * @throws Problem `availability.match_unknown`
 */
export function checkMatches(asked: readonly string[], found: ReadonlySet<string>): void {
  const unknown = asked.find((guid) => !found.has(guid))
  if (unknown !== undefined) throw unknownMatch(unknown)
}

export function unknownMatch(which: string) {
  return invalid('availability.match_unknown', `This tournament has no match ${which}.`)
}

/** @throws Problem `availability.limit_reached` (D8) */
export function checkRoomForSheet(count: number): void {
  if (count < maxSheets) return
  throw conflict(
    'availability.limit_reached',
    `A tournament may have at most ${maxSheets} availability sheets; delete one that is no longer needed.`,
  )
}
