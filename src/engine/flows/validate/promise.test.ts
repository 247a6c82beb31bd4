import { expect, test } from 'vitest'
import { type Chance, playOut, playsOf } from '../../../../test/engine/session-play.ts'
import { next, start, stepAt } from '../cursor.ts'
import { completeFlow, type Flow, type LapsePolicy, type PartInput, type StepInput } from '../flow.ts'
import type { Machine } from '../machine.ts'
import { outcomeOf } from '../outcomes.ts'
import { mapsNeeded, presets } from '../presets.ts'
import { validateFlow } from './flow.ts'
import type { PoolMapFacts } from './types.ts'

/**
 * A flow without errors, fed with arbitrary legal acts, lapses and results, is decided within its worst case.
 * (match-flows: Validation, the promise)
 */

function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The number of turns until all final maps of the session are played, counted on a walk through the flow. */
function turnsOf(flow: Flow, machine: Machine): number {
  const games = machine.games.filter(({ isFinal, isGone }) => isFinal && !isGone)
  const wins = machine.seats.map(() => 0)
  const needed = flow.rules.play.mode === 'best_of' && flow.bestOf !== null ? (flow.bestOf + 1) / 2 : null
  const around = { isDecided: false, orderOf: () => machine.seats.map(({ seat }) => seat) }
  let cursor = start(flow, around)
  let turns = 0
  for (let played = 0; played < games.length && stepAt(flow, cursor) !== null; ) {
    const step = stepAt(flow, cursor)
    const isAtPoint = needed !== null && wins.every((count) => count === needed - 1)
    const isDue = step?.when === 'always' || isAtPoint === (step?.when === 'all_at_match_point')
    turns += 1
    if (step?.action === 'play' && isDue) {
      const game = games[played]
      const winner = game === undefined ? null : outcomeOf(machine, game).winner
      if (winner !== null) wins[winner - 1] = (wins[winner - 1] ?? 0) + 1
      played += 1
    }
    cursor = next(flow, cursor, around)
  }
  return turns
}

function plainPool(maps: number, flagged: number): readonly PoolMapFacts[] {
  return Array.from({ length: maps }, (_, index) => ({ flair: null, isTiebreaker: index < flagged }))
}

function isFlagging(flow: Flow): boolean {
  return JSON.stringify(flow).includes('"flagged"')
}

test.each(presets.map((preset) => [preset.name, preset] as const))('%s is decided', (_name, preset) => {
  for (let seed = 0; seed < 60; seed += 1) {
    const chance = chanceOf(seed)
    const bestOf = preset.bestOf ?? [1, 3, 5, 7][chance(4)] ?? 3
    const maps = mapsNeeded(preset, bestOf)
    const pool = plainPool(maps + chance(4), isFlagging(preset.flow) ? 1 : 0)
    const flow = { ...preset.flow, bestOf: preset.flow.rules.play.mode === 'best_of' ? bestOf : preset.bestOf }
    const { valid, worstCase } = validateFlow(flow, { bestOf: flow.bestOf, pool })
    expect(valid).toBe(true)
    const { fault, machine } = playOut(flow, pool, chance, { lapses: chance(3) / 2, ties: chance(3) / 4 })
    expect([seed, fault]).toEqual([seed, null])
    expect(turnsOf(flow, machine)).toBeLessThanOrEqual(worstCase.steps ?? 0)
  }
})

const flairs = [null, 'tech', 'speed', 'acc']

