import type { Around } from './cursor.ts'
import { itAt } from './cursor.ts'
import type { Action, Step } from './flow.ts'
import { activePenalties, type Machine, seatNumbers, seatOf, teamOf } from './machine.ts'
import { atMatchPoint, lastWon, leaderOf, standingOf, trailerOf } from './outcomes.ts'
import { ownPlayer } from './players.ts'
import type { PoolEntry } from './rows.ts'

/** Who acts in a step, and which maps, flairs and players may be chosen. (match-flows: Flow) */

/** Who acts: some seats, the referee or the system. */
export type Acting = readonly number[] | 'referee' | 'system'

/** The first of the actors that is known; null if none is. */
export function actingOf(machine: Machine, actors: readonly string[]): Acting | null {
  for (const actor of actors) {
    const acting = actorOf(machine, actor)
    if (acting !== null) return acting
  }
  return null
}

function actorOf(machine: Machine, actor: string): Acting | null {
  if (actor === 'referee' || actor === 'system') return actor
  if (actor === 'all') return seatNumbers(machine)
  const seat = seatNamed(machine, actor)
  return seat === null ? null : [seat]
}

function seatNamed(machine: Machine, actor: string): number | null {
  switch (actor) {
    case 'higherSeed':
      return bySeed(machine)?.[0] ?? null
    case 'lowerSeed':
      return bySeed(machine)?.at(-1) ?? null
    case 'rollWinner':
      return machine.rolled?.[0] ?? null
    case 'rollLoser':
      return machine.rolled?.at(-1) ?? null
    case 'lastMapWinner':
      return lastWon(machine)?.winner ?? null
    case 'lastMapLoser':
      return lastWon(machine)?.loser ?? null
    case 'leader':
      return leaderOf(machine)
    case 'trailer':
      return trailerOf(machine)
    case 'it':
      return itAt(machine.cursor)
    default:
      return seatOrPlace(machine, actor)
  }
}

function seatOrPlace(machine: Machine, actor: string): number | null {
  const side = /^(?:seat:|side)(\d{1,2})$/.exec(actor)?.[1]
  if (side !== undefined) return Number(side) <= machine.seats.length && Number(side) > 0 ? Number(side) : null
  const [pair = '', place] = actor.split(':')
  return machine.pairs.get(pair)?.[Number(place) - 1] ?? null
}

/** Seats from the highest seed to the lowest; null where a seed is missing. */
function bySeed(machine: Machine): readonly number[] | null {
  const seeds = machine.start.teams.map(({ seed }) => seed)
  if (seeds.includes(null)) return null
  return seatNumbers(machine).toSorted((one, other) => (seeds[one - 1] ?? 0) - (seeds[other - 1] ?? 0))
}

/** The facts about the session that blocks depend on, as they are now. */
export function aroundOf(machine: Machine): Around {
  return { isDecided: machine.ending !== null, orderOf: (each) => orderOf(machine, each) }
}

function orderOf(machine: Machine, each: string): readonly number[] {
  const highestFirst = bySeed(machine) ?? seatNumbers(machine)
  if (each === 'highest_seed_first') return highestFirst
  if (each === 'lowest_seed_first') return highestFirst.toReversed()
  if (each === 'last_first') {
    const standing = standingOf(machine)
    return highestFirst.toReversed().toSorted((one, other) => (standing[one - 1] ?? 0) - (standing[other - 1] ?? 0))
  }
  return machine.pairs.get(each) ?? []
}

/** Whether the condition `when` of the step holds now. */
export function isDue(machine: Machine, { when }: Step): boolean {
  if (when === 'always') return true
  const all = atMatchPoint(machine).length === machine.seats.length
  return all === (when === 'all_at_match_point')
}

/** Why a map may not be chosen. */
export const illegalities = ['banned', 'protected', 'taken', 'tiebreaker', 'flair', 'limit', 'not_in_pool'] as const
export type Illegality = (typeof illegalities)[number]

/** Why `seat` may not choose the map in this step; null where it may. */
export function illegality(machine: Machine, step: Step, seat: number | null, guid: string): Illegality | null {
  const map = machine.maps.get(guid)
  if (map === undefined) return 'not_in_pool'
  const { entry } = map
  if (map.state === 'banned') return 'banned'
  if (map.state !== 'available' && map.state !== 'protected') return 'taken'
  const byProtection = protection(machine, step.action, seat, map.protectedBy)
  if (byProtection !== null) return byProtection
  if (entry.isTiebreaker && !step.from.tiebreakers) return 'tiebreaker'
  if (!isOfFlair(machine, step, entry)) return 'flair'
  return isLimited(machine, step, seat, entry) ? 'limit' : null
}

