import type { AvailabilityStatus, Span } from '../availability.ts'

/**
 * The words of the scheduler. Times are milliseconds since the Unix epoch, ends exclusive, as in `availability.ts`; teams,
 * officials, matches and roles are known by whatever text the caller knows them by.
 */

/** Answers for a match that may be played, from best to worst. */
export const willing = ['available', 'maybe', 'would_rather_not'] as const
export type Willing = (typeof willing)[number]

/** An answer for a span of whole quarters of an hour. Where spans overlap, the worst answer holds. */
export interface Answered extends Span {
  readonly status: AvailabilityStatus
}

export interface SchedulingMatch {
  readonly id: string
  readonly number: number
  /** null for a team that is not known yet; nothing is asked of it. */
  readonly teams: readonly [string | null, string | null]
  /**
   * Ids of the matches that must end, with the rest after them, before this one starts. One that is not in the problem
   * makes this match impossible: leave out those that are over or have their time already, and say `notBefore`.
   */
  readonly after: readonly string[]
  /** It may not start earlier than this, nor end later than that; no rest is added. null: the rules alone decide. */
  readonly notBefore: number | null
  readonly notAfter: number | null
  /**
   * Ids of the people whom it holds already, whatever its time will be: its players, and officials in roles that are not
   * looked for. The same ids as those of officials; the same people may be officials of other matches.
   */
  readonly people: readonly string[]
}

export interface OfficialRole {
  readonly role: string
  readonly availability: readonly Answered[]
  /** Answers for single matches, by match id: one stands in where no time was answered, and is never made better by it. */
  readonly matches: ReadonlyMap<string, AvailabilityStatus>
}

export interface Official {
  readonly id: string
  readonly roles: readonly OfficialRole[]
}

/** What is taken already by matches outside the problem, by id of the team or person and by name of the stream. */
export interface Busy {
  /** The matches alone: rest before and after them is added by the rules. */
  readonly teams: ReadonlyMap<string, readonly Span[]>
  /** Of officials, and of people whom matches hold. */
  readonly officials: ReadonlyMap<string, readonly Span[]>
  readonly streams: ReadonlyMap<string, readonly Span[]>
}

export interface SchedulingRules {
  /** At least 1. */
  readonly minutesPerMatch: number
  /** Between two matches of a team. */
  readonly minRestMinutes: number
  /** Names, each for one match at a time, the first of them preferred. */
  readonly streams: readonly string[]
  readonly officialsPerMatch: Readonly<Record<string, number>>
  /** No match starts before the one or ends after the other. */
  readonly earliest: number
  readonly latest: number
}

export interface SchedulingProblem {
  readonly matches: readonly SchedulingMatch[]
  /** A team without an entry, or without an answer for a time, is not available. */
  readonly teams: ReadonlyMap<string, readonly Answered[]>
  /** Each person once. */
  readonly officials: readonly Official[]
  readonly busy: Busy
  readonly rules: SchedulingRules
  /** What sentences call teams and roles; by their own text where nothing is given. */
  readonly names: ReadonlyMap<string, string>
}

export interface Assigned {
  readonly id: string
  readonly role: string
  readonly status: Willing
}

export interface Placement {
  readonly match: string
  readonly start: number
  readonly end: number
  readonly stream: string
  /** Answers of the two teams; null for one that is not known. */
  readonly teams: readonly [Willing | null, Willing | null]
  /** In the order of roles, then ids. */
  readonly officials: readonly Assigned[]
  /** Why there, in sentences. */
  readonly reason: string
}

export const obstacles = [
  'window_too_short',
  'match_before',
  'order',
  'team_without_time',
  'no_common_time',
  'team_busy',
  'people',
  'streams',
  'officials',
  'taken',
] as const
/**
 * What keeps a match from being placed: the window holds no match; a match before it has no place; the matches before
 * and after it leave no time; a team gave no time; the teams' times do not meet; they play elsewhere then; people whom it
 * holds are elsewhere; no stream is free; too few officials are free; or other matches of the proposal hold what it needs,
 * each in part.
 */
export type Obstacle = (typeof obstacles)[number]

export interface Unplaced {
  readonly match: string
  readonly code: Obstacle
  /** What is missing, in a sentence. */
  readonly reason: string
}

/** How much of the proposal somebody carries. */
export interface Burden {
  readonly id: string
  readonly matches: number
  readonly maybe: number
  readonly wouldRatherNot: number
}

export interface Schedule {
  /** By start, then number. */
  readonly placements: readonly Placement[]
  /** By number. */
  readonly unplaced: readonly Unplaced[]
  /** Everybody in the problem, by id. */
  readonly teams: readonly Burden[]
  readonly officials: readonly Burden[]
}
