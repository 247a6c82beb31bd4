import type { Song } from '../../../../infra/clients/catalogue-songs.ts'
import { type Choice, difficulties, type Wish } from '../types.ts'
import { isSame, standard } from './identities.ts'

/** Chooses the difficulty of a song. (pools: Adding and importing) */

export type Chosen =
  | { readonly outcome: 'chosen'; readonly choice: Choice }
  /** Several difficulties match. */
  | { readonly outcome: 'missing'; readonly choices: readonly Choice[] }
  /** No difficulty of the song matches. */
  | { readonly outcome: 'unknown'; readonly choices: readonly Choice[] }

/** Returns all difficulties of a song, in the catalogue's order and spelling. */
export function choicesOf({ difficulties: all }: Song): Choice[] {
  return all.map(({ difficulty, characteristic }) => ({ difficulty, characteristic }))
}

/**
 * Looks for the named difficulty in the named characteristic, ignoring case, or in `Standard`. Without a named
 * difficulty, the song or the characteristic must have only one. (pools: Adding and importing)
 *
 * In a song without `Standard`, a difficulty is also found if only one characteristic has it.
 */
export function chooseDifficulty(song: Song, { difficulty, characteristic }: Wish): Chosen {
  const choices = choicesOf(song)
  const matching = choices.filter(
    (choice) =>
      (difficulty === null || choice.difficulty === difficulty) &&
      (characteristic === null || isSame(choice.characteristic, characteristic)),
  )
  const isUsual = (choice: Choice) => isSame(choice.characteristic, standard)
  const isByDefault = difficulty !== null && characteristic === null && choices.some(isUsual)
  const meant = isByDefault ? matching.filter(isUsual) : matching
  const [choice, ...others] = meant
  if (choice === undefined) return { outcome: 'unknown', choices }
  return others.length === 0 ? { outcome: 'chosen', choice } : { outcome: 'missing', choices }
}

/**
 * Returns the highest difficulty of `Standard`, else of the first characteristic; null if the song has none.
 * (pools: Adding and importing)
 */
export function chooseHighest(song: Song, characteristic: string | null = null): Choice | null {
  const choices = choicesOf(song)
  const name = characteristic ?? standard
  const usual = choices.filter((choice) => isSame(choice.characteristic, name))
  const first = characteristic === null ? choices[0]?.characteristic : undefined
  const from = usual.length > 0 ? usual : choices.filter((choice) => choice.characteristic === first)
  return from.toSorted((a, b) => difficulties.indexOf(b.difficulty) - difficulties.indexOf(a.difficulty))[0] ?? null
}
