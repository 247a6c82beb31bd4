import type { AvailabilityStatus, Span } from '../availability.ts'

/**
 * The types of the scheduler. Times are milliseconds since the Unix epoch, ends are exclusive, as in `availability.ts`.
 * The caller may use any text as the id of a team, official, match or role.
 */

/** The answers that allow a match, from best to worst. */
export const willing = ['available', 'maybe', 'would_rather_not'] as const
export type Willing = (typeof willing)[number]

/** An answer for a span of whole quarters of an hour. Where spans overlap, the worst answer holds. */
export interface Answered extends Span {
  readonly status: AvailabilityStatus
}

export interface SchedulingMatch {
  readonly id: string
  readonly number: number
  /** null for a team that is not known yet; it has no availability to consider. */
  readonly teams: readonly [string | null, string | null]
  /**
   * The ids of the matches that must end, with the rest after them, before this one starts. An id outside the problem
   * makes this match impossible: omit matches that are over or already scheduled, and set `notBefore`.
   */
  readonly after: readonly string[]
  /** The earliest start and the latest end; no rest is added. null: only the rules apply. */
  readonly notBefore: number | null
  readonly notAfter: number | null
  /**
   * The ids of the people already in the match: its players, and officials in roles that are not searched for. These
   * ids are shared with `officials`: the same people may be officials of other matches.
   */
  readonly people: readonly string[]
}

export interface OfficialRole {
  readonly role: string
  readonly availability: readonly Answered[]
  /**
   * Answers for single matches, by match id. Such an answer fills times without an answer, and never improves an
   * answered time.
   */
  readonly matches: ReadonlyMap<string, AvailabilityStatus>
}

export interface Official {
  readonly id: string
  readonly roles: readonly OfficialRole[]
}

/** The times taken by matches outside the problem, by id of the team or person and by name of the stream. */
export interface Busy {
  /** The times of the matches alone; the rules add the rest before and after. */
  readonly teams: ReadonlyMap<string, readonly Span[]>
  /** The times of officials and of other people in matches. */
  readonly officials: ReadonlyMap<string, readonly Span[]>
  readonly streams: ReadonlyMap<string, readonly Span[]>
}

export interface SchedulingRules {
  /** The length of a match in minutes, at least 1. */
  readonly minutesPerMatch: number
  /** The minimum rest between two matches of a team. */
  readonly minRestMinutes: number
  /** Stream names. Each stream carries one match at a time; earlier names are preferred. */
  readonly streams: readonly string[]
  readonly officialsPerMatch: Readonly<Record<string, number>>
  /** No match starts before `earliest` or ends after `latest`. */
  readonly earliest: number
  readonly latest: number
}

export interface SchedulingProblem {
  readonly matches: readonly SchedulingMatch[]
  /** A team without an entry, or without an answer for a time, is not available. */
  readonly teams: ReadonlyMap<string, readonly Answered[]>
  /** Each person is listed once. */
  readonly officials: readonly Official[]
  readonly busy: Busy
  readonly rules: SchedulingRules
  /** The names of teams and roles in sentences; the id itself where none is given. */
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
  /** The answers of the two teams; null for a team not known yet. */
  readonly teams: readonly [Willing | null, Willing | null]
  /** Sorted by role, then id. */
  readonly officials: readonly Assigned[]
  /** The reason for this place, in sentences. */
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
 * The reason why a match has no place. `window_too_short`: no match fits into the window; `match_before`: a feeder has
 * no place; `order`: matches before and after it leave no time; `team_without_time`: a team gave no time long enough;
 * `no_common_time`: the teams have no time in common; `team_busy`: the teams play elsewhere then; `people`: people in
 * it are elsewhere; `streams`: no stream is free; `officials`: too few officials are free; `taken`: other matches of
 * the proposal take what it needs, each a part of it.
 */
export type Obstacle = (typeof obstacles)[number]

export interface Unplaced {
  readonly match: string
  readonly code: Obstacle
  /** A sentence for people that says what is missing. */
  readonly reason: string
}

/**
 * The load of a team or official in the proposal: its matches, and how many of them at times answered with `maybe` or
 * `would_rather_not`.
 */
export interface Burden {
  readonly id: string
  readonly matches: number
  readonly maybe: number
  readonly wouldRatherNot: number
}

export interface Schedule {
  /** Sorted by start, then match number. */
  readonly placements: readonly Placement[]
  /** Sorted by match number. */
  readonly unplaced: readonly Unplaced[]
  /** All teams and officials of the problem, each list by id. */
  readonly teams: readonly Burden[]
  readonly officials: readonly Burden[]
}
