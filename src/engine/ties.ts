/** Places of tables that go on, and the ties that they cut through. (D67) */

import { draw } from './flows/draws.ts'
import type { Standing } from './types.ts'

export type PlacedRow = Pick<Standing, 'team' | 'group' | 'rank' | 'tied'>

/** Teams that nothing parts, of which some go on and others do not. */
export interface Tie {
  /** null where they stand in the tables of several groups, or there are no groups. */
  readonly group: number | null
  /** What is to be decided between them: the places that they share, or the one that several groups have. */
  readonly places: readonly number[]
  /** In the order of the list, which decides nothing. */
  readonly teams: readonly string[]
}

/** Who comes in, with where from; null where that is not known yet. */
export interface Entering {
  readonly team: string | null
  readonly group: number | null
  /** Index in the list of places. */
  readonly level: number
}

interface Wanted {
  /** The table of each group, in the order of its rows. */
  readonly tables: readonly (readonly PlacedRow[])[]
  readonly places: readonly number[]
  /** How many come in at most. */
  readonly size: number
  /** Whether a team still plays. */
  readonly isIn: (team: string) => boolean
}

/**
 * The ties that decide who goes on: rows that no tie-breaker parts, of which `places` names some; and where `size` lets in
 * only some of the groups' teams of one place, these. A tie of which all go on, or none, is no cut, and neither is one of
 * teams that have all left. (D67)
 */
export function tiesCut({ tables, places, size, isIn }: Wanted): readonly Tie[] {
  const { certain, split } = cutOf(tables, places, size)
  const within = tables.flatMap((rows) =>
    classesOf(rows).flatMap((tie): Tie[] => {
      const states = new Set(tie.places.map((place) => (place === split ? 'open' : certain.has(place))))
      return tie.teams.length > 1 && states.size > 1 ? [tie] : []
    }),
  )
  const across = split === null ? [] : [acrossGroups(tables, split)]
  return [...within, ...across].filter((tie) => tie.teams.some(isIn))
}

/** Teams in the order in which they come in, once it is decided how each tie ends; null, as long as it is not. */
export function takePlaces(
  { tables, places, size, isIn }: Wanted,
  ties: readonly Tie[],
  decided: ((tie: Tie) => readonly string[]) | null,
): readonly Entering[] {
  const { certain, split } = cutOf(tables, places, size)
  const isOpen = new Set(decided === null ? ties.flatMap(({ teams }) => teams) : [])
  const ordered = tables.map((rows) => inOrder(rows, ties, decided))
  const entering = places.flatMap((place, level) => {
    const there = ordered.flatMap((rows): (Entering & { readonly team: string })[] => {
      const row = rows[place - 1]
      return row === undefined ? [] : [{ team: row.team, group: row.group, level }]
    })
    if (place !== split) return certain.has(place) ? there : []
    const across = ties.find((tie) => tie.group === null && tie.places[0] === place && tie.teams.length > 1)
    const left = size - countBefore(tables, places, place)
    if (across === undefined || decided === null) return there.slice(0, left)
    const first = decided(across).filter((team) => there.some((each) => each.team === team))
    const chosen = new Set(first.slice(0, left))
    return there.filter(({ team }) => chosen.has(team))
  })
  return entering.map(({ team, group, level }) => {
    if (isOpen.has(team)) return { team: null, group: null, level }
    return { team: isIn(team) ? team : null, group, level }
  })
}

/** The places that come in as a whole, and the one of which only some groups' teams do. */
function cutOf(
  tables: Wanted['tables'],
  places: readonly number[],
  size: number,
): { readonly certain: ReadonlySet<number>; readonly split: number | null } {
  const certain = new Set<number>()
  let left = size
  for (const place of places) {
    const there = tables.filter((rows) => rows[place - 1] !== undefined).length
    if (left > 0 && there > left) return { certain, split: place }
    if (left > 0) certain.add(place)
    left -= there
  }
  return { certain, split: null }
}

function countBefore(tables: Wanted['tables'], places: readonly number[], place: number): number {
  const before = places.slice(0, places.indexOf(place))
  return before.reduce((sum, each) => sum + tables.filter((rows) => rows[each - 1] !== undefined).length, 0)
}

/** Rows that nothing parts stand together; every other row for itself. */
function classesOf(rows: readonly PlacedRow[]): readonly Tie[] {
  const classes: { group: number | null; rank: number | null; places: number[]; teams: string[] }[] = []
  for (const [index, { team, group, rank, tied }] of rows.entries()) {
    const last = classes.at(-1)
    if (tied && last !== undefined && last.rank === rank) {
      last.places.push(index + 1)
      last.teams.push(team)
    } else classes.push({ group, rank: tied ? rank : null, places: [index + 1], teams: [team] })
  }
  return classes
}

/** Whoever has, or may come to have, the same place of different groups: nothing compares the rows of two tables. */
function acrossGroups(tables: Wanted['tables'], place: number): Tie {
  const teams = tables.flatMap((rows) => classesOf(rows).find(({ places }) => places.includes(place))?.teams ?? [])
  return { group: null, places: [place], teams }
}

/** The rows, with those of each tie in its decided order. */
function inOrder(
  rows: readonly PlacedRow[],
  ties: readonly Tie[],
  decided: ((tie: Tie) => readonly string[]) | null,
): readonly PlacedRow[] {
  if (decided === null) return rows
  const byTeam = new Map(rows.map((row) => [row.team, row]))
  const ordered = [...rows]
  for (const tie of classesOf(rows)) {
    const cut = ties.find((other) => isSameTie(other, tie))
    if (cut === undefined) continue
    for (const [index, team] of decided(cut).entries()) {
      const row = byTeam.get(team)
      if (row !== undefined) ordered[(tie.places[index] ?? 0) - 1] = row
    }
  }
  return ordered
}

function isSameTie(one: Tie, other: Tie): boolean {
  return one.places.length === other.places.length && one.teams.every((team, index) => team === other.teams[index])
}

/** What a draw of one tie is made from: the installation's secret makes it of `subject` and who is tied, and of nothing else. */
export function seedText(subject: string, { teams }: Pick<Tie, 'teams'>): string {
  return ['tie', subject, ...teams.toSorted()].join(' ')
}

/**
 * A drawn order of the tied. Beginning with their list in the order of their names here, the draws of `flows` take one
 * after the other: number 1 of all of them, number 2 of those that are left, and so on. (match-flows: Draws)
 */
export function drawnOrder(seed: Uint8Array, subject: string, { teams }: Pick<Tie, 'teams'>): readonly string[] {
  const left = teams.toSorted()
  return teams.map((_, index) => {
    const taken = draw({ seed, session: subject, nonces: [] }, { number: index + 1, redraw: 0, outcomes: left.length })
    return left.splice(taken, 1)[0] ?? ''
  })
}
