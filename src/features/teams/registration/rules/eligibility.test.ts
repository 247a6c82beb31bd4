import { describe, expect, test } from 'vitest'
import type { AdditionalField, Tournament } from '../../../tournaments/tournaments/types.ts'
import type { Team } from '../../teams/types.ts'
import type { Player, Standing } from '../types.ts'
import { type Candidacy, checkEligibility, refusalMessage, registrationState } from './eligibility.ts'

const now = new Date('2026-05-01T12:00:00Z')
const at = (ms: number) => new Date(now.getTime() + ms)
const standings = ['captain', 'manager', 'global'] as const

const player = (number: number): Player => ({
  userGuid: `00000000-0000-4000-8000-00000000000${number}`,
  name: `Player ${number}`,
  chatPlatformId: '1',
  isGone: false,
  isPlaceholder: false,
  emailVerified: false,
  country: null,
  links: [],
})
const team = (more: Partial<Team> = {}) =>
  ({ name: 'Quavers', status: 'unregistered', withdrawnAt: null, ...more }) as Team
const tournament = (more: Partial<Tournament> = {}) =>
  ({
    status: 'approved',
    registrationOpensAt: null,
    registrationClosesAt: null,
    teamSizeMin: 1,
    teamSizeMax: 3,
    capacity: null,
    publicRegistration: true,
    requirements: {},
    additionalFields: [],
    ...more,
  }) as unknown as Tournament

const candidacy = (more: Partial<Candidacy> = {}): Candidacy => ({
  tournament: tournament(),
  registered: 0,
  team: team(),
  players: [player(1), player(2)],
  findings: new Map(),
  stored: [],
  given: [],
  standing: 'captain',
  now,
  ...more,
})
const judge = (more: Partial<Candidacy>) => checkEligibility(candidacy(more)).eligibility
const teamCodes = (more: Partial<Candidacy>) => judge(more).team.failures.map(({ code }) => code)

const motto: AdditionalField = {
  guid: 'aaaaaaaa-0000-4000-8000-000000000001',
  label: 'Motto',
  help: null,
  type: 'text',
  required: true,
  options: [],
  subject: 'team',
  private: false,
}
const shirt: AdditionalField = {
  ...motto,
  guid: 'aaaaaaaa-0000-4000-8000-000000000002',
  label: 'Shirt',
  subject: 'player',
}

test('a team that meets everything is eligible, and every player has a verdict', () => {
  expect(
    judge({
      tournament: tournament({ capacity: 4, registrationOpensAt: at(-1), registrationClosesAt: at(1) }),
      registered: 3,
    }),
  ).toEqual({
    eligible: true,
    registration: { state: 'open', opensAt: at(-1), closesAt: at(1), capacity: 4, registered: 3 },
    team: { failures: [] },
    players: [
      { userGuid: player(1).userGuid, failures: [] },
      { userGuid: player(2).userGuid, failures: [] },
    ],
    requiredFields: [],
  })
})

