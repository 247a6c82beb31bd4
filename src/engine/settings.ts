import { invalid } from '../core/problem.ts'
import {
  distributions,
  type Format,
  grandFinals,
  type Points,
  type Settings,
  seedOrderings,
  type TieBreaker,
  tieBreakers,
} from './types.ts'

/** Settings as requested, not validated. */
export type SettingsInput = Readonly<Partial<Record<keyof Settings, unknown>>>

interface Facts {
  readonly format: Format
  /** The number of places in the bracket. */
  readonly entrants: number
}

const everywhere = ['bestOf', 'bestOfByRound', 'seedOrdering', 'tieBreakers'] as const

/** The settings that a format reads, and that callers show. (additions: D) */
export const settingNames: Readonly<Record<Format, readonly (keyof Settings)[]>> = {
  single_elimination: [...everywhere, 'thirdPlace'],
  double_elimination: [...everywhere, 'grandFinal'],
  round_robin: [...everywhere, 'groups', 'legs', 'distribution', 'points', 'allowDraws'],
  swiss: [...everywhere, 'rounds', 'points', 'allowDraws', 'byePoints', 'avoidRematches'],
}

const maxRounds = 50
const maxRoundRobinMatches = 5000

/**
 * Validates the settings of a bracket and fills in the defaults. (additions: D; G2)
 *
 * A setting that the format does not read may be given only with its default.
 * @throws `bracket.settings_invalid`
 */
export function readSettings(format: Format, input: SettingsInput, entrants: number): Settings {
  const facts = { format, entrants }
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(readers, name))
  if (unknown !== undefined) throw refusal(`A bracket has no setting ${unknown.slice(0, 40)}.`)
  const defaults = defaultSettings(facts)
  const read = <Name extends keyof Settings>(name: Name): Settings[Name] => {
    const given = input[name]
    if (given === undefined) return defaults[name]
    if (settingNames[format].includes(name)) return readers[name](given, name, facts)
    if (JSON.stringify(given) === JSON.stringify(defaults[name])) return defaults[name]
    throw refusal(`Leave out ${name}: it means nothing to ${format}.`)
  }
  const points = read('points')
  const settings: Settings = {
    bestOf: read('bestOf'),
    bestOfByRound: read('bestOfByRound'),
    seedOrdering: read('seedOrdering'),
    thirdPlace: read('thirdPlace'),
    grandFinal: read('grandFinal'),
    groups: read('groups'),
    legs: read('legs'),
    distribution: read('distribution'),
    points,
    allowDraws: read('allowDraws'),
    rounds: read('rounds'),
    byePoints: format === 'swiss' && input.byePoints === undefined ? points.win : read('byePoints'),
    avoidRematches: read('avoidRematches'),
    tieBreakers: read('tieBreakers'),
  }
  if (format === 'round_robin') checkRoundRobinSize(settings, entrants)
  return settings
}

function defaultSettings({ format, entrants }: Facts): Settings {
  return {
    bestOf: 3,
    bestOfByRound: {},
    seedOrdering: 'standard',
    thirdPlace: false,
    grandFinal: format === 'double_elimination' ? 'reset' : 'none',
    groups: 1,
    legs: 1,
    distribution: 'snake',
    points: { win: 3, draw: 1, loss: 0 },
    allowDraws: false,
    rounds: format === 'swiss' ? Math.max(1, Math.ceil(Math.log2(entrants))) : 0,
    byePoints: 3,
    avoidRematches: true,
    tieBreakers: defaultTieBreakers[format],
  }
}

/** Elimination needs no tie-breakers: the round of the last loss decides the rank. */
const defaultTieBreakers: Readonly<Record<Format, readonly TieBreaker[]>> = {
  single_elimination: [],
  double_elimination: [],
  round_robin: ['points', 'head_to_head', 'game_difference', 'games_won', 'seed'],
  swiss: ['points', 'median_buchholz', 'buchholz', 'game_difference', 'seed'],
}

type Reader<Value> = (given: unknown, name: string, facts: Facts) => Value

