import { isDeepStrictEqual } from 'node:util'
import { planSwissRound } from '../../../../engine/swiss.ts'
import { formats, type Match, withdrawalPolicies } from '../../../../engine/types.ts'
import { maxEntrants, minEntrants } from '../../../brackets/brackets/rules/entrants.ts'
import { planMatches, standingsOf } from '../../../brackets/brackets/rules/plan.ts'
import { toEngine } from '../../../brackets/matches/rules.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { firstLie, type Lie, ofBracket, ofEntrant, ofMatch, originOf, shown, type WholeBracket } from './lies.ts'

/**
 * The structure of a bracket follows from its format, its settings and the number of its places: which matches there
 * are, and which of them fill which sides. (P6)
 */

/**
 * How far pairings can be computed again. Later rounds of a Swiss bracket were paired by the results of that time.
 * Corrections, withdrawals and logs of flows change results afterwards and leave the pairs as they are; then only the
 * form of a round is checked.
 */
export interface Past {
  /** Whether no result may have changed since a later round was paired. */
  readonly isUnchanged: boolean
  /** Whether a team has come back, which had left and may have missed rounds. */
  readonly hasReturned: boolean
}

/** Pairing takes time in the third power of the number of teams. */
const mostPairedAgain = 128

export function structureLie(whole: WholeBracket, past: Past): Lie | null {
  return entrantsLie(whole) ?? (whole.bracket.format === 'swiss' ? swissLie(whole, past) : treeLie(whole))
}

/** The later rounds of a Swiss bracket are paired by the results before them. Call once these are known to be right. */
export function pairingLie(whole: WholeBracket, past: Past): Lie | null {
  const { bracket, entrants, matches } = whole
  const isOfToday = past.isUnchanged && entrants.every(({ withdrawal, team }) => withdrawal === null && team !== null)
  if (bracket.format !== 'swiss' || !isOfToday || entrants.length > mostPairedAgain) return null
  const guids = guidsOf(matches)
  for (const [round, records] of Map.groupBy(matches, (match) => match.round)) {
    const [first] = records
    if (round === 1 || first === undefined) continue
    const earlier = matches.filter((match) => match.round < round).map(toEngine)
    const standings = standingsOf(bracket, earlier, entrants)
    const board = { matches: earlier, entrants, standings, withdrawn: new Map() }
    const planned = planSwissRound(board, bracket.settings, 1)
    const numbering = { offset: first.number - 1, guids }
    const lie = firstLie(records, (record, index) => {
      const pair = planned[index]
      return pair === undefined ? ofMatch(record, 'round', 'has a match too many') : plannedLie(record, pair, numbering)
    })
    if (lie !== null) return lie
  }
  return null
}

function entrantsLie({ bracket, entrants }: WholeBracket): Lie | null {
  const { format } = bracket
  if (!formats.includes(format)) return ofBracket(bracket, 'format', 'is not known')
  if (entrants.length < minEntrants || entrants.length > maxEntrants) {
    const words = `has ${entrants.length} entrants, where ${minEntrants} to ${maxEntrants} are possible`
    return ofBracket(bracket, null, words)
  }
  const seen = new Set<string>()
  const isTable = format === 'round_robin' || format === 'swiss'
  const own = firstLie(entrants, (entrant, index) => {
    const { slot, team, withdrawal } = entrant
    if (slot !== index + 1) return ofEntrant(bracket, entrant, 'slot', `must be ${index + 1}`)
    if (team !== null && seen.has(team)) return ofEntrant(bracket, entrant, 'teamGuid', 'has another slot already')
    if (team !== null) seen.add(team)
    if (withdrawal === null) return null
    const isPossible = withdrawalPolicies.includes(withdrawal) && team !== null && (isTable || withdrawal !== 'void')
    return isPossible ? null : ofEntrant(bracket, entrant, 'withdrawal', 'is not possible there')
  })
  return own ?? seedsLie({ bracket, entrants })
}

/** Teams enter a bracket in the order of their seeds. Seeds stay with their places. */
function seedsLie({ bracket, entrants }: Pick<WholeBracket, 'bracket' | 'entrants'>): Lie | null {
  const ranks = new Map(placesOf({ bracket, entrants }).entrants.map(({ slot, seed }) => [slot, seed ?? 0]))
  const ranked = entrants.toSorted((one, other) => (ranks.get(one.slot) ?? 0) - (ranks.get(other.slot) ?? 0))
  let last = 0
  return firstLie(ranked, (entrant) => {
    const { seed } = entrant
    if (seed === null) return null
    if (seed <= last) return ofEntrant(bracket, entrant, 'seed', `must be above ${last}, by the order of the slots`)
    last = seed
    return null
  })
}

/** The plan of a bracket of this size, with places by rank instead of seeds and teams. */
function placesOf({ bracket, entrants }: Pick<WholeBracket, 'bracket' | 'entrants'>) {
  const ranked = entrants.map((_, index) => ({ seed: index + 1, team: null }))
  return planMatches(bracket.format, ranked, bracket.settings)
}

function treeLie({ bracket, entrants, matches }: WholeBracket): Lie | null {
  const plan = placesOf({ bracket, entrants })
  const guids = guidsOf(matches)
  if (matches.length !== plan.matches.length) {
    return ofBracket(bracket, null, `must have ${plan.matches.length} matches, and has ${matches.length}`)
  }
  const offset = (matches[0]?.number ?? 1) - 1
  return firstLie(matches, (record, index) => plannedLie(record, plan.matches[index] as Match, { offset, guids }))
}

