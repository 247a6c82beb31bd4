import { describe, expect, test } from 'vitest'
import { FlowTable, player, tableSeed as seed, tableSession as session } from '../../../test/flow-table.ts'
import type { FlowInput } from './flow.ts'
import { replay, replayUntil } from './replay.ts'
import { stateOf } from './state.ts'

const [one, two] = [player(1), player(2)]

const accsaber: FlowInput = {
  bestOf: 3,
  pairs: ['order'],
  steps: [
    { action: 'roll', actor: 'system' },
    { action: 'choose', actor: 'rollWinner', pair: 'order' },
    { action: 'ban', actor: 'order:2' },
    { action: 'ban', actor: 'order:1' },
    { action: 'pick', actor: 'order:1' },
    { action: 'pick', actor: 'order:2' },
    { action: 'ban', actor: 'order:1' },
    { action: 'ban', actor: 'order:2' },
    { action: 'tiebreaker', actor: 'system', source: 'last_left' },
    { repeat: 'until_decided', steps: [{ action: 'play' }] },
  ],
  rules: { replays: { rule: 'better_of_each', perMatch: 1, perMap: 1, by: 'player', windowSeconds: 60 } },
}

describe('the played log', () => {
  test('comes to the published states', () => {
    const table = new FlowTable({ flow: accsaber })
    expect(table.machine.rows.map(({ kind }) => kind)).toEqual(['start', 'roll'])
    expect(table.machine.rows[1]).toMatchObject({ data: { rolls: [75, 47] } })
    table.act(one, { action: 'choose', pair: 'order', place: 1 })
    table.act(two, { action: 'ban', map: 'm3' })
    table.act(one, { action: 'ban', map: 'm5' })
    table.act(one, { action: 'pick', map: 'm1' })
    table.act(two, { action: 'pick', map: 'm4' })
    table.act(one, { action: 'ban', map: 'm2' })
    table.undo()
    expect(table.state.turn).toMatchObject({ action: 'ban', seats: [1] })
    table.act(one, { action: 'ban', map: 'm7' })
    table.act(two, { action: 'ban', map: 'm2' })
    expect(table.machine.rows.at(-1)).toMatchObject({ position: 12, kind: 'tiebreaker', map: 'm6', data: {} })
    table.scores(812_340, 815_002)
    expect(table.state).toMatchObject({ phase: 'window', clock: { number: 13 } })
    table.claim(one)
    const claimed = table.state
    expect(claimed).toMatchObject({
      phase: 'playing',
      scoreline: [0, 0],
      turn: { action: 'play', game: 1, run: 2 },
      games: [{ phase: 'replay', provisional: 2, winner: null }, {}, {}],
    })
    expect(claimed.seats.map(({ replaysLeft }) => replaysLeft)).toEqual([0, 1])
    table.scores(820_111, 809_950)
    expect(table.state).toMatchObject({
      scoreline: [1, 0],
      games: [{ totals: [820_111, 815_002], counted: [2, 1], winner: 1, because: 'better_of_each' }, {}, {}],
    })
    table.scores(700_000, 700_000)
    table.scores(698_500, 701_250)
    expect(table.state.scoreline).toEqual([1, 1])
    table.scores(905_120, 905_121)
    const { rows } = table.machine
    expect(rows.slice(-2)).toMatchObject([
      { position: 19, kind: 'finish', data: { winner: 2 } },
      { position: 20, kind: 'reveal', data: { seed: Buffer.from(seed).toString('hex') } },
    ])
    const over = table.state
    expect(over).toMatchObject({ position: 20, status: 'over', phase: 'over', scoreline: [1, 2], winner: 2 })
    expect(over.seats).toMatchObject([
      { roll: 75, places: { order: 1 }, wins: 1, replaysLeft: 0 },
      { roll: 47, places: { order: 2 }, wins: 2, replaysLeft: 1 },
    ])
    expect(over.maps.map(({ map, state, seat }) => [map, state, seat])).toEqual([
      ['m1', 'played', 1],
      ['m2', 'banned', 2],
      ['m3', 'banned', 2],
      ['m4', 'played', 2],
      ['m5', 'banned', 1],
      ['m6', 'played', null],
      ['m7', 'banned', 1],
    ])
    expect(over.games).toMatchObject([
      { game: 1, map: 'm1', winner: 1, because: 'better_of_each' },
      { game: 2, map: 'm4', totals: [698_500, 701_250], counted: [1, 1], chain: 2, winner: 2, because: 'score' },
      { game: 3, map: 'm6', totals: [905_120, 905_121], counted: [1, 1], winner: 2, because: 'score' },
    ])
    expect(over.picksBans.map(({ mapGuid, seat, kind }) => [mapGuid, seat, kind])).toEqual([
      ['m3', 2, 'ban'],
      ['m5', 1, 'ban'],
      ['m1', 1, 'pick'],
      ['m4', 2, 'pick'],
      ['m7', 1, 'ban'],
      ['m2', 2, 'ban'],
      ['m6', null, 'tiebreaker'],
    ])
  })

  test('is the same however far it is read', () => {
    const table = new FlowTable({ flow: accsaber })
    const states = [table.state]
    table.act(one, { action: 'choose', pair: 'order', place: 2 })
    states.push(table.state)
    table.act(one, { action: 'ban', map: 'm1' })
    states.push(table.state)
    table.undo()
    expect({ ...table.state, position: 0, clock: null, lastUndoable: null }).toEqual({
      ...states[1],
      position: 0,
      clock: null,
      lastUndoable: null,
    })
    const again = replayUntil(session, table.machine.rows, 3)
    expect(stateOf(again, 0, { seats: [], isReferee: true })).toEqual({ ...states[1] })
    expect(stateOf(replay(session, table.machine.rows), table.now, { seats: [], isReferee: true })).toEqual(table.state)
  })
})
