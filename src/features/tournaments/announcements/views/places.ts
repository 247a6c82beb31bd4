import type { Format, Section } from '../../../../engine/types.ts'
import { escaped } from '../rules/text.ts'
import type { Words } from './words.ts'

/** The place of a match in its bracket. */
export interface Place {
  /** null if the tournament has one division. */
  readonly division: string | null
  readonly bracket: string
  readonly format: Format
  readonly section: Section
  readonly round: number
  /** The last round of the section. */
  readonly lastRound: number
  readonly groupIndex: number | null
}

/**
 * The place in words, in Markdown: “Playoffs · upper semi-finals”.
 * @param from a place that was named before: what is the same is not named again
 */
export function placeText(place: Place, say: Words, from?: Place): string {
  const { division, bracket, groupIndex } = place
  const isSame = from?.division === division && from.bracket === bracket
  return [
    ...(isSame || division === null ? [] : [escaped(division)]),
    ...(isSame ? [] : [escaped(bracket)]),
    ...(groupIndex === null ? [] : [say('group', { group: groupName(groupIndex) })]),
    say('round', roundWords(place)),
  ].join(' · ')
}

/** What the name of a round depends on; the languages choose the words. */
function roundWords({ format, section, round, lastRound }: Place) {
  const side = format === 'double_elimination' || section === 'lower' ? section : 'single'
  const left = lastRound - round
  switch (section) {
    case 'upper': {
      const name = ['final', 'semi', 'quarter'][left] ?? 'last'
      return { name, side, n: name === 'last' ? 2 ** (left + 1) : round }
    }
    case 'lower':
      return { name: left === 0 ? 'final' : 'round', side, n: round }
    case 'final':
      return { name: round === 1 ? 'grand' : 'reset', side, n: round }
    case 'third_place':
      return { name: 'third', side, n: round }
    case 'group':
    case 'swiss':
      return { name: 'round', side: 'single', n: round }
  }
}

/** A to Z, then AA and so on. */
function groupName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : groupName(Math.floor(index / 26) - 1) + letter
}