/** Random flows of all kinds, valid and invalid ones. */
function anyFlow(chance: Chance): Flow {
  const of = <T>(...from: readonly T[]): T => from[chance(from.length)] as T
  const maybe = (share: number) => chance(100) < share
  const seats = maybe(80) ? 2 : 3
  const pairs = seats === 2 ? of<readonly string[]>([], ['order'], ['pick', 'ban']) : []
  const actors = [
    ...['seat:1', 'seat:2', 'higherSeed', 'lowerSeed', 'rollWinner', 'rollLoser', 'referee', 'lastMapLoser'],
    ...pairs.flatMap((pair) => [`${pair}:1`, `${pair}:2`]),
  ]
  const policies: readonly LapsePolicy[] = ['skip', 'random', 'forfeit', ...(seats === 2 ? ['opponent' as const] : [])]
  const clock = (): Partial<StepInput> =>
    maybe(50) ? { seconds: 30, onTimeout: maybe(30) ? ['again', of(...policies)] : of(...policies) } : {}
  const from = (): Partial<StepInput> => {
    if (maybe(75)) return {}
    return of<Partial<StepInput>>(
      { from: { flairs: ['tech', 'speed'] } },
      { from: { exceptFlairs: ['acc'] } },
      { from: { tiebreakers: true } },
      { limits: [{ other_flair_than: 'own_last' }] },
      { limits: [{ other_flair_than: 'own_all', except: ['tech'] }] },
    )
  }
  const actor = (inEach: boolean) => {
    if (inEach && maybe(80)) return 'it'
    return maybe(15) ? ['leader', of(...actors)] : of(...actors)
  }
  const choice = (inEach: boolean): StepInput[] => {
    const when = maybe(10) ? of('all_at_match_point' as const, 'not_all_at_match_point' as const) : 'always'
    switch (chance(9)) {
      case 0:
        return [{ action: 'random' }]
      case 1:
        return [{ action: 'tiebreaker', source: of('flagged' as const, 'last_left' as const), when }]
      case 2:
        return [{ action: 'protect', actor: actor(inEach), ...clock() }]
      case 3:
        return [{ action: 'ban', actor: 'all', secret: true, seconds: 30, onTimeout: 'skip' }]
      case 4:
        return [{ action: 'lineup', actor: 'all' }]
      case 5:
        return [{ action: of('flair_ban' as const, 'flair_pick' as const), actor: actor(inEach), ...clock() }]
      default:
        return [{ action: 'ban', actor: actor(inEach), times: 1 + chance(2), ...clock(), ...from(), when }]
    }
  }
  const pick = (inEach: boolean): StepInput => {
    const lapse = clock()
    const isLost = maybe(85) && lapse.seconds !== undefined
    return { action: 'pick', actor: actor(inEach), ...lapse, ...(isLost ? { onTimeout: 'random' } : {}), ...from() }
  }
  const round = (inEach: boolean): PartInput[] => [
    ...(maybe(30) ? choice(inEach) : []),
    pick(inEach),
    ...(maybe(20) ? [{ action: 'ready', actor: 'all', seconds: 20 } as const] : []),
    ...(maybe(95) ? [{ action: 'play' } as const] : []),
  ]
  const opening: PartInput[] = [
    ...(maybe(70) ? [{ action: 'roll', actor: of('system', 'referee') } as const] : []),
    ...pairs.map((pair): PartInput => ({ action: 'choose', actor: of('seat:1', 'rollWinner'), pair, ...clock() })),
  ]
  const middle: PartInput[] = maybe(30)
    ? [{ each: 'lowest_seed_first', steps: choice(true) }]
    : maybe(50)
      ? choice(false)
      : []
  const isAll = maybe(20)
  const repeated = [...round(false), ...(maybe(40) ? round(false) : [])]
  const body: PartInput[] = isAll
    ? [{ repeat: 3, steps: round(false) }]
    : maybe(25)
      ? [...repeated, { repeat: 'until_decided', steps: round(false) }]
      : [{ repeat: 'until_decided', steps: repeated }]
  return completeFlow({
    seats,
    bestOf: of(1, 3, 5),
    pairs,
    steps: [...opening, ...middle, ...body],
    rules: {
      ...(isAll ? { play: { mode: 'play_all', maps: 3 }, decide: of('score_sum', 'wins') } : {}),
      tie: of<Flow['rules']['tie']>(['replay'], ['replay', 'other_map'], ['fewer_misses', 'replay'], []),
      replays: { rule: of('none', 'better_of_each', 'last_counts') },
    },
  })
}

test('any flow without errors is decided within its worst case', () => {
  let judged = 0
  for (let seed = 1; seed <= 3_000; seed += 1) {
    const chance = chanceOf(seed * 7_919)
    const written = anyFlow(chance)
    const flow = written.rules.play.mode === 'play_all' ? { ...written, bestOf: 7 } : written
    const size = 3 + chance(18)
    const pool = Array.from({ length: size }, () => ({
      flair: flairs[chance(chance(2) === 0 ? 1 : flairs.length)] ?? null,
      isTiebreaker: chance(8) === 0,
    }))
    const { valid, worstCase } = validateFlow(flow, { bestOf: flow.bestOf, pool })
    if (!valid) continue
    judged += 1
    for (let game = 0; game < 3; game += 1) {
      const { fault, machine } = playOut(flow, pool, chance, { lapses: chance(3) / 2, ties: chance(3) / 4 })
      expect([
        seed,
        fault,
        fault === null
          ? ''
          : JSON.stringify({ flow, pool, log: machine.rows.map(({ kind, seat, map }) => [kind, seat, map]) }),
      ]).toEqual([seed, null, ''])
      expect(turnsOf(flow, machine), `${seed}: ${playsOf(machine)} plays`).toBeLessThanOrEqual(worstCase.steps ?? 0)
    }
  }
  expect(judged).toBeGreaterThan(300)
})
