import { normaliseGuid } from '../../../../core/ids.ts'
import { conflict, invalid, missing } from '../../../../core/problem.ts'
import type { EliminationFormat } from '../../../../engine/elimination.ts'
import { separateGroups } from '../../../../engine/spread-groups.ts'
import type { Entering, PlacedRow } from '../../../../engine/ties.ts'
import type { Entrant, Format, Settings } from '../../../../engine/types.ts'
import { checkIsBack } from '../../../teams/teams/rules/withdrawal.ts'
import type { BracketEntrant, EnteringTeam } from '../types.ts'
import type { TieInput } from './ties.ts'

export const minEntrants = 2
export const maxEntrants = 4096

/** A place to be filled; lists are in the order of the places. */
export type Seeded = Pick<Entrant, 'seed' | 'team'>

/** Where a bracket's teams come from. (additions: Divisions, brackets, matches) */
export interface EntrantsInput {
  readonly source: 'registered' | 'qualified' | 'manual' | 'bracket'
  readonly teamGuids?: readonly string[]
  readonly from?: TieInput & { readonly bracketGuid: string; readonly places: readonly number[] }
  readonly size?: number
}

/**
 * The registered or qualified teams, the best first. If each team has a seed of its own, the seeds stay; otherwise the
 * teams are numbered. (additions: Divisions, brackets, matches)
 * @throws Problem `bracket.too_few_teams`, `bracket.too_many_teams`
 */
export function seedTeams(teams: readonly Pick<EnteringTeam, 'guid' | 'seed'>[], size: number | undefined): Seeded[] {
  if (teams.length < minEntrants) {
    throw conflict('bracket.too_few_teams', `A bracket needs at least ${minEntrants} teams; there are too few.`)
  }
  if (size === undefined && teams.length > maxEntrants) {
    throw conflict('bracket.too_many_teams', `A bracket has at most ${maxEntrants} teams; say how many in \`size\`.`)
  }
  const chosen = teams.slice(0, size)
  const seeds = new Set(chosen.map(({ seed }) => seed))
  const areSeeded = !seeds.has(null) && seeds.size === chosen.length
  return chosen.map(({ guid, seed }, index) => ({ team: guid, seed: areSeeded ? seed : index + 1 }))
}

/**
 * The teams that the organiser names, in the given order. If `size` is greater, the remaining places stay empty.
 * (additions: Divisions, brackets, matches)
 * @throws Problem `bracket.entrants_invalid`
 */
export function readManual({ teamGuids, size }: EntrantsInput): Seeded[] {
  if (teamGuids === undefined) throw entrantsInvalid('Give `teamGuids` with the source `manual`.')
  const named = teamGuids.map(normaliseGuid)
  checkNamedOnce(named)
  const places = size ?? named.length
  if (places < minEntrants) throw entrantsInvalid(`A bracket has at least ${minEntrants} places.`)
  return inOrder(Array.from({ length: places }, (_, index) => named[index] ?? null))
}

/** The requested places of another bracket. Each of its groups gives its team of each place. */
export interface PlacesWanted {
  /** One table for each group. */
  readonly tables: readonly (readonly PlacedRow[])[]
  readonly places: readonly number[]
  readonly size: number
  readonly isIn: (team: string) => boolean
}

/**
 * Reads the teams that enter from the places of another bracket, place by place. Each of several groups gives its team
 * of that place. A team that has left since then leaves its place empty. (additions: Divisions, brackets, matches; G2)
 * @param rows the standings, by group and rank
 * @throws Problem `bracket.entrants_invalid`
 */
export function readPlaces(
  rows: readonly PlacedRow[],
  places: readonly number[],
  size: number | undefined,
  isIn: (team: string) => boolean,
): PlacesWanted {
  if (new Set(places).size < places.length) throw entrantsInvalid('Name every place once.')
  const tables = [...Map.groupBy(rows, ({ group }) => group ?? 0).values()]
  const held = places.map((place) => {
    const there = tables.filter((table) => table[place - 1] !== undefined).length
    if (there === 0) throw entrantsInvalid(`Nobody came to place ${place} of that bracket.`)
    return there
  })
  const all = held.reduce((sum, there) => sum + there, 0)
  const chosen = Math.min(all, size ?? maxEntrants + 1)
  if (chosen < minEntrants || chosen > maxEntrants) {
    throw entrantsInvalid(`A bracket has ${minEntrants} to ${maxEntrants} places.`)
  }
  return { tables, places, size: chosen, isIn }
}

