import { shortIdFault } from '../../../../core/ids.ts'
import { readName } from '../../../../core/names.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'

export const maxNameCharacters = 100
/** One answer holds all divisions. (D8) */
export const maxDivisions = 50
export const maxOrder = 1_000

/**
 * Divisions and brackets can be created and changed until the tournament is completed or cancelled. (D25)
 * @throws Problem `tournament.over`
 */
export function checkStructureOpen({ status }: Pick<Tournament, 'status'>): void {
  if (status !== 'completed' && status !== 'cancelled') return
  throw conflict('tournament.over', `The tournament is ${status}; its divisions and brackets stay as they are.`)
}

/**
 * A tournament has at most as many divisions as one answer holds. (D8)
 * @throws Problem `division.too_many`
 */
export function checkRoom(divisions: number): void {
  if (divisions < maxDivisions) return
  throw conflict('division.too_many', `A tournament can have at most ${maxDivisions} divisions.`)
}

/**
 * A division with a played match cannot be deleted. (additions: Divisions, brackets, matches)
 * @throws Problem `division.played`
 */
export function checkUnplayed(brackets: readonly { readonly started: number }[]): void {
  if (brackets.every(({ started }) => started === 0)) return
  throw conflict('division.played', 'Matches of the division were played, so that it cannot be deleted.')
}

/**
 * Checks the form of a short id, and returns it in lower case. (D6)
 * @throws Problem `division.invalid`
 */
export function readId(text: string): string {
  const fault = shortIdFault(text)
  if (fault !== null) throw invalid('division.invalid', `The id of a division ${fault}.`)
  return text.toLowerCase()
}

/**
 * The name of a division is visible and has one line. (D56)
 * @throws Problem `division.invalid`
 */
export function readDivisionName(text: string): string {
  const name = readName(text)
  if (!name.ok) throw invalid('division.invalid', `The name of a division ${name.reason}.`)
  return name.value
}

/**
 * The default id of a division: the short id made from its name if that is possible and not taken, otherwise the first
 * free letter. (additions: Divisions, brackets, matches)
 */
export function defaultId(name: string, taken: ReadonlySet<string>): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-|-$/g, '')
  if (shortIdFault(id) === null && !taken.has(id)) return id
  for (let place = 1; ; place += 1) {
    const letters = lettersOf(place)
    if (!taken.has(letters)) return letters
  }
}

/** Converts a position, counted from 1, to letters: a to z, then aa, ab and so on. */
function lettersOf(place: number): string {
  const before = Math.floor((place - 1) / 26)
  return (before === 0 ? '' : lettersOf(before)) + String.fromCharCode(97 + ((place - 1) % 26))
}