function guidsOf(matches: readonly MatchRecord[]): ReadonlyMap<number, string> {
  return new Map(matches.map(({ number, guid }) => [number, guid]))
}

interface Numbering {
  /** What is added to the numbers of the plan. */
  readonly offset: number
  readonly guids: ReadonlyMap<number, string>
}

/** Compares a match with the plan, which does not know teams and results. */
function plannedLie(record: MatchRecord, planned: Match, { offset, guids }: Numbering): Lie | null {
  const moved = <T extends { readonly match: number }>(to: T | null): T | null =>
    to && { ...to, match: to.match + offset }
  const guidOf = (to: { readonly match: number } | null) =>
    to === null ? null : (guids.get(to.match + offset) ?? null)
  const linkWords = (to: { readonly match: number } | null) =>
    to === null ? 'must be null' : `must be the GUID of match ${to.match + offset}`
  const expected: readonly (readonly [keyof MatchRecord, unknown, string?])[] = [
    ['number', planned.number + offset],
    ['section', planned.section],
    ['round', planned.round],
    ['groupIndex', planned.group],
    ['conditional', planned.conditional],
    ['winnerTo', moved(planned.winnerTo)],
    ['loserTo', moved(planned.loserTo)],
    ['nextMatchGuid', guidOf(planned.winnerTo), linkWords(planned.winnerTo)],
    ['loserMatchGuid', guidOf(planned.loserTo), linkWords(planned.loserTo)],
  ]
  for (const [member, value, words] of expected) {
    if (!isDeepStrictEqual(record[member], value)) return ofMatch(record, member, words ?? `must be ${shown(value)}`)
  }
  const index = planned.sides.findIndex((side, at) => {
    const own = record.sides[at]
    const from = side.from && { ...moved(side.from), guid: guidOf(side.from) }
    return own?.slot !== side.slot || own.bye !== side.bye || !isDeepStrictEqual(own.from, from)
  })
  const wrong = planned.sides[index]
  if (wrong === undefined) return null
  return ofMatch(record, 'sides', `must have on side ${index + 1}: ${originOf({ ...wrong, from: moved(wrong.from) })}`)
}

function swissLie(whole: WholeBracket, past: Past): Lie | null {
  const { bracket, entrants, matches } = whole
  const { matches: first } = placesOf(whole)
  const made = matches.at(-1)?.round ?? 0
  const playing = entrants.filter(({ withdrawal }) => withdrawal === null)
  const { roundsMade, settings } = bracket
  // A round that no team was left for has no matches.
  if (roundsMade < made || (roundsMade > made && playing.length > 0) || roundsMade > settings.rounds) {
    return ofBracket(bracket, 'roundsMade', `must be ${Math.min(made, settings.rounds)}`)
  }
  const rounds = Map.groupBy(matches, ({ round }) => round)
  if ((rounds.get(1)?.length ?? 0) !== first.length) {
    return ofBracket(
      bracket,
      null,
      `must have ${first.length} matches in round 1, and has ${rounds.get(1)?.length ?? 0}`,
    )
  }
  const guids = guidsOf(matches)
  const order = firstLie(matches, (record, index) => {
    const before = matches[index - 1]
    const isNext = record.round === (before?.round ?? 0) + 1
    if (!isNext && record.round !== before?.round) return ofMatch(record, 'round', 'is out of the order of the numbers')
    const isInRow = isNext || record.number === (before?.number ?? 0) + 1
    return isInRow ? null : ofMatch(record, 'number', `must be ${(before?.number ?? 0) + 1}`)
  })
  if (order !== null) return order
  const offset = (matches[0]?.number ?? 1) - 1
  for (const [round, records] of rounds) {
    const lie =
      round === 1
        ? firstLie(records, (record, index) => plannedLie(record, first[index] as Match, { offset, guids }))
        : roundLie(whole, records, past)
    if (lie !== null) return lie
  }
  return null
}

/** Each team plays once in a round, or sits it out. */
function roundLie({ bracket, entrants }: WholeBracket, records: readonly MatchRecord[], past: Past): Lie | null {
  const slots = new Set<number>()
  const last = records.length - 1
  const own = firstLie(records, (record, index) => {
    const { section, groupIndex, conditional, winnerTo, loserTo, nextMatchGuid, loserMatchGuid } = record
    if (section !== 'swiss') return ofMatch(record, 'section', 'must be "swiss"')
    const links = { groupIndex, winnerTo, loserTo, nextMatchGuid, loserMatchGuid }
    const linked = Object.entries(links).find(([, value]) => value !== null)
    if (linked !== undefined) return ofMatch(record, linked[0], 'must be null')
    if (conditional) return ofMatch(record, 'conditional', 'must be false')
    const isFaulty = record.sides.some(({ slot, from, bye }, side) => {
      if (from !== null) return true
      if (bye) return slot !== null || side === 0 || index !== last
      if (slot === null || slot < 1 || slot > entrants.length || slots.has(slot)) return true
      slots.add(slot)
      return false
    })
    return isFaulty ? ofMatch(record, 'sides', 'must have two slots that no other match of the round has') : null
  })
  if (own !== null || past.hasReturned) return own
  const missed = entrants.find(({ slot, withdrawal }) => withdrawal === null && !slots.has(slot))
  return missed === undefined ? null : ofEntrant(bracket, missed, 'slot', `has no match in round ${records[0]?.round}`)
}
