import { shortIdFault } from '../../../../core/ids.ts'
import { readName } from '../../../../core/names.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'

export const maxNameCharacters = 100
/** The list of divisions is one answer. (D8) */
export const maxDivisions = 50
export const maxOrder = 1_000

/**
 * Divisions and brackets are made and changed until the tournament is over. (D25)
 * @throws Problem `tournament.over`
 */
export function checkStructureOpen({ status }: Pick<Tournament, 'status'>): void {
  if (status !== 'completed' && status !== 'cancelled') return
  throw conflict('tournament.over', `The tournament is ${status}; its divisions and brackets stay as they are.`)
}

/**
 * A tournament has as many divisions as one answer holds. (D8)
 * @throws Problem `division.too_many`
 */
export function checkRoom(divisions: number): void {
  if (divisions < maxDivisions) return
  throw conflict('division.too_many', `A tournament can have at most ${maxDivisions} divisions.`)
}

/**
 * A division in which somebody has played stays. (additions: Divisions, brackets, matches)
 * @throws Problem `division.played`
 */
export function checkUnplayed(brackets: readonly { readonly started: number }[]): void {
  if (brackets.every(({ started }) => started === 0)) return
  throw conflict('division.played', 'Matches of the division were played, so that it cannot be deleted.')
}

/**
 * A short id has the form that D6 gives, and is kept in lower case.
 * @throws Problem `division.invalid`
 */
export function readId(text: string): string {
  const fault = shortIdFault(text)
  if (fault !== null) throw invalid('division.invalid', `The id of a division ${fault}.`)
  return text.toLowerCase()
}

/**
 * A division has a name that is seen, on one line. (D56)
 * @throws Problem `division.invalid`
 */
export function readDivisionName(text: string): string {
  const name = readName(text)
  if (!name.ok) throw invalid('division.invalid', `The name of a division ${name.reason}.`)
  return name.value
}

/**
 * The id of a division that was given none: its name as far as that makes a short id which no other division has, and
 * otherwise the first free letter. (additions: Divisions, brackets, matches)
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

/** a to z, then aa, ab and so on; `place` counts from 1. */
function lettersOf(place: number): string {
  const before = Math.floor((place - 1) / 26)
  return (before === 0 ? '' : lettersOf(before)) + String.fromCharCode(97 + ((place - 1) % 26))
}
