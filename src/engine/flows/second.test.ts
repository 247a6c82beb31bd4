import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FlowTable, player, poolOf, referee, refusal, tableSession, teamOf } from '../../../test/flow-table.ts'
import { anyFlow } from '../../../test/flows/random-flow.ts'
import { chanceOf, RandomPlayer, warningGuid } from '../../../test/flows/random-play.ts'
import { faultsOf } from '../../../test/flows/second-checks.ts'
import { pictureOfFollower, pictureOfState } from '../../../test/flows/second-picture.ts'
import { follow } from '../../../test/flows/second-replayer.ts'
import { completeFlow } from './flow.ts'
import { presets } from './presets.ts'
import type { Row } from './rows.ts'
import type { State } from './state-types.ts'

/**
 * Each position of a log, computed by the engine and by the second implementation, and checked against the draws.
 * (match-flows: What proves it)
 */

/** A random flow with its pool, played at random. */
function played(
  seed: number,
  deeds: number,
  ruled: number,
): { readonly table: FlowTable; readonly player: RandomPlayer } {
  const chance = chanceOf(seed)
  const isPreset = chance() < 0.4
  const preset = presets[Math.floor(chance() * presets.length)]
  const any = anyFlow(chance)
  const flow = isPreset && preset !== undefined ? { ...preset.flow, bestOf: preset.flow.bestOf ?? 3 } : any.flow
  const pool = isPreset ? poolOf(18, (number) => ({ isTiebreaker: number === 18 })) : any.pool
  const players = flow.rules.map.players ?? 1
  const teams = Array.from({ length: flow.seats }, (_, index) => teamOf(index + 1, players + 1))
  const table = new FlowTable({
    flow: { ...flow, rules: { ...flow.rules, map: { ...flow.rules.map, players } } },
    pool,
    teams,
    isFree: flow.seats > 2,
    startsInSeconds: 30,
  })
  for (const { seat } of table.machine.seats) {
    if (chance() < 0.5) table.act(seat, { action: 'nonce', nonce: `text of ${seat}` })
  }
  const random = new RandomPlayer(table, chance, { rulings: ruled, lapses: 0.2, ties: 0.1 })
  for (let count = 0; count < deeds && table.state.status !== 'over'; count += 1) random.step()
  return { table, player: random }
}

/** The part of the state that an undo restores. */
function restored(state: State): object {
  const { position: _position, clock: _clock, lastUndoable: _last, ...rest } = state
  return rest
}

