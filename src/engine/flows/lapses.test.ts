import { describe, expect, test } from 'vitest'
import { FlowTable, player, poolOf, referee, refusal } from '../../../test/flow-table.ts'
import type { LapsePolicy, PartInput, StepInput } from './flow.ts'
import type { Row } from './rows.ts'

/** The effect of a step whose time is over. (match-flows: Flow, onTimeout) */

const seconds = 30

function table(
  steps: readonly PartInput[],
  more: { seats?: number; players?: number; lineup?: number } = {},
): FlowTable {
  const { seats = 2, players = 1, lineup = null } = more
  const rules = { map: { players: lineup }, replays: { rule: 'none' } } as const
  return new FlowTable({ flow: { seats, bestOf: 3, pairs: ['order'], steps, rules }, players, isFree: seats > 2 })
}

const pick = (onTimeout: LapsePolicy | readonly LapsePolicy[], more: Partial<StepInput> = {}): StepInput => ({
  action: 'pick',
  actor: 'seat:1',
  seconds,
  onTimeout,
  ...more,
})
const second: StepInput = { action: 'pick', actor: 'seat:2' }

/** The rows since the start: kind, seat and, for a lapse, its policy. */
function written({ rows }: FlowTable): readonly string[] {
  return rows.slice(1).map((row: Row) => {
    const policy = row.kind === 'lapse' ? ` ${row.data.policy}` : ''
    return `${row.kind}${row.seat === null ? '' : ` ${row.seat}`}${policy}`
  })
}

