import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { QualifierMap } from '../types.ts'
import { type GivenAttempt, type KnownAttempt, type LedgerFacts, sortOut, usageKey } from './recording.ts'

const now = new Date('2026-05-01T12:00:00Z')

function mapOf(guid: string): QualifierMap {
  return {
    guid,
    hash: guid,
    difficulty: 'Easy',
    characteristic: 'Standard',
    name: null,
    artist: null,
    mapper: null,
    imageUrl: null,
    maxScore: null,
    weight: 1,
    order: 0,
  }
}

function given(more: Partial<GivenAttempt>): GivenAttempt {
  return {
    mapGuid: 'm',
    userGuid: 'u',
    score: 1,
    accuracy: null,
    misses: null,
    badCuts: null,
    maxCombo: null,
    fullCombo: null,
    completion: 'passed',
    source: 'assistant',
    externalId: null,
    playedAt: now,
    ...more,
  }
}

const facts: LedgerFacts = {
  maps: [mapOf('m'), mapOf('n')],
  limit: 2,
  modifiers: 'any',
  teams: new Map([
    ['u', 't'],
    ['v', 't'],
  ]),
  used: new Map(),
  known: [],
}

/** Properties of the rules for any attempts in any order and in any number of lists. */
test('no list, nor several, ever leaves a player with more attempts that are not void than the limit', () => {
  const attempt = fc.record({
    mapGuid: fc.constantFrom('m', 'n'),
    userGuid: fc.constantFrom('u', 'v'),
    completion: fc.constantFrom('passed' as const, 'failed' as const, 'placeholder' as const),
    externalId: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
  })
  fc.assert(
    fc.property(
      fc.array(fc.array(attempt, { maxLength: 8 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
      (lists, limit) => {
        const ledger: (KnownAttempt & { voidedAt: Date | null })[] = []
        for (const list of lists) {
          const used = new Map<string, number>()
          for (const row of ledger)
            if (row.voidedAt === null) used.set(usageKey(row), (used.get(usageKey(row)) ?? 0) + 1)
          const known = ledger.filter(({ externalId }) => list.some((each) => each.externalId === externalId))
          const sorted = sortOut(list.map(given), { ...facts, limit, used, known }, now)
          expect(sorted.accepted.length + sorted.duplicates.length + sorted.rejected.length).toBe(list.length)
          for (const row of ledger) if (sorted.supersededGuids.includes(row.guid)) Object.assign(row, { voidedAt: now })
          for (const row of sorted.accepted) ledger.push({ ...row, guid: `g${ledger.length}` })
          const counts = new Map<string, number>()
          for (const row of ledger)
            if (row.voidedAt === null) counts.set(usageKey(row), (counts.get(usageKey(row)) ?? 0) + 1)
          for (const count of counts.values()) expect(count).toBeLessThanOrEqual(limit)
          const kept = ledger.filter(
            ({ externalId, completion }) => externalId !== null && completion !== 'placeholder',
          )
          expect(new Set(kept.map(({ externalId }) => externalId)).size).toBe(kept.length)
          const begun = ledger.filter(
            ({ externalId, completion }) => externalId !== null && completion === 'placeholder',
          )
          expect(new Set(begun.map(({ externalId }) => externalId)).size).toBe(begun.length)
          for (const { externalId, voidedAt } of begun) {
            if (kept.some((other) => other.externalId === externalId)) expect(voidedAt).not.toBeNull()
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('the attempt itself comes before its placeholder, in whatever order the ledger names them', () => {
  const known = (completion: 'passed' | 'placeholder'): KnownAttempt => ({
    guid: completion,
    mapGuid: 'm',
    userGuid: 'u',
    teamGuid: 't',
    source: 'assistant',
    externalId: 'a',
    completion,
    voidedAt: completion === 'placeholder' ? now : null,
  })
  for (const order of [
    [known('passed'), known('placeholder')],
    [known('placeholder'), known('passed')],
  ]) {
    expect(sortOut([given({ externalId: 'a' })], { ...facts, known: order }, now)).toMatchObject({
      accepted: [],
      duplicates: [0],
    })
  }
})

test('a user who is not known, and no limit', () => {
  const list = [given({ userGuid: null }), ...Array.from({ length: 5 }, () => given({}))]
  const sorted = sortOut(list, { ...facts, limit: 0 }, now)
  expect([sorted.accepted.length, sorted.rejected]).toEqual([
    5,
    [{ index: 0, reason: 'user.unknown', message: 'There is no such user.' }],
  ])
})

describe('a row that is out of range', () => {
  const maps = [{ ...mapOf('m'), maxScore: 1_000 }, mapOf('n')]
  const reasons = (rows: readonly Partial<GivenAttempt>[], modifiers: 'any' | 'none') =>
    sortOut(rows.map(given), { ...facts, limit: 0, maps, modifiers }, now).rejected.map(
      ({ index, reason, message }) => `${index} ${reason} ${message}`,
    )
  const tooHigh = 'attempt.score_too_high The score is higher than the map allows.'

  test('is rejected, and says which value is wrong; the rows beside it are recorded', () => {
    const rows = [
      {},
      { score: -1 },
      { score: 1e12, mapGuid: 'n' },
      { accuracy: 95 },
      { accuracy: Number.NaN },
      { misses: -1 },
      { badCuts: 1e7 },
      { maxCombo: -5 },
      { playedAt: new Date('2019-12-31T23:59:59Z') },
      { score: 1_000 },
    ]
    expect(reasons(rows, 'any')).toEqual([
      '1 attempt.out_of_range "score" is -1; it must be from 0 to 2000000000.',
      '2 attempt.out_of_range "score" is 1000000000000; it must be from 0 to 2000000000.',
      '3 attempt.out_of_range "accuracy" is 95; it must be from 0 to 2.',
      '4 attempt.out_of_range "accuracy" is NaN; it must be from 0 to 2.',
      '5 attempt.out_of_range "misses" is -1; it must be from 0 to 1000000.',
      '6 attempt.out_of_range "badCuts" is 10000000; it must be from 0 to 1000000.',
      '7 attempt.out_of_range "maxCombo" is -5; it must be from 0 to 1000000.',
      '8 attempt.out_of_range "playedAt" must not be before 2020-01-01T00:00:00Z.',
    ])
  })

  test('may have twice the highest maximum that there is (D62)', () => {
    const most = [{ ...mapOf('m'), maxScore: 1e9 }]
    const rows = [{ score: 2e9 }, { score: 2e9 + 1 }].map(given)
    const { rejected } = sortOut(rows, { ...facts, limit: 0, maps: most, modifiers: 'any' }, now)
    expect(rejected.map(({ index, reason }) => [index, reason])).toEqual([[1, 'attempt.out_of_range']])
  })

  test('ends at twice the highest score with modifiers, and at that score without', () => {
    const rows = [
      { score: 1_000, accuracy: 1 },
      { score: 1_080, accuracy: 1.08 },
      { score: 2_000, accuracy: 2 },
      { score: 2_001 },
      { score: 500_000, mapGuid: 'n' },
      { score: 900, accuracy: 1.01 },
    ]
    expect(reasons(rows, 'any')).toEqual([`3 ${tooHigh}`])
    expect(reasons(rows, 'none')).toEqual([1, 2, 3, 5].map((index) => `${index} ${tooHigh}`))
  })
})
