import { type ModifierRule, scoreLimit } from '../../../../engine/score-limits.ts'
import type { ExpectedPlayer, Finish, Play, ProposalWarning } from '../types.ts'

/** What a proposal is judged by, beside the play and its finishes. */
export interface Judging {
  /** Who plays by the session's line-ups; null without a session. */
  readonly lineup: readonly string[] | null
  /** Of the link; none where it is gone. */
  readonly bannedMods: readonly string[]
  /** With which the map of the pool is to be played; null for a map of no pool. */
  readonly modifiers: readonly string[] | null
  /** Whether the match’s flow lets modifiers raise scores above a map’s maximum; `any` without a flow. (D62) */
  readonly aboveMax: ModifierRule
  /** Nobody else will come. */
  readonly isComplete: boolean
  /** The match is completed, or has a result of the song. */
  readonly isLate: boolean
  /** Found by whoever proposes. */
  readonly given: readonly string[]
  /** Those that the proposal has. */
  readonly before: readonly ProposalWarning[]
}

/** Those that are worked out each time; all others stay once they were found. */
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

/** What an operator should look at before accepting; each of them keeps a proposal from accepting itself. (AS17, AS20) */
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

/** Who was to play and has not finished. */
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

/** Codes by which the score of a player is one of another map. */
const ofAnotherMap: ReadonlySet<string> = new Set(['wrong_map', 'wrong_difficulty'])

/** Whose scores are of another map than the one that was to be played. */
export function playedAnother(warnings: readonly ProposalWarning[]): ReadonlySet<string> {
  return new Set(warnings.flatMap(({ code, user }) => (user !== null && ofAnotherMap.has(code) ? [user] : [])))
}

/** The same song_finished may come by two ways: only another result is a second report. (AS16, AS26) */
export function isSameReport(known: Pick<Finish, ReportMember>, told: Pick<Finish, ReportMember>): boolean {
  return reportMembers.every((name) => known[name] === told[name])
}

const reportMembers = ['score', 'misses', 'badCuts', 'goodCuts', 'completion'] as const
type ReportMember = (typeof reportMembers)[number]