/**
 * The teams that enter a bracket, in the order of its places, and the places of another bracket that they come from, if
 * any.
 */
export interface Seeding {
  readonly teams: readonly Seeded[]
  readonly origins: readonly Entering[] | null
}

export function seedPlaces(origins: readonly Entering[]): Seeding {
  return { teams: inOrder(origins.map(({ team }) => team)), origins }
}

/**
 * Seeds teams that come from groups so that teams of one group meet as late as the tree allows. Teams swap seeds only
 * with teams of the same place. In double elimination this holds for the upper bracket. (D68)
 */
export function seedApart(
  { teams, origins }: Seeding,
  format: Format,
  { seedOrdering }: Pick<Settings, 'seedOrdering'>,
): readonly Seeded[] {
  const isFromGroups = origins?.some(({ group }) => group !== null) === true
  if (origins === null || !isFromGroups || !isElimination(format)) return teams
  // A team that is still to be drawn may come from any group.
  const members = origins.map(({ level, group }, index) => ({ level, group: group ?? -1 - index }))
  return inOrder(separateGroups(members, seedOrdering).map((index) => origins[index]?.team ?? null))
}

function isElimination(format: Format): format is EliminationFormat {
  return format === 'single_elimination' || format === 'double_elimination'
}

function inOrder(teams: readonly (string | null)[]): Seeded[] {
  return teams.map((team, index) => ({ team, seed: index + 1 }))
}

/**
 * A team that plays is registered or qualified in the tournament, and has not left it. (additions: Divisions, brackets,
 * matches; D60)
 * @throws Problem `team.unknown`, `team.withdrawn`, `team.not_registered`
 */
export function checkMayPlay(guids: readonly string[], teams: ReadonlyMap<string, EnteringTeam>): void {
  for (const guid of guids) {
    const team = teams.get(guid)
    if (team === undefined) throw missing('team.unknown', 'There is no such team in this tournament.')
    checkIsBack(team)
    if (!isIn(team)) {
      throw conflict('team.not_registered', `The team “${team.name}” is neither registered nor qualified.`)
    }
  }
}

export function isIn(team: EnteringTeam | undefined): boolean {
  return team !== undefined && team.status !== 'unregistered'
}

export interface Placement {
  readonly slot: number
  readonly teamGuid: string | null
}

/**
 * Returns the entrants with other teams in some places. A seed belongs to the place, so teams that swap places swap
 * seeds. A team that is placed again plays on, even if it had left. (additions: Divisions, brackets, matches)
 * @throws Problem `slot.unknown`, `bracket.entrants_invalid`
 */
export function placeTeams(
  entrants: readonly BracketEntrant[],
  placements: readonly Placement[],
): readonly BracketEntrant[] {
  const teams = new Map(
    placements.map(({ slot, teamGuid }) => [slot, teamGuid === null ? null : normaliseGuid(teamGuid)]),
  )
  if (teams.size < placements.length) throw entrantsInvalid('Name every place once.')
  const slots = new Set(entrants.map(({ slot }) => slot))
  const stranger = [...teams.keys()].find((slot) => !slots.has(slot))
  if (stranger !== undefined) throw missing('slot.unknown', `The bracket has no place ${stranger}.`)
  const placed = entrants.map((entrant): BracketEntrant => {
    const team = teams.get(entrant.slot)
    return team === undefined ? entrant : { ...entrant, team, withdrawal: null }
  })
  checkNamedOnce(placed.flatMap(({ team }) => team ?? []))
  return placed
}

function checkNamedOnce(teams: readonly string[]): void {
  if (new Set(teams).size < teams.length) throw entrantsInvalid('A team stands in a bracket once.')
}

function entrantsInvalid(message: string) {
  return invalid('bracket.entrants_invalid', message)
}