describe('a log', () => {
  test('comes to the same at every position, by both readings and as it was then', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { table } = played(seed, 30, 0.2)
        for (let position = 1; position <= table.rows.length; position += 1) {
          const rows = table.rows.slice(0, position)
          expect(pictureOfFollower(follow(rows, warningGuid)), `at ${position}`).toEqual(
            pictureOfState(table.stateAt(position)),
          )
        }
        expect(table.stateAt(table.rows.length)).toEqual(table.state)
      }),
      { numRuns: 25 },
    )
  })

  test('of which a row was undone is what it was before it', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 25 }), (seed, deeds) => {
        const { table, player: random } = played(seed, deeds, 0.1)
        if (table.state.status !== 'running') return
        const before = table.state
        const { position } = before
        random.step()
        const first = table.rows[position]
        if (table.machine.ending !== null || first === undefined) return
        const isKept = ['clock', 'undo', 'nonce', 'present', 'timeout'].includes(first.kind)
        // If the time of several seats is over together, each undo takes back one lapse.
        const lapses = table.rows.slice(position).filter(({ kind }) => kind === 'lapse').length
        const isRedraw = first.kind === 'override' && first.data.op === 'redraw'
        if (isKept || isRedraw) return
        for (let count = 0; count < Math.max(1, lapses); count += 1) table.undo()
        expect(restored(table.state), `${first.kind} at ${first.position}`).toEqual(restored(before))
      }),
      { numRuns: 120 },
    )
  })

  test('proves its draws, and that nothing was chosen that was not legal', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { table } = played(seed, 30, 0.1)
        if (table.state.status !== 'over') table.put({ kind: 'finish', data: { winner: null, reason: 'Enough.' } })
        expect(faultsOf(tableSession, table.rows, warningGuid)).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  const flow = completeFlow({
    bestOf: 3,
    steps: [
      { action: 'roll', actor: 'system' },
      { action: 'ban', actor: 'rollWinner' },
      { action: 'random', times: 2 },
      { action: 'tiebreaker', source: 'last_left' },
      { repeat: 'until_decided', steps: [{ action: 'play' }] },
    ],
    rules: { replays: { rule: 'none' } },
  })

  test('with a roll, a map, a nonce or a seed that was changed fails', () => {
    const table = new FlowTable({ flow, pool: poolOf(6), startsInSeconds: 30 })
    table.act(1, { action: 'nonce', nonce: 'left' })
    table.lapse()
    table.act(referee, { action: 'ban', map: 'm2', seat: table.state.turn?.seats[0] })
    table.scores(900, 800)
    table.scores(900, 800)
    expect(table.state.status).toBe('over')
    expect(faultsOf(tableSession, table.rows)).toEqual([])
    const changed = (kind: Row['kind'], change: (row: Row) => object): readonly string[] =>
      faultsOf(
        tableSession,
        table.rows.map((row) => (row.kind === kind ? ({ ...row, ...change(row) } as Row) : row)),
      )
    expect(changed('roll', ({ data }) => ({ data: { ...data, rolls: [100, 1] } }))).not.toEqual([])
    const other = (row: Row) => ({ map: row.map === 'm1' ? 'm3' : 'm1' })
    expect(changed('random', other)).not.toEqual([])
    expect(changed('tiebreaker', other)).not.toEqual([])
    expect(changed('ban', () => ({ map: 'm7' }))).not.toEqual([])
    expect(changed('nonce', () => ({ data: { nonce: 'right' } }))).not.toEqual([])
    expect(changed('reveal', () => ({ data: { seed: '00'.repeat(32) } }))).not.toEqual([])
    expect(changed('finish', () => ({ data: { winner: 2 } }))).not.toEqual([])
  })

  test('takes texts until the steps begin, and never after a draw, though it was undone', () => {
    const table = new FlowTable({ flow, pool: poolOf(6), startsInSeconds: 30 })
    expect(table.state.phase).toBe('starting')
    table.act(1, { action: 'nonce', nonce: 'left' })
    expect(refusal(() => table.act(1, { action: 'nonce', nonce: 'again' }))).toBe('flow.wrong_action')
    expect(refusal(() => table.act(2, { action: 'nonce' }))).toBe('flow.act_invalid')
    expect(refusal(() => table.act(player(3), { action: 'nonce', nonce: 'x' }))).toBe('flow.not_your_turn')
    table.lapse()
    const [roll] = table.rows.filter(({ kind }) => kind === 'roll')
    expect(refusal(() => table.act(2, { action: 'nonce', nonce: 'right' }))).toBe('flow.wrong_action')
    table.undo()
    expect(table.state.phase).toBe('starting')
    expect(refusal(() => table.act(2, { action: 'nonce', nonce: 'right' }))).toBe('flow.wrong_action')
    table.lapse()
    expect(table.rows.findLast(({ kind }) => kind === 'roll')?.data).toEqual(roll?.data)
  })

  test('has a draw repeated by a referee until somebody has acted on it', () => {
    const table = new FlowTable({ flow, pool: poolOf(6) })
    table.override({ op: 'redraw' })
    expect(table.rows.slice(-2)).toMatchObject([
      { kind: 'override', data: { op: 'redraw', of: [2], draws: [1, 2] } },
      { kind: 'roll', data: { draw: { number: 1, redraw: 1 } } },
    ])
    table.act(referee, { action: 'ban', map: 'm2', seat: table.state.turn?.seats[0] })
    table.override({ op: 'redraw' })
    // Only the last draw is repeated; the one before it stays.
    expect(table.rows.at(-1)).toMatchObject({
      kind: 'tiebreaker',
      data: { draw: { number: 5, redraw: 1, outcomes: 3 } },
    })
    table.scores(900, 800)
    expect(refusal(() => table.override({ op: 'redraw' }))).toBe('flow.nothing_to_undo')
  })
})
