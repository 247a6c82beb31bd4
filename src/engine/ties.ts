/** The places that advance from tables, and the ties that the cut runs through. (D67) */

import { draw } from './flows/draws.ts'
import type { Standing } from './types.ts'

export type PlacedRow = Pick<Standing, 'team' | 'group' | 'rank' | 'tied'>

/** Teams that no tie-breaker separates, some of which advance. */
export interface Tie {
  /** The group; null for a tie across groups, or where there are no groups. */
  readonly group: number | null
  /** The places to decide: the places that the teams share, or the single place of a tie across groups. */
  readonly places: readonly number[]
  /** In the order of the table rows; this order decides nothing. */
  readonly teams: readonly string[]
}

/**
 * A team that advances, with its group; both null while a tie is undecided, and `team` null where the team has
 * withdrawn.
 */
export interface Entering {
  readonly team: string | null
  readonly group: number | null
  /** The index in the list of places. */
  readonly level: number
}

interface Wanted {
  /** The table of each group, in the order of its rows. */
  readonly tables: readonly (readonly PlacedRow[])[]
  readonly places: readonly number[]
  /** The maximum number of teams that advance. */
  readonly size: number
  /** Whether the team has not withdrawn. */
  readonly isIn: (team: string) => boolean
}

/**
 * The undecided ties that the cut runs through. There are two kinds: tied rows of one table of which `places` includes
 * only some; and the teams with the same place in several groups where `size` admits only some of them. A tie whose
 * teams all advance, or all do not, is no cut; neither is a tie whose teams have all withdrawn. (D67)
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

/**
 * The teams that advance, in order. `decided` returns the final order of each tie; where it is null, the teams of
 * undecided ties are null.
 */
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

/** The places of which all teams advance, and the one place of which only some groups' teams do. */
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

/** Groups tied rows into classes; every other row is a class of its own. */
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

/** The teams that have, or may still get, this place in their group. Rows of different tables are never compared. */
function acrossGroups(tables: Wanted['tables'], place: number): Tie {
  const teams = tables.flatMap((rows) => classesOf(rows).find(({ places }) => places.includes(place))?.teams ?? [])
  return { group: null, places: [place], teams }
}

/** The rows, with the teams of each decided tie in their decided order. */
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

/**
 * The text that the seed of a draw is derived from, together with the secret of the installation. It depends only on
 * `subject` and the tied teams.
 */
export function seedText(subject: string, { teams }: Pick<Tie, 'teams'>): string {
  return ['tie', subject, ...teams.toSorted()].join(' ')
}

/**
 * The tied teams in a drawn order. The list starts sorted by name; draw number 1 takes one of all teams, draw number 2
 * one of the rest, and so on. (match-flows: Draws)
 */
export function drawnOrder(seed: Uint8Array, subject: string, { teams }: Pick<Tie, 'teams'>): readonly string[] {
  const left = teams.toSorted()
  return teams.map((_, index) => {
    const taken = draw({ seed, session: subject, nonces: [] }, { number: index + 1, redraw: 0, outcomes: left.length })
    return left.splice(taken, 1)[0] ?? ''
  })
}
