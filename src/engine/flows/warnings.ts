import { createHash } from 'node:crypto'
import { scoreLimit } from '../score-limits.ts'
import { activePenalties, type Game, isAbout, isOfRun, type Machine, teamOf } from './machine.ts'
import type { Score } from './map-winner.ts'

/** Warnings for referees. (match-flows: Clocks, line-ups, scores, rule 6) */

export const warningCodes = [
  'score_above_max',
  'banned_mod',
  'paused',
  'wrong_map',
  'second_report',
  'accuracy_mismatch',
  'modifier_mismatch',
  'not_in_lineup',
  'referee_plays',
  'turn_after_correction',
] as const
export type WarningCode = (typeof warningCodes)[number]

export interface Warning {
  readonly guid: string
  readonly code: WarningCode
  /** Whether the warning keeps the map from becoming final. */
  readonly isBlocking: boolean
  readonly game: number | null
  readonly run: number | null
  readonly chain: number | null
  readonly seat: number | null
  readonly user: string | null
  /** GUID of the score, or null. */
  readonly score: string | null
  /** Position of the row in the log that the warning is about, or null. */
  readonly position: number | null
  readonly isDismissed: boolean
}

/** A GUID that depends only on the parts, so that it is the same each time the state is computed. */
export function guidOf(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join(':')).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const furthestAccuracy = 0.005

function codesOf(machine: Machine, game: Game, score: Score): readonly (readonly [WarningCode, boolean])[] {
  const { rules } = machine.flow
  const entry = game.map === null ? undefined : machine.maps.get(game.map)?.entry
  const maxScore = entry?.map.maxScore ?? null
  const codes: (readonly [WarningCode, boolean])[] = []
  if (score.why === 'technical') return codes
  if (score.why === 'wrong_map') return [['wrong_map', true]]
  if (score.why === 'not_in_lineup') return [['not_in_lineup', false]]
  if (score.why === 'second_report') return [['second_report', true]]
  const highest = scoreLimit(maxScore, rules.modifiers ?? 'any')
  if (highest !== null && score.score > highest) codes.push(['score_above_max', true])
  if (score.mods.some((mod) => machine.start.bannedMods.includes(mod))) codes.push(['banned_mod', true])
  if (rules.pauseLimitSeconds !== null && (score.pausedSeconds ?? 0) > rules.pauseLimitSeconds)
    codes.push(['paused', true])
  if (maxScore !== null && maxScore > 0 && score.accuracy !== null && score.completion === 'passed') {
    if (Math.abs(score.accuracy - score.score / maxScore) > furthestAccuracy) codes.push(['accuracy_mismatch', false])
  }
  if (entry !== undefined && !isSameSet(score.mods, entry.modifiers) && score.source !== 'manual') {
    codes.push(['modifier_mismatch', false])
  }
  return codes
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one), new Set(other)]
  return first.size === second.size && [...first].every((name) => second.has(name))
}

export function warningsOfGame(machine: Machine, game: Game): readonly Warning[] {
  return game.chains.flatMap(({ runs }) =>
    runs.flatMap((run) =>
      run.scores.flatMap((score) =>
        codesOf(machine, game, score).map(([code, isBlocking]): Warning => {
          const guid = guidOf(machine.session, code, score.guid)
          return {
            guid,
            code,
            isBlocking,
            position: null,
            score: score.guid,
            game: game.game,
            run: run.run,
            chain: score.chain,
            seat: score.seat,
            user: score.user,
            isDismissed: machine.dismissed.has(guid),
          }
        }),
      ),
    ),
  )
}

/** The warnings that a referee must answer before the map can become final. */
export function blockingWarnings(machine: Machine, game: Game): readonly Warning[] {
  return warningsOfGame(machine, game).filter(
    (warning) => warning.isBlocking && !warning.isDismissed && !isAnswered(machine, game, warning),
  )
}

export function isBlocked(machine: Machine, game: Game): boolean {
  return blockingWarnings(machine, game).length > 0
}

/**
 * Whether a penalty answers the warning. Any penalty answers it that the seat got for this map after the score was
 * reported. A penalty that names a player or a run answers only the warnings for that player or run. A penalty for
 * something else, such as lateness, answers no warning.
 */
function isAnswered(machine: Machine, game: Game, warning: Warning): boolean {
  const reportedAt = machine.reportedAt.get(warning.score ?? '') ?? 0
  return activePenalties(machine).some(
    (penalty) =>
      penalty.seat === warning.seat &&
      (penalty.user === null || penalty.user === warning.user) &&
      penalty.position > reportedAt &&
      isAbout(penalty, game) &&
      isOfRun(penalty, warning),
  )
}

/** All warnings of a session except `turn_after_correction`, which needs a replay of the log. */
export function warningsOf(machine: Machine): readonly Warning[] {
  const ofScores = machine.games.filter(({ isGone }) => !isGone).flatMap((game) => warningsOfGame(machine, game))
  return [...ofScores, ...refereesWhoPlay(machine)]
}

function refereesWhoPlay(machine: Machine): readonly Warning[] {
  const players = new Map(
    machine.start.teams.flatMap(({ seat }) => teamOf(machine, seat).members.map((user) => [user, seat] as const)),
  )
  const referees = new Set(
    machine.rows.flatMap((row) => (row.by !== null && (row.onBehalf || isRuling(row.kind)) ? [row.by] : [])),
  )
  return [...referees].flatMap((user): readonly Warning[] => {
    const seat = players.get(user)
    if (seat === undefined) return []
    const guid = guidOf(machine.session, 'referee_plays', user)
    return [
      {
        guid,
        seat,
        user,
        code: 'referee_plays',
        isBlocking: false,
        game: null,
        run: null,
        score: null,
        chain: null,
        position: null,
        isDismissed: machine.dismissed.has(guid),
      },
    ]
  })
}

const rulings = new Set(['start', 'scores', 'technical', 'penalty', 'penalty_voided', 'score_corrected', 'override'])

function isRuling(kind: string): boolean {
  return rulings.has(kind)
}

/** Warnings for the rows that another seat would have written, had the scores been right from the beginning. */
export function turnsAfterCorrection(machine: Machine, positions: readonly number[]): readonly Warning[] {
  return positions.map((position) => {
    const guid = guidOf(machine.session, 'turn_after_correction', String(position))
    return {
      guid,
      position,
      code: 'turn_after_correction',
      isBlocking: false,
      game: null,
      run: null,
      score: null,
      chain: null,
      seat: null,
      user: null,
      isDismissed: machine.dismissed.has(guid),
    }
  })
}
