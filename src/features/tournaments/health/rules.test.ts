import { expect, test } from 'vitest'
import type { Tournament } from '../tournaments/types.ts'
import { arrange, findingsOfDivisions, findingsOfQualifier, findingsOfTournament, maxOfCode } from './rules.ts'
import { type FindingCode, findingCodes } from './types.ts'

/** What an organiser should look at, as tables. */

const now = new Date('2026-05-10T12:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)
const cup = (changes: Partial<Tournament>): Tournament =>
  ({
    guid: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42',
    name: 'Spring Cup',
    status: 'approved',
    publicRegistration: true,
    capacity: null,
    startsAt: days(5),
    endsAt: days(6),
    registrationOpensAt: null,
    registrationClosesAt: null,
    rosterLocksAt: null,
    ...changes,
  }) as Tournament

test.each<[string, Partial<Tournament>, FindingCode[]]>([
  ['a tournament to come', {}, []],
  ['one without a start', { startsAt: null, endsAt: null, registrationClosesAt: days(1) }, ['dates.missing']],
  ['one without any date', { startsAt: null, endsAt: null }, ['dates.missing', 'dates.missing']],
  ['one that is not public', { startsAt: null, endsAt: null, publicRegistration: false }, ['dates.missing']],
  ['a draft without any date', { status: 'draft', startsAt: null, endsAt: null }, []],
  ['an end before the start', { endsAt: days(4) }, ['dates.out_of_order']],
  ['registration after the start', { registrationClosesAt: days(5.5) }, ['dates.out_of_order']],
  ['one that should have begun', { startsAt: days(-1) }, ['status.behind']],
  ['one that has begun', { status: 'ongoing', startsAt: days(-1) }, []],
  ['one that should be over', { status: 'ongoing', startsAt: days(-3), endsAt: days(-1) }, ['status.behind']],
])('%s', (_, changes, codes) => {
  expect(findingsOfTournament(cup(changes), now).map(({ code }) => code)).toEqual(codes)
})

test.each<[string, Partial<Tournament>, number, boolean, number, number]>([
  ['open', { registrationClosesAt: days(1) }, 8, false, 0, 0],
  ['closed, without a division', { registrationClosesAt: days(-1) }, 8, false, 0, 1],
  ['closed, with two empty divisions', { registrationClosesAt: days(-1) }, 8, true, 2, 2],
  ['closed, with brackets everywhere', { registrationClosesAt: days(-1) }, 8, true, 0, 0],
  ['closed, with nobody to play', { registrationClosesAt: days(-1) }, 1, false, 0, 0],
  ['ongoing', { status: 'ongoing' }, 8, false, 0, 1],
  ['over', { status: 'completed' }, 8, false, 0, 0],
])('divisions of registration that is %s', (_, changes, registered, hasAny, empty, found) => {
  const withoutBracket = Array.from({ length: empty }, (_each, index) => ({ guid: `${index}`, name: `D${index}` }))
  const findings = findingsOfDivisions(cup(changes), registered, { hasAny, withoutBracket }, now)
  expect(findings.map(({ code }) => code)).toEqual(Array(found).fill('division.no_bracket'))
})

test.each<[Date | null, Date | null, string | null, FindingCode[]]>([
  [null, null, null, []],
  [days(1), null, null, []],
  [days(1), days(1), null, []],
  [days(2), days(1), null, ['qualifier.closes_late']],
  [null, days(1), 'Unreachable.', ['qualifier.sync_failed']],
])('a qualifier that closes at %s, with the first match at %s', (closesAt, firstMatchAt, lastError, codes) => {
  const findings = findingsOfQualifier({ guid: 'q', closesAt, firstMatchAt, lastError })
  expect(findings.map(({ code }) => code)).toEqual(codes)
})

test('errors come first, and a code with too many findings says that there are more', () => {
  const finding = (code: FindingCode, number: number) => ({
    code,
    subject: { kind: 'team' as const, guid: `${number}`, name: `Team ${number}` },
    message: 'Something.',
  })
  const many = Array.from({ length: maxOfCode + 1 }, (_, index) => finding('field.unanswered', index))
  const arranged = arrange(cup({}), [...many, finding('team.ineligible', 1)], (code) => findingCodes[code].severity)
  expect(arranged).toHaveLength(maxOfCode + 2)
  expect(arranged[0]?.code).toBe('team.ineligible')
  expect(arranged.at(-1)).toMatchObject({
    code: 'field.unanswered',
    subject: { kind: 'tournament', name: 'Spring Cup' },
  })
})
