import { describe, expect, test } from 'vitest'
import { completeFlow, type Flow, type PartInput } from './flow.ts'
import { presets } from './presets.ts'
import { type Move, numberOf, type Simulated, simulate } from './simulation.ts'

/** Trials of flows: whatever they are, they tell whose turn it is, and throw nothing. */

const pool = (maps: number) =>
  Array.from({ length: maps }, (_, index) => ({
    flair: ['tech', 'speed', null][index % 3] ?? null,
    isTiebreaker: index === maps - 1,
  }))

/** A move that the state offers; null where it offers none. */
function nextMove({ state }: Simulated, chance: (below: number) => number): Move | null {
  const { turn, phase, stuck, clock } = state
  if (phase === 'over') return null
  if (stuck !== null) return stuck.startsWith('level') ? { kind: 'result', winner: 1 } : { kind: 'skip' }
  if (turn === null) return null
  if (turn.action === 'play') return { kind: 'result', winner: chance(5) === 0 ? null : 1 + chance(state.seats.length) }
  if (clock !== null && chance(3) === 0) return { kind: 'lapse' }
  const option = turn.options[chance(Math.max(1, turn.options.length))]
  const seat = turn.actor === 'seats' ? turn.seats[0] : undefined
  const act = { kind: 'act', seat } as const
  if (turn.action === 'roll') return { ...act, seat: undefined, rolls: state.seats.map((_, index) => 90 - index) }
  if (turn.action === 'choose') return { ...act, place: 1 }
  if (turn.action.startsWith('flair')) return { ...act, flair: String(option) }
  return option === undefined || turn.action === 'lineup' ? act : { ...act, map: numberOf(String(option)) }
}

function play(flow: Flow, maps: number, chance: (below: number) => number, most = 120) {
  const moves: Move[] = []
  const at = () => simulate({ flow, bestOf: 3, pool: pool(maps), seed: 'a', moves })
  let state = at()
  for (let count = 0; count < most; count += 1) {
    const move = nextMove(state, chance)
    if (move === null) break
    moves.push(move)
    state = at()
    if (state.refused !== null) break
  }
  return state
}

/** Numbers that look random, and are the same in each run. */
function numbers(from: number) {
  let value = from
  return (below: number) => {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(value / 65_536) % below
  }
}

describe('a flow that is tried', () => {
  test.each(presets.map(({ name, flow, maps }) => [name, flow, maps] as const))('%s ends', (_name, flow, maps) => {
    const size = typeof maps === 'number' ? maps : maps.beyondBestOf + 3
    for (const from of [1, 2, 3]) {
      const { state, refused } = play(flow, size + 3, numbers(from))
      expect([refused, state.phase]).toEqual([null, 'over'])
    }
  })

  test('stops at the first move that is not possible, and says why', () => {
    const flow = presets.find(({ name }) => name === 'counterpick-bo5')?.flow
    if (flow === undefined) throw new Error('no preset')
    const moves: Move[] = [
      { kind: 'act', map: 1 },
      { kind: 'act', map: 1 },
      { kind: 'act', map: 2 },
    ]
    const { taken, refused, state, rows } = simulate({ flow, bestOf: null, pool: pool(15), seed: 'a', moves })
    expect([taken, refused]).toEqual([1, 'This map is banned.'])
    expect(rows.map(({ kind, seat, map }) => [kind, seat, map])).toEqual([
      ['start', null, null],
      ['ban', 2, 'm1'],
    ])
    expect(state.turn).toMatchObject({ action: 'ban', seats: [1], step: '2' })
  })

  test('may be one that is full of faults', () => {
    const chance = numbers(7)
    const actors = [
      'seat:1',
      'seat:9',
      'rollWinner',
      'order:1',
      'x:2',
      'lastMapLoser',
      'leader',
      'it',
      'all',
      'referee',
      'system',
      'higherSeed',
    ]
    const actions = [
      'roll',
      'choose',
      'protect',
      'ban',
      'pick',
      'random',
      'tiebreaker',
      'flair_pick',
      'flair_ban',
      'lineup',
      'ready',
      'break',
      'play',
    ] as const
    const part = (depth: number): PartInput => {
      const kind = chance(6)
      if (depth < 2 && kind === 0)
        return { repeat: chance(2) === 0 ? 'until_decided' : 2, steps: [part(depth + 1), part(depth + 1)] }
      if (depth < 2 && kind === 1)
        return {
          each: ['lowest_seed_first', 'order', 'last_first', 'nobody'][chance(4)] ?? '',
          steps: [part(depth + 1)],
        }
      const policy = (['again', 'skip', 'random', 'opponent', 'forfeit', 'lose_map', 'proceed', 'hold'] as const)[
        chance(8)
      ]
      return {
        action: actions[chance(actions.length)] ?? 'play',
        actor: actors[chance(actors.length)] ?? 'system',
        seconds: chance(2) === 0 ? 30 : null,
        ...(policy !== undefined && { onTimeout: policy }),
        secret: chance(4) === 0,
        times: 1 + chance(2),
        pair: chance(2) === 0 ? 'order' : null,
        source: chance(2) === 0 ? 'flagged' : 'last_left',
      }
    }
    for (let count = 0; count < 60; count += 1) {
      const steps = Array.from({ length: 1 + chance(6) }, () => part(0))
      const flow = completeFlow({ seats: 2 + chance(3), bestOf: 3, pairs: chance(2) === 0 ? ['order'] : [], steps })
      play(flow, chance(5), chance, 20)
    }
  })
})
