import type { Match } from '../../../../client/generated.ts'

/** Where an evening runs late: when matches began against when they were to begin, one by one and in groups. (R4) */

const minuteMs = 60_000

/** A match counts as late from so many minutes on, as in the findings of a tournament. */
export const lateMinutes = 15

export interface Played {
  readonly match: Match
  readonly startedAt: string
  /** By how many minutes it began after its time, or before it where negative; null without a time. */
  readonly late: number | null
  /** How many minutes it took; null while it is played. */
  readonly took: number | null
}

/** The matches that have begun, in the order in which they did. */
export function playedOf(matches: readonly Match[]): readonly Played[] {
  return matches
    .flatMap((match): Played[] => {
      const { startedAt, scheduledAt, completedAt } = match
      if (startedAt === null) return []
      return [
        {
          match,
          startedAt,
          late: scheduledAt === null ? null : minutesBetween(scheduledAt, startedAt),
          took: completedAt === null ? null : minutesBetween(startedAt, completedAt),
        },
      ]
    })
    .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt))
}

export const isLate = ({ late }: Pick<Played, 'late'>): boolean => late !== null && late >= lateMinutes

/** The match that began the longest after its time; the first of them where there are several. */
export const latestOf = (played: readonly Played[]): Played | undefined =>
  played
    .filter(({ late }) => late !== null)
    .reduce<Played | undefined>(
      (most, each) => (most === undefined || (each.late ?? 0) > (most.late ?? 0) ? each : most),
      undefined,
    )

export interface Group {
  readonly name: string
  /** How many matches there are, also those that are still to be played. */
  readonly count: number
  readonly played: readonly Played[]
  /** The first time that was planned, and the first that a match began at. */
  readonly planned: string | null
  readonly began: string | null
  readonly latest: Played | undefined
  /** Half of its matches took no longer, in minutes. */
  readonly usual: number | null
  /** When the last of them ended; null while one is to be played. */
  readonly ended: string | null
}

const takesTime = ({ sides, status, startedAt }: Match): boolean =>
  status !== 'cancelled' && !(status === 'completed' && startedAt === null) && !sides.some(({ bye }) => bye)

/**
 * Groups matches by a name, in the order in which the groups began; those that have not begun come last. Walkovers are in
 * none, since they take no time.
 */
export function groupsOf(matches: readonly Match[], nameOf: (match: Match) => string): readonly Group[] {
  return [...Map.groupBy(matches.filter(takesTime), nameOf)]
    .map(([name, own]): Group => {
      const played = playedOf(own)
      const planned = own.flatMap(({ scheduledAt }) => scheduledAt ?? []).toSorted()
      const ended = played.flatMap(({ match }) => match.completedAt ?? []).toSorted()
      return {
        name,
        count: own.length,
        played,
        planned: planned[0] ?? null,
        began: played[0]?.startedAt ?? null,
        latest: latestOf(played),
        usual: middleOf(played.flatMap(({ took }) => took ?? [])),
        ended: ended.length < own.length ? null : (ended.at(-1) ?? null),
      }
    })
    .toSorted((one, other) => orderOf(one).localeCompare(orderOf(other)))
}

const never = '9'
const orderOf = ({ began, planned }: Group): string => began ?? `${never}${planned ?? never}`

function middleOf(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length / 2) - 1] ?? null
}

const stepMs = 5 * minuteMs

/** Times are planned in steps of five minutes. */
const steppedOf = (at: string): string => new Date(Math.ceil(Date.parse(at) / stepMs) * stepMs).toISOString()

/** The times of the matches as they were played, by their GUIDs, where these are not the planned ones. */
export function playedTimes(played: readonly Played[]): ReadonlyMap<string, string> {
  return new Map(
    played.flatMap(({ match, startedAt }) => {
      const at = steppedOf(startedAt)
      return match.scheduledAt !== null && Date.parse(match.scheduledAt) === Date.parse(at) ? [] : [[match.guid, at]]
    }),
  )
}

export interface Evening {
  /** When the first and the last match were to begin; null where none has a time. */
  readonly planned: { readonly from: string; readonly to: string } | null
  /** When the first and the last match began, and when the last one was over, as far as it was played. */
  readonly played: { readonly from: string; readonly to: string; readonly over: string | null } | null
  /** How many matches were planned for the same time, at most. */
  readonly atOnce: number
  /** How many teams are in it. */
  readonly teams: number
}

/** How long the evening was to take, and how long it took; byes, walkovers and cancelled matches are no part of it. */
export function eveningOf(matches: readonly Match[]): Evening {
  const real = matches.filter(takesTime)
  const times = real.flatMap(({ scheduledAt }) => scheduledAt ?? []).toSorted()
  const began = real.flatMap(({ startedAt }) => startedAt ?? []).toSorted()
  const over = real.flatMap(({ completedAt }) => completedAt ?? []).toSorted()
  const spanOf = ([first, ...others]: readonly string[]) =>
    first === undefined ? null : { from: first, to: others.at(-1) ?? first }
  const played = spanOf(began)
  return {
    planned: spanOf(times),
    played: played && { ...played, over: over.at(-1) ?? null },
    atOnce: Math.max(0, ...[...Map.groupBy(times, (at) => at).values()].map(({ length }) => length)),
    teams: new Set(real.flatMap(({ sides }) => sides.flatMap(({ team }) => team?.guid ?? []))).size,
  }
}

/** Whole minutes between two instants. */
export const minutesBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / minuteMs)
