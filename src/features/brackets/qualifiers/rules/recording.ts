import { conflict } from '../../../../core/problem.ts'
import { rangeFaultOf } from '../../../../core/time.ts'
import { accuracyLimit, type ModifierRule, scoreLimit } from '../../../../engine/score-limits.ts'
import type { Attempt, AttemptSource, NewAttempt, Play, QualifierMap } from '../types.ts'

/** A reported attempt. */
export interface GivenAttempt extends Omit<Play, 'score'> {
  readonly mapGuid: string
  /** null for an unknown user. */
  readonly userGuid: string | null
  /** null if no score was given. */
  readonly score: number | null
  readonly source: AttemptSource
  readonly externalId: string | null
}

/** A stored attempt with an external id. */
export type KnownAttempt = Pick<
  Attempt,
  'guid' | 'mapGuid' | 'userGuid' | 'teamGuid' | 'source' | 'externalId' | 'completion' | 'voidedAt'
>

/** The stored facts that decide about reported attempts. */
export interface LedgerFacts {
  readonly maps: readonly QualifierMap[]
  /** Attempts of a player on each map; 0 for no limit. */
  readonly limit: number
  readonly modifiers: ModifierRule
  /** The registered or qualified team of each user. */
  readonly teams: ReadonlyMap<string, string>
  /** The number of attempts that are not void, by `usageKey` of user and map. */
  readonly used: ReadonlyMap<string, number>
  readonly known: readonly KnownAttempt[]
}

export interface Rejection {
  /** Index of the attempt in the request. */
  readonly index: number
  readonly reason: RejectionReason
  /** One sentence for users. */
  readonly message: string
}

export const rejectionReasons = {
  'map.unknown': 'The qualifier has no such map.',
  'user.unknown': 'There is no such user.',
  'team.not_registered': 'The player is in no registered team of the tournament.',
  'attempt.score_missing': 'An attempt has a score, unless it is a placeholder.',
  'attempt.out_of_range': 'A value is out of its range.',
  'attempt.score_too_high': 'The score is higher than the map allows.',
  'attempt.placeholder_of_another': 'The placeholder with this external id is another player’s, or on another map.',
  'attempt.limit_reached': 'The player has no attempt left on this map.',
} as const
export type RejectionReason = keyof typeof rejectionReasons

/** The outcome of reported attempts, and the stored placeholders that they replace. */
export interface Recording {
  readonly accepted: readonly NewAttempt[]
  readonly supersededGuids: readonly string[]
  /** Indexes of attempts that the ledger has already. */
  readonly duplicates: readonly number[]
  readonly rejected: readonly Rejection[]
}

export function usageKey(attempt: { readonly userGuid: string; readonly mapGuid: string }): string {
  return `${attempt.userGuid}:${attempt.mapGuid}`
}

/** The void reason of a placeholder whose attempt has arrived. */
export const supersededReason = 'The attempt itself came in.'

/**
 * Decides on attempts in the given order. Every attempt that is not void uses up one of the limit, whatever its end. An
 * attempt replaces the placeholder with the same external id. (additions: Qualifiers; additions: Details, 10)
 */
export function sortOut(given: readonly GivenAttempt[], facts: LedgerFacts, now: Date): Recording {
  const ledger = new Ledger(facts, now)
  for (const [index, attempt] of given.entries()) ledger.take(attempt, index)
  return ledger
}

/** The attempt with an external id: the placeholder until the attempt itself arrives. */
interface Entry {
  readonly known: Omit<KnownAttempt, 'guid' | 'source' | 'externalId'>
  /** Makes a placeholder void. */
  readonly supersede: () => void
}

class Ledger implements Recording {
  readonly accepted: NewAttempt[] = []
  readonly supersededGuids: string[] = []
  readonly duplicates: number[] = []
  readonly rejected: Rejection[] = []
  readonly #facts: LedgerFacts
  readonly #now: Date
  readonly #maps: ReadonlyMap<string, QualifierMap>
  readonly #used: Map<string, number>
  readonly #entries = new Map<string, Entry>()

  constructor(facts: LedgerFacts, now: Date) {
    this.#facts = facts
    this.#now = now
    this.#maps = new Map(facts.maps.map((map) => [map.guid, map]))
    this.#used = new Map(facts.used)
    for (const known of facts.known) this.#enter(known, () => this.supersededGuids.push(known.guid))
  }

  take(attempt: GivenAttempt, index: number): void {
    const before = this.#entries.get(externalKey(attempt))
    if (before !== undefined && !takesPlaceOf(attempt, before)) {
      this.duplicates.push(index)
      return
    }
    const fault = this.#faultOf(attempt, before)
    if (fault !== null) {
      const message = fault === 'attempt.out_of_range' ? (outOfRange(attempt) ?? '') : rejectionReasons[fault]
      this.rejected.push({ index, reason: fault, message })
      return
    }
    if (before !== undefined && isCounted(before)) before.supersede()
    this.#accept(attempt, before)
  }

