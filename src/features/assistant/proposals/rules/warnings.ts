import { type ModifierRule, scoreLimit } from '../../../../engine/score-limits.ts'
import type { ExpectedPlayer, Finish, Play, ProposalWarning } from '../types.ts'

/** The facts for the warnings, besides the play and its results. */
export interface Judging {
  /** GUIDs of the users in the session's line-ups; null without a session. */
  readonly lineup: readonly string[] | null
  /** Banned mods of the link; empty if the link was deleted. */
  readonly bannedMods: readonly string[]
  /** The modifiers that the pool sets for the map; null for a map of no pool. */
  readonly modifiers: readonly string[] | null
  /** Whether the flow of the match lets modifiers raise scores above a map’s maximum; `any` without a flow. (D62) */
  readonly aboveMax: ModifierRule
  /** Whether no further results are awaited. */
  readonly isComplete: boolean
  /** Whether the match is completed, or the song has a result already. */
  readonly isLate: boolean
  /** Codes that the caller has found. */
  readonly given: readonly string[]
  /** The present warnings of the proposal. */
  readonly before: readonly ProposalWarning[]
}

/** Codes that are computed anew each time. All other warnings stay once they are found. */
const workedOut: ReadonlySet<string> = new Set([
  'score_above_max',
  'banned_mod',
  'modifier_mismatch',
  'not_in_lineup',
  'player_missing',
  'failed',
  'quit',
  'late',
  'mapped_by_hand',
  'free_map',
  'unverified',
])

/** The warnings that an operator should look at. A proposal with any of them does not accept itself. (AS17, AS20) */
export function warningsOf(play: Play, finishes: readonly Finish[], judging: Judging): ProposalWarning[] {
  const { modifiers, isLate, given, before } = judging
  const ofSong = [
    ...given,
    ...(play.map.poolMapGuid === null ? ['free_map'] : []),
    ...(modifiers !== null && !isSameSet(modifiers, play.map.modifiers) ? ['modifier_mismatch'] : []),
    ...(isLate ? ['late'] : []),
    ...(play.source === 'game' ? ['unverified'] : []),
  ]
  return unique([
    ...before.filter(({ code }) => !workedOut.has(code)),
    ...ofSong.map((code) => ({ code, user: null })),
    ...finishes.flatMap((finish) => codesOf(play, finish, judging).map((code) => ({ code, user: finish.userGuid }))),
    ...missingPlayers(play, finishes, judging).map(({ userGuid }) => ({ code: 'player_missing', user: userGuid })),
    ...mappedPlayers(play).map(({ userGuid }) => ({ code: 'mapped_by_hand', user: userGuid })),
  ])
}

function codesOf(play: Play, finish: Finish, { lineup, bannedMods, aboveMax }: Judging): readonly string[] {
  const most = scoreLimit(play.map.maxScore ?? finish.maxScore, aboveMax)
  const plays = lineup ?? play.expected.map(({ userGuid }) => userGuid)
  return [
    ...finish.warnings,
    ...(finish.completion === 'passed' ? [] : [finish.completion]),
    ...(most !== null && finish.score > most ? ['score_above_max'] : []),
    ...(finish.mods.some((mod) => bannedMods.includes(mod)) ? ['banned_mod'] : []),
    ...(plays.includes(finish.userGuid) ? [] : ['not_in_lineup']),
  ]
}

function missingPlayers(play: Play, finishes: readonly Finish[], { isComplete }: Judging): readonly ExpectedPlayer[] {
  return isComplete ? absentPlayers(play, finishes) : []
}

/** The expected players without a result. */
export function absentPlayers(
  { expected }: Pick<Play, 'expected'>,
  finishes: readonly Pick<Finish, 'userGuid'>[],
): readonly ExpectedPlayer[] {
  return expected.filter(({ userGuid }) => !finishes.some((finish) => finish.userGuid === userGuid))
}

function mappedPlayers({ expected }: Play): readonly ExpectedPlayer[] {
  return expected.filter(({ mapped }) => mapped)
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one), new Set(other)]
  return first.size === second.size && [...first].every((name) => second.has(name))
}

function unique(warnings: readonly ProposalWarning[]): ProposalWarning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.user}`, warning])).values()]
}

/** Codes that mark a player's score as one of another map. */
const ofAnotherMap: ReadonlySet<string> = new Set(['wrong_map', 'wrong_difficulty'])

/** GUIDs of the players whose scores are of another map. */
export function playedAnother(warnings: readonly ProposalWarning[]): ReadonlySet<string> {
  return new Set(warnings.flatMap(({ code, user }) => (user !== null && ofAnotherMap.has(code) ? [user] : [])))
}

/**
 * Whether two reports are equal. The same report may arrive by connection and by hook; only a different one is a second
 * report. (AS16, AS26)
 */
export function isSameReport(known: Pick<Finish, ReportMember>, reported: Pick<Finish, ReportMember>): boolean {
  return reportMembers.every((name) => known[name] === reported[name])
}

const reportMembers = ['score', 'misses', 'badCuts', 'goodCuts', 'completion'] as const
type ReportMember = (typeof reportMembers)[number]