describe('which checks bind whom', () => {
  /** The codes of the team's failures for a captain, a manager of the tournament, and a global manager. */
  const rows: [string, Partial<Candidacy>, string[], string[], string[]][] = [
    [
      'draft',
      { tournament: tournament({ status: 'draft' }) },
      ['registration.wrong_status'],
      ['registration.wrong_status'],
      [],
    ],
    ['approved', {}, [], [], []],
    ['ongoing', { tournament: tournament({ status: 'ongoing' }) }, ['registration.closed'], [], []],
    [
      'completed',
      { tournament: tournament({ status: 'completed' }) },
      ['registration.wrong_status'],
      ['registration.wrong_status'],
      [],
    ],
    [
      'cancelled',
      { tournament: tournament({ status: 'cancelled' }) },
      ['registration.wrong_status'],
      ['registration.wrong_status'],
      ['registration.wrong_status'],
    ],
    ['not public', { tournament: tournament({ publicRegistration: false }) }, ['registration.not_public'], [], []],
    [
      'before the opening',
      { tournament: tournament({ registrationOpensAt: at(1) }) },
      ['registration.not_open_yet'],
      [],
      [],
    ],
    ['at the opening', { tournament: tournament({ registrationOpensAt: at(0) }) }, [], [], []],
    ['a moment before the deadline', { tournament: tournament({ registrationClosesAt: at(1) }) }, [], [], []],
    ['at the deadline', { tournament: tournament({ registrationClosesAt: at(0) }) }, ['registration.closed'], [], []],
    [
      'full',
      { tournament: tournament({ capacity: 2 }), registered: 2 },
      ['registration.full'],
      ['registration.full'],
      [],
    ],
    [
      'over-full',
      { tournament: tournament({ capacity: 2 }), registered: 3 },
      ['registration.full'],
      ['registration.full'],
      [],
    ],
    ['one place left', { tournament: tournament({ capacity: 2 }), registered: 1 }, [], [], []],
    ['too few members', { tournament: tournament({ teamSizeMin: 3 }) }, ['team.too_small'], ['team.too_small'], []],
    ['too many members', { tournament: tournament({ teamSizeMax: 1 }) }, ['team.too_large'], ['team.too_large'], []],
    ['withdrawn', { team: team({ withdrawnAt: at(-1) }) }, ['team.withdrawn'], ['team.withdrawn'], ['team.withdrawn']],
    [
      'registered already',
      { team: team({ status: 'registered' }) },
      ['team.already_registered'],
      ['team.already_registered'],
      ['team.already_registered'],
    ],
    [
      'qualified already',
      { team: team({ status: 'qualified' }) },
      ['team.already_registered'],
      ['team.already_registered'],
      ['team.already_registered'],
    ],
    [
      'registered already, and full',
      { team: team({ status: 'registered' }), tournament: tournament({ capacity: 2 }), registered: 2 },
      ['team.already_registered'],
      ['team.already_registered'],
      ['team.already_registered'],
    ],
    [
      'no team',
      { team: null, players: [player(1)], tournament: tournament({ teamSizeMin: 2 }) },
      ['team.none'],
      ['team.none'],
      ['team.none'],
    ],
    [
      'a required field unanswered',
      { tournament: tournament({ additionalFields: [motto] }) },
      ['field.unanswered'],
      ['field.unanswered'],
      [],
    ],
    [
      'a field that does not exist',
      { given: [{ fieldGuid: motto.guid, response: 'x' }] },
      ['field.unknown'],
      ['field.unknown'],
      ['field.unknown'],
    ],
  ]
  test.each(rows)('%s', (_what, more, captain, manager, global) => {
    expect(standings.map((standing) => teamCodes({ ...more, standing }))).toEqual([captain, manager, global])
    for (const standing of standings) {
      const { eligible, team: of } = judge({ ...more, standing })
      expect(eligible).toBe(of.failures.length === 0)
    }
  })

  test('requirements and fields of players bind all but global managers', () => {
    const strict = tournament({ requirements: { emailVerified: true }, additionalFields: [shirt] })
    const failing = ['email.not_verified', 'field.unanswered']
    const playerCodes = (standing: Standing) =>
      judge({ tournament: strict, standing }).players.map(({ failures }) => failures.map(({ code }) => code))
    expect(standings.map(playerCodes)).toEqual([
      [failing, failing],
      [failing, failing],
      [[], []],
    ])
    expect(standings.map((standing) => judge({ tournament: strict, standing }).eligible)).toEqual([false, false, true])
  })

  test('answers that do not fit are refused from everybody, and blamed on the player whom they are for', () => {
    const given = [{ fieldGuid: shirt.guid, userGuid: player(2).userGuid, response: 4 }]
    for (const standing of standings) {
      const { eligible, players } = judge({
        tournament: tournament({ additionalFields: [{ ...shirt, required: false }] }),
        given,
        standing,
      })
      expect([eligible, players.map(({ failures }) => failures.map(({ code }) => code))]).toEqual([
        false,
        [[], ['field.wrong_type']],
      ])
    }
  })
})

