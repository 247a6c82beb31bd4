import { describe, expect, test } from 'vitest'
import { matchStatuses } from '../../../engine/types.ts'
import { poolsOfMatches, readStatusWindows } from './rules.ts'
import type { PlannedPool } from './types.ts'

/** The pool of a match, and who may see it. (pools: Which pool a match uses) */

type Parts = Partial<Omit<PlannedPool, 'pool'>>

function planned(name: string, parts: Parts = {}): PlannedPool {
  return { matchGuid: null, bracketGuid: null, round: null, isShown: true, ...parts, pool: { guid: name, name } }
}

const match = { guid: 'm', bracketGuid: 'b', section: 'upper', round: 2 } as const
const entries: readonly PlannedPool[] = [
  planned('match', { matchGuid: 'm' }),
  planned('round', { bracketGuid: 'b', round: 'upper:2' }),
  planned('bracket', { bracketGuid: 'b' }),
  planned('default'),
]
const others: readonly PlannedPool[] = [
  planned('other match', { matchGuid: 'n' }),
  planned('other section', { bracketGuid: 'b', round: 'lower:2' }),
  planned('other round', { bracketGuid: 'b', round: 'upper:21' }),
  planned('other bracket', { bracketGuid: 'c' }),
  planned('round of another bracket', { bracketGuid: 'c', round: 'upper:2' }),
]

describe('a match uses', () => {
  test.each<[names: readonly string[], used: string | undefined]>([
    [['match', 'round', 'bracket', 'default'], 'match'],
    [['round', 'bracket', 'default'], 'round'],
    [['bracket', 'default'], 'bracket'],
    [['default'], 'default'],
    [['match', 'default'], 'match'],
    [[], undefined],
  ])('of %j: %s', (names, used) => {
    const plan = [...others, ...entries.filter(({ pool }) => names.includes(pool.name))]
    for (const order of [plan, plan.toReversed()]) {
      expect(poolsOfMatches(order, true)(match)?.name).toBe(used)
      expect(poolsOfMatches(order, false)(match)?.name).toBe(used)
    }
  })

  test('nothing that not everybody may know of, and nothing else in its place, but for poolers', () => {
    const [ofMatch, ...rest] = entries as [PlannedPool, ...PlannedPool[]]
    const plan = [{ ...ofMatch, isShown: false }, ...rest]
    expect(poolsOfMatches(plan, true)(match)?.name).toBe('match')
    expect(poolsOfMatches(plan, false)(match)).toBeNull()
    expect(poolsOfMatches(plan, false)({ ...match, guid: 'another' })?.name).toBe('round')
  })
})

describe('the matches of all tournaments', () => {
  const now = new Date('2026-05-01T18:00:59.999Z')
  const start = new Date('2026-05-01T18:00:00Z')
  const end = new Date('2026-05-31T18:00:00Z')
  const next = { from: start, to: end }
  const always = { from: undefined, to: undefined }

  test('without a window are those of the next 30 days, from the present minute, and those that run', () => {
    const { windows, movesAt } = readStatusWindows({}, now)
    expect(windows.map(({ status }) => status)).toEqual(matchStatuses)
    for (const { status, ...window } of windows) expect(window).toEqual(status === 'running' ? always : next)
    expect(movesAt).toEqual(new Date('2026-05-01T18:01:00Z'))
  })

  test('that run do not depend on the clock', () => {
    expect(readStatusWindows({ status: 'running' }, now)).toEqual({
      windows: [{ status: 'running', ...always }],
      movesAt: null,
    })
    expect(readStatusWindows({ status: 'running, ready' }, now).movesAt).not.toBeNull()
  })

  test.each([
    [{ from: '2026-05-01T18:00:00Z' }, { from: start, to: undefined }],
    [{ to: '2026-05-31T18:00:00Z' }, { from: undefined, to: end }],
    [{ from: '2026-05-01T18:00:00Z', to: '2026-05-31T18:00:00Z' }, next],
    [
      { from: '2026-05-01T18:00:00Z', to: '1970-01-01T00:00:00Z' },
      { from: start, to: undefined },
    ],
  ])('of a window %j are in it, whatever their status', (asked, window) => {
    const { windows, movesAt } = readStatusWindows({ ...asked, status: 'running,ready' }, now)
    expect(windows).toEqual([
      { status: 'running', ...window },
      { status: 'ready', ...window },
    ])
    expect(movesAt).toBeNull()
  })
})