describe('a lapse', () => {
  test('again: warns, and gives the same time once more', () => {
    const session = table([pick(['again', 'skip']), second])
    session.lapse()
    expect(session.state).toMatchObject({
      turn: { seats: [1] },
      clock: { number: 2, seconds, dueAt: session.now + 29_000 },
    })
    session.lapse()
    expect(written(session)).toEqual(['lapse 1 again', 'lapse 1 skip'])
    expect(session.state.turn).toMatchObject({ step: '2', seats: [2] })
  })

  test('a list is gone through over all steps of the action, and its last repeats', () => {
    const session = table([pick(['again', 'skip', 'random'], { times: 3 }), second])
    for (let lapses = 0; lapses < 4; lapses += 1) session.lapse()
    expect(written(session)).toEqual([
      ...['lapse 1 again', 'lapse 1 skip', 'lapse 1 random', 'pick 1', 'lapse 1 random', 'pick 1'],
    ])
  })

  test('random: draws among what is legal for the seat', () => {
    const session = table([{ action: 'ban', actor: 'seat:2', times: 6 }, pick('random'), second])
    for (const map of ['m1', 'm2', 'm3', 'm5', 'm6', 'm7']) session.act(2, { action: 'ban', map })
    session.lapse()
    expect(session.rows.at(-1)).toMatchObject({
      kind: 'pick',
      seat: 1,
      by: null,
      map: 'm4',
      data: { draw: { outcomes: 1 } },
    })
  })

  test('random of a place and of a flair', () => {
    const choose: StepInput = { action: 'choose', actor: 'seat:2', pair: 'order', seconds }
    const session = table([choose, { action: 'ban', actor: 'order:1' }])
    session.lapse()
    expect(written(session)).toEqual(['lapse 2 random', 'choose 2'])
    expect(Object.keys(session.state.seats[0]?.places ?? {})).toEqual(['order'])
    const flairs = new FlowTable({
      flow: { bestOf: 1, steps: [{ action: 'flair_pick', actor: 'seat:1', seconds, onTimeout: 'random' }, second] },
      pool: poolOf(4, (number) => ({ flair: number % 2 === 0 ? 'even' : 'odd' })),
    })
    flairs.lapse()
    expect(written(flairs)).toEqual(['lapse 1 random', 'flair_pick 1'])
    expect(flairs.state.turn?.options).toHaveLength(2)
  })

  test('opponent: the other seat acts with a new clock, then it is drawn for it', () => {
    const session = table([pick('opponent'), second])
    session.lapse()
    expect(session.state).toMatchObject({
      turn: { seats: [2], of: [2] },
      clock: { seconds, dueAt: session.now + 29_000 },
    })
    expect(refusal(() => session.act(1, { action: 'pick', map: 'm1' }))).toBe('flow.not_your_turn')
    session.lapse()
    expect(written(session)).toEqual(['lapse 1 opponent', 'lapse 2 random', 'pick 2'])
    expect(session.state.turn).toMatchObject({ step: '2' })
  })

  test('opponent where both act: nobody else is there, so it is drawn', () => {
    const session = table([pick('opponent', { actor: 'all' }), second])
    session.act(2, { action: 'pick', map: 'm1' })
    session.lapse()
    expect(written(session)).toEqual(['pick 2', 'lapse 1 random', 'pick 1'])
    expect(session.state.turn).toMatchObject({ step: '2' })
  })

  test('forfeit: this and every later step of the action', () => {
    const ban = (actor: string): StepInput => ({ action: 'ban', actor, seconds, onTimeout: 'forfeit' })
    const session = table([ban('seat:1'), ban('seat:2'), ban('seat:1'), second])
    session.lapse()
    session.act(2, { action: 'ban', map: 'm1' })
    expect(written(session)).toEqual(['lapse 1 forfeit', 'ban 2', 'skip 1'])
    expect(session.rows.at(-1)).toMatchObject({ step: '3', data: { why: 'forfeit' } })
  })

  test('lose_map: the next map is the opponent’s, at once', () => {
    const ready: StepInput = { action: 'ready', seconds, onTimeout: 'lose_map' }
    const session = table([{ action: 'random', times: 2 }, ready, { action: 'play' }, ready, { action: 'play' }])
    session.act(2, { action: 'ready' })
    session.lapse()
    expect(session.state).toMatchObject({ scoreline: [0, 1], games: [{ winner: 2, because: 'map_loss' }, {}] })
    session.undo()
    expect(session.state).toMatchObject({ scoreline: [0, 0], phase: 'waiting', turn: { seats: [1], done: [2] } })
  })

  test('lose_map of a line-up: nobody is waited for', () => {
    const lineup: StepInput = { action: 'lineup', seconds, onTimeout: 'lose_map' }
    const steps = [{ action: 'random', times: 2 }, lineup, { action: 'play' }, lineup, { action: 'play' }] as const
    const session = table(steps, { players: 3, lineup: 2 })
    session.act(1, { action: 'lineup', users: [player(1), player(1, 2)] })
    session.lapse()
    expect(session.state).toMatchObject({
      scoreline: [1, 0],
      games: [{ winner: 1, because: 'map_loss' }, {}],
      phase: 'choosing',
      turn: { action: 'lineup', seats: [1, 2] },
    })
  })

  test('proceed: goes on without', () => {
    const session = table([{ action: 'ready', seconds }, second])
    session.lapse()
    expect(written(session)).toEqual(['lapse 1 proceed', 'lapse 2 proceed'])
    expect(session.state.turn).toMatchObject({ step: '2' })
  })

  test('a break is over for all at once', () => {
    for (const actor of ['system', 'all']) {
      const session = table([{ action: 'break', actor, seconds }, second, pick('skip')])
      session.lapse()
      expect(written(session)).toEqual(['lapse proceed', 'break'])
      expect(session.state.turn).toMatchObject({ step: '2', seats: [2], done: [] })
    }
  })

  test('hold: a referee acts', () => {
    const session = table([pick('hold'), second])
    session.lapse()
    expect(session.state).toMatchObject({ phase: 'referee', clock: null, turn: { seats: [1] } })
    expect(refusal(() => session.act(1, { action: 'pick', map: 'm1' }))).toBe('flow.not_your_turn')
    session.act(referee, { action: 'pick', map: 'm1' })
    expect(session.rows.at(-1)).toMatchObject({ kind: 'pick', seat: 1, onBehalf: true })
  })

  test('of what cannot be drawn, a referee takes over', () => {
    const lineup: StepInput = { action: 'lineup', seconds, onTimeout: 'random' }
    const session = table([{ action: 'random' }, lineup, { action: 'play' }], { players: 3, lineup: 2 })
    session.lapse()
    expect(session.state).toMatchObject({ phase: 'referee', clock: null })
  })

  test('where nobody is known to act, is written once, and a referee may still act', () => {
    const session = table([pick('skip', { actor: 'leader' }), second])
    expect(session.state).toMatchObject({ phase: 'referee', stuck: 'no_actor' })
    session.lapse()
    expect(written(session)).toEqual(['lapse hold'])
    expect(refusal(() => session.clock('pause'))).toBeNull()
    session.override({ op: 'skip' })
    expect(session.state.turn).toMatchObject({ step: '2' })
  })

  test('in a secret step ends it with what was answered', () => {
    const ban: StepInput = { action: 'ban', actor: 'all', secret: true, seconds }
    const session = table([ban, second])
    session.act(1, { action: 'ban', map: 'm3' })
    expect(session.state.maps.map(({ state }) => state)).not.toContain('banned')
    session.lapse()
    expect(written(session)).toEqual(['ban 1', 'lapse 2 skip'])
    expect(session.state.maps[2]).toMatchObject({ state: 'banned', seat: 1 })
  })

  test('of a seat of many: for each that has not acted', () => {
    const ban: StepInput = { action: 'ban', actor: 'all', seconds, onTimeout: 'random' }
    const session = table([ban, second], { seats: 4 })
    session.act(3, { action: 'ban', map: 'm3' })
    session.lapse()
    expect(written(session)).toEqual([
      ...['ban 3', 'lapse 1 random', 'ban 1', 'lapse 2 random', 'ban 2', 'lapse 4 random', 'ban 4'],
    ])
    expect(session.state.turn).toMatchObject({ step: '2' })
  })
})