  #faultOf(attempt: GivenAttempt, placeholder: Entry | undefined): RejectionReason | null {
    const { mapGuid, userGuid, score, completion } = attempt
    const map = this.#maps.get(mapGuid)
    if (map === undefined) return 'map.unknown'
    if (userGuid === null) return 'user.unknown'
    if (placeholder !== undefined) {
      const { known } = placeholder
      if (known.userGuid !== userGuid || known.mapGuid !== mapGuid) return 'attempt.placeholder_of_another'
    } else if (!this.#facts.teams.has(userGuid)) return 'team.not_registered'
    if (score === null && completion !== 'placeholder') return 'attempt.score_missing'
    if (outOfRange(attempt) !== null) return 'attempt.out_of_range'
    if (isTooHigh(attempt, map, this.#facts.modifiers)) return 'attempt.score_too_high'
    const used = (this.#used.get(usageKey({ userGuid, mapGuid })) ?? 0) - (isCounted(placeholder) ? 1 : 0)
    return this.#facts.limit > 0 && used >= this.#facts.limit ? 'attempt.limit_reached' : null
  }

  #accept({ userGuid, ...given }: GivenAttempt, placeholder: Entry | undefined): void {
    if (userGuid === null) return
    const teamGuid = placeholder === undefined ? (this.#facts.teams.get(userGuid) ?? null) : placeholder.known.teamGuid
    const attempt = { ...given, userGuid, teamGuid, score: given.score ?? 0, voidedAt: null, voidReason: null }
    const at = this.accepted.push(attempt) - 1
    if (!isCounted(placeholder)) {
      const key = usageKey(attempt)
      this.#used.set(key, (this.#used.get(key) ?? 0) + 1)
    }
    this.#enter(attempt, () => {
      this.accepted[at] = { ...attempt, voidedAt: this.#now, voidReason: supersededReason }
    })
  }

  /** Remembers an attempt by its external id; an attempt replaces its placeholder. */
  #enter(known: Omit<KnownAttempt, 'guid'>, supersede: () => void): void {
    if (known.externalId === null) return
    const key = externalKey(known)
    const before = this.#entries.get(key)
    if (before === undefined || before.known.completion === 'placeholder') this.#entries.set(key, { known, supersede })
  }
}

/** Twice the highest maximum score that a map may have. (D62) */
export const maxPoints = 2_000_000_000
export const maxCounted = 1_000_000

const ranges = [
  ['score', maxPoints],
  ['accuracy', accuracyLimit('any')],
  ['misses', maxCounted],
  ['badCuts', maxCounted],
  ['maxCombo', maxCounted],
] as const

/**
 * Checks the ranges of a row. A row that is out of range is rejected, and the other rows are still recorded. (D62)
 * @returns one sentence that names the value; null if all values are in range
 */
function outOfRange(attempt: GivenAttempt): string | null {
  for (const [name, most] of ranges) {
    const value = attempt[name]
    if (value !== null && !(value >= 0 && value <= most)) return `"${name}" is ${value}; it must be from 0 to ${most}.`
  }
  const fault = rangeFaultOf(attempt.playedAt)
  return fault === null ? null : `"playedAt" ${fault}.`
}

/** Whether the score is above its limit: twice the map's maximum with modifiers, the maximum without them. (D62) */
function isTooHigh(
  { score, accuracy }: Pick<GivenAttempt, 'score' | 'accuracy'>,
  { maxScore }: Pick<QualifierMap, 'maxScore'>,
  modifiers: ModifierRule,
): boolean {
  const limit = scoreLimit(maxScore, modifiers)
  return (limit !== null && (score ?? 0) > limit) || (accuracy ?? 0) > accuracyLimit(modifiers)
}

function externalKey({ source, externalId }: Pick<KnownAttempt, 'source' | 'externalId'>): string {
  return externalId === null ? '' : `${source}:${externalId}`
}

function takesPlaceOf(attempt: GivenAttempt, { known }: Entry): boolean {
  return known.completion === 'placeholder' && attempt.completion !== 'placeholder'
}

/** A void placeholder no longer uses up an attempt. */
function isCounted(placeholder: Entry | undefined): boolean {
  return placeholder !== undefined && placeholder.known.voidedAt === null
}

/** An attempt can be made void once. (additions: Qualifiers) */
export function checkNotVoid({ voidedAt }: Pick<Attempt, 'voidedAt'>): void {
  if (voidedAt !== null) throw conflict('attempt.void', 'The attempt is void already.')
}