test('every failed check is told, of registration, team, players and fields', () => {
  const worst = tournament({
    publicRegistration: false,
    registrationOpensAt: at(5),
    registrationClosesAt: at(-5),
    capacity: 2,
    teamSizeMin: 3,
    requirements: { emailVerified: true, rankingA: true },
    additionalFields: [motto, shirt],
  })
  const { eligible, team: of, players, requiredFields } = judge({ tournament: worst, registered: 2 })
  expect(eligible).toBe(false)
  expect(of.failures.map(({ code }) => code).sort()).toEqual([
    'field.unanswered',
    'registration.closed',
    'registration.full',
    'registration.not_open_yet',
    'registration.not_public',
    'team.too_small',
  ])
  for (const { failures } of players) {
    expect(failures.map(({ code }) => code)).toEqual(['email.not_verified', 'ranking_a.not_linked', 'field.unanswered'])
  }
  expect(requiredFields).toEqual([motto.guid, shirt.guid])
})

test('required fields are those that still lack an answer; nothing is required of global managers', () => {
  const asked = tournament({ additionalFields: [motto, shirt, { ...motto, guid: 'x', required: false }] })
  const stored = [
    { fieldGuid: motto.guid, userGuid: null, response: 'Allegro', isPrivate: false },
    { fieldGuid: shirt.guid, userGuid: player(1).userGuid, response: 'S', isPrivate: false },
  ]
  expect(judge({ tournament: asked }).requiredFields).toEqual([motto.guid, shirt.guid])
  expect(judge({ tournament: asked, stored }).requiredFields).toEqual([shirt.guid])
  expect(judge({ tournament: asked, standing: 'global' }).requiredFields).toEqual([])
})

describe('where public registration stands', () => {
  const all = { capacity: 2, publicRegistration: false, registrationOpensAt: at(5), registrationClosesAt: at(-5) }
  const rows: [string, Partial<Tournament>, number, string][] = [
    ['draft', { ...all, status: 'draft' }, 2, 'wrong_status'],
    ['completed', { ...all, status: 'completed' }, 2, 'wrong_status'],
    ['cancelled', { ...all, status: 'cancelled' }, 2, 'wrong_status'],
    ['full goes before the rest', all, 2, 'full'],
    ['full, while it runs', { ...all, status: 'ongoing' }, 2, 'full'],
    ['not public', all, 1, 'not_public'],
    ['not open yet', { ...all, publicRegistration: true }, 1, 'not_open_yet'],
    ['closed', { registrationClosesAt: at(0) }, 0, 'closed'],
    ['closed by the start', { status: 'ongoing', registrationClosesAt: at(5) }, 0, 'closed'],
    ['open', { registrationOpensAt: at(0), registrationClosesAt: at(1), capacity: 2 }, 1, 'open'],
    ['open without dates or limit', {}, 5_000, 'open'],
  ]
  test.each(rows)('%s', (_what, more, registered, state) => {
    expect(registrationState({ tournament: tournament(more), registered, now })).toBe(state)
  })
})

test('a refusal says the first thing to fix and how many more there are', () => {
  const small = { tournament: tournament({ teamSizeMin: 3 }) }
  expect(refusalMessage(judge(small))).toBe('“Quavers” has 2 members; at least 3 are needed.')
  const two = tournament({ teamSizeMin: 3, publicRegistration: false })
  expect(refusalMessage(judge({ tournament: two }))).toMatch(
    /needed\. One more thing stands in the way; see `eligibility`\.$/,
  )
  const many = tournament({ requirements: { emailVerified: true, rankingA: true } })
  expect(refusalMessage(judge({ tournament: many }))).toMatch(
    /^Player 1 has to verify an e-mail address first\. 3 more things stand in the way; see `eligibility`\.$/,
  )
})
