import { expect, test } from 'vitest'
import { changesUntil } from '../../teams/registration/rules/eligibility.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { readAsked } from './rules.ts'

/** The period of the agenda, and when what it shows changes by time alone. */

const now = new Date('2026-05-10T12:34:56Z')

test.each<[from: string | undefined, to: string | undefined, start: string, end: string, now: boolean, moves: boolean]>(
  [
    [undefined, undefined, '2026-05-10T12:00:00Z', '2026-06-09T12:00:00Z', true, true],
    [undefined, '2026-05-11T00:00:00Z', '2026-05-10T12:00:00Z', '2026-05-11T00:00:00Z', true, true],
    ['2026-05-20T00:00:00Z', undefined, '2026-05-20T00:00:00Z', '2026-06-19T00:00:00Z', false, false],
    ['2026-04-01T00:00:00Z', '2026-04-02T00:00:00Z', '2026-04-01T00:00:00Z', '2026-04-02T00:00:00Z', false, false],
  ],
)('from %s to %s', (from, to, start, end, hasNow, moves) => {
  const asked = readAsked({ ...(from && { from }), ...(to && { to }) }, now)
  expect(asked).toEqual({
    window: { from: new Date(start), to: new Date(end) },
    hasNow,
    movesAt: moves ? new Date('2026-05-10T13:00:00Z') : null,
  })
})

const at = (time: string) => new Date(`2026-05-10T${time}Z`)

test.each<[Partial<Tournament>, Date | null]>([
  [{}, null],
  [{ registrationOpensAt: at('12:00:00'), registrationClosesAt: at('12:30:00') }, null],
  [{ registrationOpensAt: at('12:00:00'), registrationClosesAt: at('13:00:00') }, at('13:00:00')],
  [{ registrationOpensAt: at('14:00:00'), registrationClosesAt: at('15:00:00') }, at('14:00:00')],
  [{ requirements: { chatAccountAgeDays: 30 } }, at('12:44:56')],
  [{ requirements: { rankA: { max: 100 } }, registrationClosesAt: at('12:40:00') }, at('12:40:00')],
  [{ requirements: { emailVerified: true } }, null],
])('a verdict with %j is made again at %s', (changes, until) => {
  const cup = { requirements: {}, registrationOpensAt: null, registrationClosesAt: null, ...changes } as Tournament
  expect(changesUntil(cup, now)).toEqual(until)
})
