/** Elimination trees: the pairings, and where winners advance and losers drop. */

import { firstRound, type Line, roundsOfTree } from './seeding.ts'
import type { Entrant, Format, Match, Plan, Section, Settings, Side, SideIndex, Source, Target } from './types.ts'

export type EliminationFormat = Extract<Format, 'single_elimination' | 'double_elimination'>

export type EliminationSettings = Pick<
  Settings,
  'bestOf' | 'bestOfByRound' | 'seedOrdering' | 'thirdPlace' | 'grandFinal'
>

/** A team, or an open place (`team` null). Lists are in seed order, the top seed first. */
export type Seeded = Pick<Entrant, 'seed' | 'team'>

/** A match whose targets for winner and loser may still be unset. */
type Draft = Omit<Match, 'winnerTo' | 'loserTo'> & { winnerTo: Target | null; loserTo: Target | null }

interface Tree {
  readonly settings: EliminationSettings
  readonly matches: Draft[]
}

interface Place {
  readonly slot: number
  readonly team: string | null
}

interface Exit {
  readonly match: Draft
  readonly outcome: Source['outcome']
}

/** The source of a side: an entrant, or the winner or loser of a match; null for a side that always stays empty. */
type Feed = Place | Exit | null

/** The matches of a round by position in the tree; null where both sides would be byes. */
type Round = readonly (Draft | null)[]

/**
 * Plans a bracket of 2 to 4096 entrants. Teams are placed in their first matches, nothing is settled yet. Single
 * elimination uses the section `upper` throughout; its last round is the final.
 *
 * @throws RangeError for any other number of entrants
 */
export function planElimination(
  entrants: readonly Seeded[],
  format: EliminationFormat,
  settings: EliminationSettings,
): Plan {
  const lines = firstRound(entrants.length, settings.seedOrdering)
  const places = lines.map((line) => line && { slot: line.slot, team: entrants[line.entrant]?.team ?? null })
  const tree: Tree = { settings, matches: [] }
  if (format === 'single_elimination') growSingle(tree, places, roundsOfTree(entrants.length))
  else growDouble(tree, places, roundsOfTree(entrants.length))
  return { entrants: entrantsBySlot(lines, entrants), matches: tree.matches }
}

function entrantsBySlot(lines: readonly (Line | null)[], entrants: readonly Seeded[]): readonly Entrant[] {
  return lines.flatMap((line) => {
    const entrant = line && entrants[line.entrant]
    return entrant ? [{ slot: line.slot, seed: entrant.seed, team: entrant.team }] : []
  })
}

function growSingle(tree: Tree, places: readonly Feed[], rounds: number): void {
  let matches = addRound(tree, 'upper', 1, places)
  for (let round = 2; round <= rounds; round++) {
    if (round === rounds && tree.settings.thirdPlace) addThirdPlace(tree, matches)
    matches = addRound(tree, 'upper', round, matches.map(winnerOf))
  }
}

/**
 * Adds the match for third place. With three teams there is none: one semi-final is a bye, and the loser of the other
 * is third.
 */
function addThirdPlace(tree: Tree, semiFinals: Round): void {
  const losers = semiFinals.map(loserOf)
  if (!losers.includes(null)) addRound(tree, 'third_place', 1, losers)
}

/**
 * Two rounds of the lower bracket follow each upper round except the first: the teams left in the lower bracket play
 * each other, then they play the losers of the upper round. With two teams there is no lower bracket; the loser goes to
 * the final. (G1)
 *
 * Every round of the lower bracket has at least one match: more than half of the first lines are filled, so the first
 * round has a loser, and all later upper matches have two teams.
 */
function growDouble(tree: Tree, places: readonly Feed[], rounds: number): void {
  const masks = dropMasks(rounds)
  let upper = addRound(tree, 'upper', 1, places)
  let survivors: readonly Feed[] = upper.map(loserOf)
  for (let round = 2; round <= rounds; round++) {
    upper = addRound(tree, 'upper', round, upper.map(winnerOf))
    survivors = addRound(tree, 'lower', 2 * round - 3, survivors).map(winnerOf)
    const dropped = facing(upper.map(loserOf), survivors, masks[round - 1] ?? 0)
    survivors = addRound(tree, 'lower', 2 * round - 2, dropped).map(winnerOf)
  }
  addGrandFinal(tree, [...upper.map(winnerOf), ...survivors])
}