const readers: { readonly [Name in keyof Settings]: Reader<Settings[Name]> } = {
  bestOf: readBestOf,
  bestOfByRound: readBestOfByRound,
  seedOrdering: oneOf(seedOrderings),
  thirdPlace: readSwitch,
  grandFinal: oneOf(grandFinals),
  groups: (given, name, { entrants }) => readWhole(given, name, 1, Math.max(1, Math.floor(entrants / 2))),
  legs: oneOf([1, 2]),
  distribution: oneOf(distributions),
  points: readPoints,
  allowDraws: readSwitch,
  rounds: (given, name, { entrants }) => readWhole(given, name, 1, maxSwissRounds(entrants)),
  byePoints: (given, name) => readWhole(given, name, 0, 1000),
  avoidRematches: readSwitch,
  tieBreakers: readTieBreakers,
}

/** The maximum number of rounds: one per opponent, and one more for the bye of an odd number. */
function maxSwissRounds(entrants: number): number {
  return Math.min(maxRounds, Math.max(1, entrants % 2 === 0 ? entrants - 1 : entrants))
}

function readWhole(given: unknown, name: string, least: number, most: number): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= least && given <= most) return given
  throw refusal(`${name} must be a whole number from ${least} to ${most} here.`)
}

function readSwitch(given: unknown, name: string): boolean {
  if (typeof given === 'boolean') return given
  throw refusal(`${name} must be true or false.`)
}

function oneOf<const Value>(values: readonly Value[]): Reader<Value> {
  return (given, name) => {
    const value = values.find((candidate) => candidate === given)
    if (value === undefined) throw refusal(`${name} must be one of: ${values.join(', ')}.`)
    return value
  }
}

function readBestOf(given: unknown, name: string): number {
  if (typeof given === 'number' && given % 2 === 1 && given >= 1 && given <= 99) return given
  throw refusal(`${name} must be an odd number from 1 to 99.`)
}

const roundKey = /^(?:upper|lower|final|third_place|group|swiss):[1-9]\d*$/
const maxRoundKeys = 200

function readBestOfByRound(given: unknown, name: string): Settings['bestOfByRound'] {
  const entries = Object.entries(readObject(given, name))
  if (entries.length > maxRoundKeys) throw refusal(`${name} may name at most ${maxRoundKeys} rounds.`)
  return Object.fromEntries(
    entries.map(([key, bestOf]) => {
      if (!roundKey.test(key)) throw refusal(`${name} names rounds by section and number, such as upper:1.`)
      return [key, readBestOf(bestOf, `${name} of ${key}`)]
    }),
  )
}

function readPoints(given: unknown, name: string): Points {
  const { win, draw, loss } = readObject(given, name)
  const points = {
    win: readWhole(win, `${name}.win`, 0, 1000),
    draw: readWhole(draw, `${name}.draw`, 0, 1000),
    loss: readWhole(loss, `${name}.loss`, 0, 1000),
  }
  if (points.win >= points.draw && points.draw >= points.loss) return points
  throw refusal('A win must be worth at least as many points as a draw, and a draw as a loss.')
}

function readTieBreakers(given: unknown, name: string, { format }: Facts): readonly TieBreaker[] {
  if (!Array.isArray(given)) throw refusal(`${name} must be a list.`)
  const read = oneOf(tieBreakers)
  const list = given.map((item: unknown) => read(item, `Each of ${name}`, { format, entrants: 0 }))
  if (new Set(list).size < list.length) throw refusal(`${name} may name each tie-breaker once.`)
  if (list.length === 0 && defaultTieBreakers[format].length > 0) throw refusal(`${name} must name at least one.`)
  return list
}

function readObject(given: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { ...given }
  throw refusal(`${name} must be an object.`)
}

/** Refuses a round robin with too many matches before it is generated. (D8) */
function checkRoundRobinSize({ groups, legs }: Settings, entrants: number): void {
  const small = Math.floor(entrants / groups)
  const larger = entrants % groups
  const pairs = larger * pairsOf(small + 1) + (groups - larger) * pairsOf(small)
  if (pairs * legs <= maxRoundRobinMatches) return
  throw refusal(
    `This would make ${pairs * legs} matches; choose more groups, or one leg, so that there are at most ${maxRoundRobinMatches}.`,
  )
}

function pairsOf(members: number): number {
  return (members * (members - 1)) / 2
}

function refusal(message: string) {
  return invalid('bracket.settings_invalid', message)
}