function protection(
  { flow }: Machine,
  action: Action,
  seat: number | null,
  protectedBy: readonly number[],
): 'protected' | null {
  if (action === 'protect') return seat !== null && protectedBy.includes(seat) ? 'protected' : null
  if (action !== 'ban') return null
  const binding = flow.rules.protects === 'everybody' ? protectedBy : protectedBy.filter((other) => other !== seat)
  return binding.length > 0 ? 'protected' : null
}

function isOfFlair({ pickFlair, bannedFlairs }: Machine, { from }: Step, { flair }: PoolEntry): boolean {
  const name = flair?.name ?? null
  if (name !== null && bannedFlairs.has(name)) return false
  if (pickFlair !== null && name !== pickFlair) return false
  if (from.flairs !== null && (name === null || !from.flairs.includes(name))) return false
  return name === null || !from.exceptFlairs.includes(name)
}

function isLimited(machine: Machine, { action, limits }: Step, seat: number | null, { flair }: PoolEntry): boolean {
  if (flair === null) return false
  const own = machine.choices.filter((choice) => choice.seat === seat && choice.action === action)
  return limits.some(({ otherFlairThan, except }) => {
    if (except.includes(flair.name)) return false
    const compared = otherFlairThan === 'own_last' ? own.slice(-1) : own
    return compared.some(({ map }) => machine.maps.get(map)?.entry.flair?.name === flair.name)
  })
}

/** Maps that `seat` may choose, in the order of the pool. */
export function legalMaps(machine: Machine, step: Step, seat: number | null): readonly string[] {
  return machine.pool.map(({ guid }) => guid).filter((guid) => illegality(machine, step, seat, guid) === null)
}

/** Maps that can still be played, of any flair. Flagged tiebreakers are included only with `withTiebreakers`. */
export function mapsLeft(machine: Machine, withTiebreakers: boolean): readonly string[] {
  return machine.pool
    .filter(({ guid, isTiebreaker }) => {
      const state = machine.maps.get(guid)?.state
      return (state === 'available' || state === 'protected') && (withTiebreakers || !isTiebreaker)
    })
    .map(({ guid }) => guid)
}

/**
 * The maps that a tiebreaker step may take: the first flagged map that is left or, with `last_left`, all legal maps.
 */
export function tiebreakers(machine: Machine, step: Step): readonly string[] {
  if (step.source === 'last_left') {
    return legalMaps(machine, step, null)
  }
  const flagged = machine.pool.find(({ guid, isTiebreaker }) => {
    const state = machine.maps.get(guid)?.state
    return isTiebreaker && (state === 'available' || state === 'protected')
  })
  return flagged === undefined ? [] : [flagged.guid]
}

/** The flairs that may be named in the step: the legal ones among those of the maps that are left. */
export function legalFlairs(machine: Machine, step: Step): readonly string[] {
  const left = new Set(mapsLeft(machine, step.from.tiebreakers))
  const names = machine.pool.flatMap(({ guid, flair }) => (flair !== null && left.has(guid) ? [flair.name] : []))
  return [...new Set(names)].filter((name) => {
    if (machine.bannedFlairs.has(name)) return false
    if (step.from.flairs !== null && !step.from.flairs.includes(name)) return false
    return !step.from.exceptFlairs.includes(name)
  })
}

/** The users who may play for a seat: its active members without those who are excluded. */
export function eligible(machine: Machine, seat: number): readonly string[] {
  const team = teamOf(machine, seat)
  const own = ownPlayer(team)
  const users = own === null ? team.members : [own]
  const game = nextGame(machine)
  const excluded = activePenalties(machine).filter(
    (penalty) =>
      penalty.type === 'exclude' && penalty.seat === seat && (penalty.game === null || penalty.game === game),
  )
  return users.filter((user) => !excluded.some((penalty) => penalty.user === user))
}

/** Number of the game that is played now, or else of the next game. */
export function nextGame({ games }: Machine): number {
  const there = games.filter(({ isGone }) => !isGone)
  const last = there.at(-1)
  return last === undefined || last.isFinal ? there.length + 1 : last.game
}

/** Number of players who play for a seat on a map. */
export function lineupSize(machine: Machine, seat: number): number {
  const { players } = machine.flow.rules.map
  const there = eligible(machine, seat).length
  return players === null ? there : Math.min(players, there)
}

/** The line-up of a seat for the next map; null if the seat must name it. */
export function lineupOf(machine: Machine, seat: number): readonly string[] | null {
  const users = eligible(machine, seat)
  const size = lineupSize(machine, seat)
  if (users.length === size) return users
  const last = seatOf(machine, seat).lineup
  return last !== null && last.length === size && last.every((user) => users.includes(user)) ? last : null
}
