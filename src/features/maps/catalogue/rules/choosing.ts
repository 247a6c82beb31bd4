import type { Song } from '../../../../infra/clients/catalogue-songs.ts'
import { type Choice, difficulties, type Wish } from '../types.ts'
import { isSame, standard } from './identities.ts'

/** Which of a song's difficulties is meant. (pools: Adding and importing) */

export type Chosen =
  | { readonly outcome: 'chosen'; readonly choice: Choice }
  /** Several could be meant. */
  | { readonly outcome: 'missing'; readonly choices: readonly Choice[] }
  /** The song has none such. */
  | { readonly outcome: 'unknown'; readonly choices: readonly Choice[] }

/** All of a song's difficulties, in the catalogue's order and spelling. */
export function choicesOf({ difficulties: all }: Song): Choice[] {
  return all.map(({ difficulty, characteristic }) => ({ difficulty, characteristic }))
}

/**
 * A difficulty that is named is looked for in the characteristic that is named, without case, or in `Standard`. Where
 * none is named it is the only one that the song has, or that the characteristic has. (pools: Adding and importing)
 *
 * Of a song without `Standard` a difficulty is meant that one characteristic alone has.
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

/** The highest difficulty of `Standard`, else of the first characteristic; null where the song has none. (pools: Adding and importing) */
export function chooseHighest(song: Song, characteristic: string | null = null): Choice | null {
  const choices = choicesOf(song)
  const name = characteristic ?? standard
  const usual = choices.filter((choice) => isSame(choice.characteristic, name))
  const first = characteristic === null ? choices[0]?.characteristic : undefined
  const from = usual.length > 0 ? usual : choices.filter((choice) => choice.characteristic === first)
  return from.toSorted((a, b) => difficulties.indexOf(b.difficulty) - difficulties.indexOf(a.difficulty))[0] ?? null
}
