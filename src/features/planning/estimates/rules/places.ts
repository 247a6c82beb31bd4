import { invalid } from '../../../../core/problem.ts'
import type { EstimateBracket, EstimateProblem } from '../../../../engine/estimate/types.ts'
import { roundsOfTree } from '../../../../engine/seeding.ts'
import { readSettings, type SettingsInput } from '../../../../engine/settings.ts'
import type { Settings } from '../../../../engine/types.ts'
import { minEntrants } from '../../../brackets/brackets/rules/entrants.ts'
import { settingsShown } from '../../../brackets/brackets/rules/structure.ts'
import type { StandingBracket } from '../types.ts'

type Placed = Pick<EstimateProblem, 'brackets' | 'strengths'>

/**
 * Puts the expected teams into the brackets of the tournament. A bracket waits for the earlier brackets of its division
 * that share a team with it, or for all of them while it has an open place. Only brackets that wait for none change
 * their sizes. (R5)
 * @throws Problem `estimate.invalid`, `bracket.settings_invalid`
 */
export function placeTeams(brackets: readonly StandingBracket[], teams: number): Placed {
  const after = brackets.map((bracket) => earlierOf(bracket, brackets))
  const isFirst = after.map((each) => each.length === 0)
  const first = brackets.filter((_, index) => isFirst[index])
  const known = knownTeams(first)
  return known.count === teams ? asTheyAre(brackets, after, known) : resized(brackets, after, teams)
}

function earlierOf(bracket: StandingBracket, brackets: readonly StandingBracket[]): readonly number[] {
  const isOpen = bracket.teams.includes(null)
  return brackets.flatMap((other, index) => {
    if (other.divisionGuid !== bracket.divisionGuid || other.order >= bracket.order) return []
    return isOpen || other.teams.some((team) => bracket.teams.includes(team)) ? [index] : []
  })
}

/** The teams of brackets that wait for none, with a team to come for each open place. */
interface Known {
  readonly count: number
  readonly indexes: ReadonlyMap<string, number>
  readonly strengths: readonly number[]
  /** By bracket. */
  readonly places: ReadonlyMap<StandingBracket, readonly number[]>
}

function knownTeams(brackets: readonly StandingBracket[]): Known {
  const indexes = new Map<string, number>()
  const strengths: number[] = []
  const places = new Map<StandingBracket, readonly number[]>()
  for (const bracket of brackets) {
    const { teams } = bracket
    const own = teams.map((team, place) => {
      const seen = team === null ? undefined : indexes.get(team)
      if (seen !== undefined) return seen
      const index = strengths.push(strengthOf(place, teams.length)) - 1
      if (team !== null) indexes.set(team, index)
      return index
    })
    places.set(bracket, own)
  }
  return { count: strengths.length, indexes, strengths, places }
}

function asTheyAre(
  brackets: readonly StandingBracket[],
  after: readonly (readonly number[])[],
  { indexes, strengths, places }: Known,
): Placed {
  return {
    strengths,
    brackets: brackets.map((bracket, index): EstimateBracket => {
      const later = bracket.teams.map((team) => (team === null ? null : (indexes.get(team) ?? null)))
      const { format, settings } = bracket
      return { format, settings, places: places.get(bracket) ?? later, after: after[index] ?? [] }
    }),
  }
}

/** With another number of teams it is unknown which teams reach a later bracket, so all of its places are open. */
function resized(brackets: readonly StandingBracket[], after: readonly (readonly number[])[], teams: number): Placed {
  const isFirst = (index: number) => after[index]?.length === 0
  const sizes = share(
    brackets.filter((_, index) => isFirst(index)).map((bracket) => bracket.teams.length),
    teams,
  ).values()
  const strengths: number[] = []
  return {
    strengths,
    brackets: brackets.map((bracket, index): EstimateBracket => {
      const { format, settings } = bracket
      if (!isFirst(index)) {
        return { format, settings, places: bracket.teams.map(() => null), after: after[index] ?? [] }
      }
      const size = sizes.next().value ?? minEntrants
      const places = Array.from({ length: size }, (_, place) => strengths.push(strengthOf(place, size)) - 1)
      return { format, settings: settingsFor(bracket, size), places, after: [] }
    }),
  }
}

/**
 * Shares the teams among brackets in proportion to their sizes; each gets at least two.
 * @throws Problem `estimate.invalid`
 */
export function share(sizes: readonly number[], teams: number): readonly number[] {
  const left = teams - minEntrants * sizes.length
  if (left < 0) {
    throw fault(`The brackets of the tournament need at least ${minEntrants * sizes.length} teams.`)
  }
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let [before, given] = [0, 0]
  return sizes.map((size) => {
    before += size
    const upTo = Math.round((left * before) / total)
    const own = upTo - given
    given = upTo
    return own + minEntrants
  })
}

/** The settings of a bracket for another number of teams. */
function settingsFor(bracket: StandingBracket, size: number): Settings {
  const { format, settings, teams } = bracket
  const shown = settingsShown(bracket)
  if (format === 'swiss') {
    const usual = readSettings(format, {}, teams.length).rounds
    const { rounds: _, ...others } = shown
    const most = readSettings(format, {}, size)
    const rounds = settings.rounds === usual ? most.rounds : Math.min(settings.rounds, size - 1 + (size % 2))
    return readSettings(format, { ...others, rounds }, size)
  }
  if (format === 'round_robin') {
    const groups = Math.min(settings.groups, Math.floor(size / minEntrants))
    return readSettings(format, { ...shown, groups }, size)
  }
  const further = roundsOfTree(size) - roundsOfTree(teams.length)
  const input: SettingsInput = { ...shown, bestOfByRound: shifted(settings.bestOfByRound, further) }
  return readSettings(format, input, size)
}

/** The best-of values of rounds, counted from the end of the tree: finals stay as long as they are. */
function shifted(bestOfByRound: Settings['bestOfByRound'], further: number): Settings['bestOfByRound'] {
  const roundsMore: Readonly<Record<string, number>> = { upper: further, lower: 2 * further }
  return Object.fromEntries(
    Object.entries(bestOfByRound).flatMap(([key, bestOf]) => {
      const [section = '', round] = key.split(':')
      const moved = Number(round) + (roundsMore[section] ?? 0)
      return moved < 1 ? [] : [[`${section}:${moved}`, bestOf]]
    }),
  )
}

/** The strength of a team from its place in seed order, which follows the qualifier where there is one. (R4) */
export function strengthOf(place: number, teams: number): number {
  return teams === 1 ? 1 : 1 - place / (teams - 1)
}

export function fault(message: string) {
  return invalid('estimate.invalid', message)
}
