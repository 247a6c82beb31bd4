import { invalid } from '../../../core/problem.ts'
import type { Difficulty } from '../catalogue/types.ts'
import type { Question, Range, RangeOf, Ranking, Statistics, Tally } from './types.ts'

/** The texts of a query, folded like the search index. The database folds the case, as it does for the stored texts. */
export interface Folded {
  /** The words of the search, in order; undefined without a search. */
  readonly words: readonly string[] | undefined
  readonly mapper: string | undefined
  readonly flair: string | undefined
}

export interface MapFilter {
  readonly hash?: string | undefined
  readonly key?: string | undefined
  readonly difficulty?: Difficulty | undefined
  readonly characteristic?: string | undefined
  readonly ranking?: Ranking | undefined
  readonly starsMin?: number | undefined
  readonly starsMax?: number | undefined
  readonly npsMin?: number | undefined
  readonly npsMax?: number | undefined
  readonly secondsMin?: number | undefined
  readonly secondsMax?: number | undefined
}

/** GUIDs of the records that a query names. Only records that everybody may see. */
export interface Named {
  readonly tournament?: string | undefined
  readonly pool?: string | undefined
  readonly unused?: string | undefined
}

/**
 * Translates a search for maps into a question. A `ranking` finds only maps with stars on that platform. Ranges of
 * stars mean platform A, unless the ranking is `b`. (pools: Archive)
 * @throws Problem `archive.range_invalid`
 */
export function mapQuestion(filter: MapFilter, named: Named, folded: Folded): Question {
  const stars = filter.ranking === 'b' ? 'starsB' : 'starsA'
  return {
    ...wordsOf(folded.words),
    terms: [
      ...wordsOf(folded.words).terms,
      ...term('h:', filter.hash?.toLowerCase()),
      ...term('k:', filter.key?.toLowerCase()),
      ...term('m:', folded.mapper),
      ...term('d:', filter.difficulty),
      ...term('c:', filter.characteristic?.toLowerCase()),
      ...term('r:', filter.ranking),
      ...term('f:', folded.flair),
      ...term('t:', named.tournament),
      ...term('p:', named.pool),
    ],
    ranges: [
      // Maps without stars are stored with a value below zero.
      ...range(stars, 'stars', filter.starsMin ?? (filter.starsMax === undefined ? undefined : 0), filter.starsMax),
      ...range('nps', 'nps', filter.npsMin, filter.npsMax),
      ...range('durationSeconds', 'seconds', filter.secondsMin, filter.secondsMax),
    ],
    unusedIn: named.unused ?? null,
  }
}

export interface PoolFilter {
  readonly kind?: string | undefined
  readonly status?: string | undefined
  readonly hash?: string | undefined
}

/**
 * Translates a search for pools into a question. (pools: Archive)
 * @throws Problem `archive.range_invalid`
 */
export function poolQuestion(
  filter: PoolFilter,
  window: { readonly from: Date | null; readonly to: Date | null },
  named: Named,
  folded: Folded,
): Question {
  const words = wordsOf(folded.words)
  const { from, to } = window
  if (from !== null && to !== null && from.getTime() > to.getTime()) throw reversed('`from` must not be after `to`.')
  const isBounded = from !== null || to !== null
  return {
    ...words,
    terms: [
      ...words.terms,
      ...term('t:', named.tournament),
      ...term('k:', filter.kind),
      ...term('s:', filter.status),
      ...term('h:', filter.hash?.toLowerCase()),
      ...term('f:', folded.flair),
    ],
    ranges: isBounded ? [{ of: 'publishedAt', min: from?.toISOString() ?? null, max: to?.toISOString() ?? null }] : [],
    unusedIn: null,
  }
}

function term(letter: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${letter}${value}`]
}

/** All words must be found; the last one may be the beginning of a word. (pools: Archive) */
function wordsOf(words: readonly string[] | undefined): Pick<Question, 'terms' | 'beginning'> {
  const last = words?.at(-1)
  if (words === undefined || last === undefined) return { terms: [], beginning: null }
  return { terms: words.slice(0, -1).map((word) => `w:${word}`), beginning: `w:${last}` }
}

function range(of: RangeOf, name: string, min: number | undefined, max: number | undefined): Range[] {
  if (min === undefined && max === undefined) return []
  if (min !== undefined && max !== undefined && min > max) {
    throw reversed(`\`${name}Min\` must not be above \`${name}Max\`.`)
  }
  return [{ of, min: min ?? null, max: max ?? null }]
}

function reversed(message: string) {
  return invalid('archive.range_invalid', message)
}

export const nothingPlayed: Tally = {
  picked: 0,
  banned: 0,
  protected: 0,
  tiebreaker: 0,
  played: 0,
  wonByPicker: 0,
  replays: 0,
  scores: 0,
  accuracies: 0,
  accuracySum: 0,
}

/** Adds up the tallies of several maps, such as the maps of a pool. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const names = Object.keys(nothingPlayed) as (keyof Tally)[]
  const sum = (name: keyof Tally) => tallies.reduce((total, tally) => total + tally[name], 0)
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as unknown as Tally
}

const minAccuracies = 3

/** The mean accuracy is shown from three accuracies on, because fewer would reveal single players. (pools: Archive) */
export function statisticsOf({ accuracies, accuracySum, ...counts }: Tally): Statistics {
  return { ...counts, averageAccuracy: accuracies < minAccuracies ? null : accuracySum / accuracies }
}