/** The team of the upper bracket keeps the first side in the reset, which it reaches as the loser of the final. */
function addGrandFinal(tree: Tree, finalists: readonly Feed[]): void {
  if (tree.settings.grandFinal === 'none') return
  const final = addRound(tree, 'final', 1, finalists)
  if (tree.settings.grandFinal === 'reset') addRound(tree, 'final', 2, [...final.map(loserOf), ...final.map(winnerOf)])
}

function facing(losers: readonly Feed[], survivors: readonly Feed[], mask: number): readonly Feed[] {
  return survivors.flatMap((survivor, position) => [losers[position ^ mask] ?? null, survivor])
}

/**
 * For every round of the upper bracket, the mask that is XORed with the positions of its losers before they drop. Teams
 * that met once meet again as late as the tree allows: not before more losers from one path to the final have dropped
 * than the lower bracket has branches left. (G1)
 *
 * Losers of rounds i < j that can have met drop to positions of the lower bracket that differ by
 * `(mask i >> (j - i)) ^ mask j`. The length of that number in bits is the number of survivor rounds between them. Each
 * round therefore takes the mask that keeps its losers apart longest from the losers of the round before, who have the
 * fewest matches to survive until then; next from those of the round before that, and so on. For 32 teams the result is
 * the wiring of the world cup: 111, 01, 1.
 */
function dropMasks(rounds: number): readonly number[] {
  const masks = [0]
  for (let round = 2; round <= rounds; round++) {
    let best = { mask: 0, apart: [-1] }
    for (let mask = 2 ** (rounds - round) - 1; mask >= 0; mask--) {
      const apart = masks.map((earlier, index) => 32 - Math.clz32((earlier >> (round - index - 1)) ^ mask)).reverse()
      if (isGreater(apart, best.apart)) best = { mask, apart }
    }
    masks.push(best.mask)
  }
  return masks
}

function isGreater(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((value, at) => value !== other[at])
  return index >= 0 && (one[index] ?? 0) > (other[index] ?? 0)
}

function winnerOf(match: Draft | null): Exit | null {
  return match && { match, outcome: 'winner' }
}

/** A match against a bye has no loser. */
function loserOf(match: Draft | null): Exit | null {
  return match === null || match.sides.some((side) => side.bye) ? null : { match, outcome: 'loser' }
}

/** Pairs neighbouring feeds; two empty feeds make no match. */
function addRound(tree: Tree, section: Section, round: number, feeds: readonly Feed[]): Round {
  const bestOf = tree.settings.bestOfByRound[`${section}:${round}`] ?? tree.settings.bestOf
  const matches: (Draft | null)[] = []
  for (let index = 0; index < feeds.length; index += 2) {
    const first = feeds[index] ?? null
    const second = feeds[index + 1] ?? null
    matches.push(first === null && second === null ? null : addMatch(tree, section, round, bestOf, first, second))
  }
  return matches
}

function addMatch(tree: Tree, section: Section, round: number, bestOf: number, first: Feed, second: Feed): Draft {
  const number = tree.matches.length + 1
  const match: Draft = {
    number,
    section,
    round,
    group: null,
    winnerTo: null,
    loserTo: null,
    conditional: section === 'final' && round === 2,
    pairing: null,
    bestOf,
    sides: [sideOf(first, number, 0), sideOf(second, number, 1)],
    games: [],
    decision: null,
    started: false,
    reopened: false,
    status: 'locked',
    outcome: null,
  }
  tree.matches.push(match)
  return match
}

function sideOf(feed: Feed, match: number, side: SideIndex): Side {
  if (feed === null) return { ...openSide, bye: true, empty: true }
  if ('slot' in feed) return { ...openSide, slot: feed.slot, team: feed.team }
  if (feed.outcome === 'winner') feed.match.winnerTo = { match, side }
  else feed.match.loserTo = { match, side }
  return { ...openSide, from: { match: feed.match.number, outcome: feed.outcome } }
}

const openSide: Side = { slot: null, from: null, bye: false, team: null, empty: false, score: null, result: null }
