import { describe, expect, test } from 'vitest'
import { FlowTable, poolOf, referee, refusal } from '../../../test/flow-table.ts'
import type { FlowInput } from './flow.ts'

/** Clocks, pauses and timeouts of sessions. (match-flows: Clocks, line-ups, scores) */

const bans = (seconds: number | null): FlowInput => ({
  bestOf: 1,
  steps: [
    { action: 'ban', actor: 'seat:1', seconds },
    { action: 'ban', actor: 'seat:2', seconds },
    { action: 'ban', actor: 'seat:1', seconds },
    { action: 'tiebreaker', source: 'last_left' },
    { action: 'play' },
  ],
  rules: { timeouts: { count: 1, seconds: 30 }, graceSeconds: 1 },
})

function table(): FlowTable {
  return new FlowTable({ flow: bans(60), pool: poolOf(4) })
}

/** Seconds that are left on the clock. */
function left({ machine, now }: FlowTable): number | null {
  const { clock } = machine
  if (clock === null) return null
  return (clock.dueAt === null ? (clock.remainingMs ?? 0) : clock.dueAt - now) / 1_000
}

function waited(session: FlowTable, seconds: number): FlowTable {
  session.now += seconds * 1_000
  return session
}

describe('clocks', () => {
  test('stand while the session is paused, and go on with the rest', () => {
    const session = waited(table(), 10)
    session.clock('pause')
    expect([session.state.status, left(session), session.state.clock?.dueAt]).toEqual(['paused', 50, null])
    waited(session, 1_000)
    expect(refusal(() => session.act(1, { action: 'ban', map: 'm1' }))).toBe('flow.paused')
    expect(refusal(() => session.clock('pause'))).toBe('flow.wrong_action')
    session.clock('extend', 20)
    expect(left(session)).toBe(70)
    session.clock('resume')
    // Each action on the table takes one second.
    expect([session.state.status, left(session)]).toEqual(['running', 69])
    expect(refusal(() => session.clock('resume'))).toBe('flow.wrong_action')
    session.clock('set', 15)
    expect(left(session)).toBe(14)
    session.clock('extend', 5)
    expect(left(session)).toBe(18)
  })

  test('a referee acts while the session is paused, and the next clock stands', () => {
    const session = table()
    session.clock('pause')
    session.act(referee, { action: 'ban', map: 'm1' })
    expect([session.state.turn?.seats, left(session)]).toEqual([[2], 60])
    session.clock('resume')
    expect(left(session)).toBe(59)
  })

  test('timeouts add their time, as often as there are any', () => {
    const session = waited(table(), 10)
    session.timeout(2)
    expect(left(session)).toBe(79)
    expect(session.state.seats.map(({ timeoutsLeft }) => timeoutsLeft)).toEqual([1, 0])
    expect(refusal(() => session.timeout(2))).toBe('timeout.none_left')
    expect(refusal(() => session.timeout('nobody'))).toBe('flow.not_your_turn')
    session.penalty({ seat: 1, type: 'lose_timeouts' })
    expect(refusal(() => session.timeout(1))).toBe('timeout.none_left')
    session.clock('pause')
    expect(refusal(() => session.timeout(1))).toBe('flow.paused')
    const without = new FlowTable({ flow: bans(null), pool: poolOf(4) })
    expect(refusal(() => without.timeout(1))).toBe('timeout.no_clock')
    expect(refusal(() => without.clock('extend', 5))).toBe('clock.none')
    expect(refusal(() => without.clock('set'))).toBe('flow.act_invalid')
    without.penalty({ seat: 1, type: 'match_forfeit' })
    expect(refusal(() => without.timeout(1))).toBe('flow.over')
    expect(refusal(() => without.clock('pause'))).toBe('flow.over')
  })

  test('time is over a moment after it was due', () => {
    const session = waited(table(), 60)
    expect(session.state.clock?.overdue).toBe(true)
    session.act(1, { action: 'ban', map: 'm1' })
    expect(left(session)).toBe(59)
    waited(session, 60)
    expect(refusal(() => session.act(2, { action: 'ban', map: 'm2' }))).toBe('flow.time_over')
    expect(refusal(() => session.clock('extend', 60))).toBe('flow.time_over')
    expect(refusal(() => session.timeout(2))).toBe('flow.time_over')
    session.lapse()
    expect(session.rows.at(-1)).toMatchObject({ kind: 'lapse', seat: 2, data: { policy: 'skip', result: 'skipped' } })
  })

  test('what is undone gets back what was left', () => {
    const session = waited(table(), 10)
    session.act(1, { action: 'ban', map: 'm1' })
    waited(session, 30)
    session.undo()
    expect([session.state.turn?.seats, left(session)]).toEqual([[1], 49])
  })

  test('what is undone gets 15 seconds at least', () => {
    const session = waited(table(), 57)
    session.act(1, { action: 'ban', map: 'm1' })
    session.undo()
    expect(left(session)).toBe(14)
    session.lapse()
    session.undo()
    expect([session.state.turn?.seats, left(session)]).toEqual([[1], 14])
  })

  test('what is undone gets back what was left, though the session was paused since', () => {
    const session = waited(table(), 10)
    session.act(1, { action: 'ban', map: 'm1' })
    waited(session, 30)
    session.clock('pause')
    session.undo()
    expect(left(session)).toBe(50)
    session.clock('resume')
    expect(left(session)).toBe(49)
    const resumed = waited(table(), 10)
    resumed.act(1, { action: 'ban', map: 'm1' })
    resumed.clock('pause')
    waited(resumed, 100)
    resumed.clock('resume')
    resumed.undo()
    expect(left(resumed)).toBe(49)
  })

  test('of two that are undone one after the other, the first gets its own', () => {
    const session = waited(table(), 10)
    session.act(1, { action: 'ban', map: 'm1' })
    waited(session, 20)
    session.act(2, { action: 'ban', map: 'm2' })
    session.undo()
    waited(session, 10)
    session.undo()
    expect([session.state.turn?.seats, left(session)]).toEqual([[1], 49])
  })
})
