import { describe, expect, test } from 'vitest'
import type { Official as Assigned, MatchRecord, StoredSide } from '../../../brackets/matches/types.ts'
import type { Sheet, StaffAnswers, TeamAnswers } from '../../availability/types.ts'
import type { Wish } from '../types.ts'
import { type Facts, groundsOf, problemOf } from './problem.ts'
import { busyStreams } from './streams.ts'

const hour = 3_600_000
const six = Date.parse('2026-05-01T18:00:00Z')
const at = (hours: number) => six + hours * hour
const span = (from: number, to: number) => ({ start: at(from), end: at(to) })

const side: StoredSide = { slot: null, from: null, bye: false, empty: false, score: null, result: null }
const nobody: StoredSide = { ...side, bye: true, empty: true }
const fedBy = (guid: string): StoredSide => ({ ...side, from: { match: 0, guid, outcome: 'winner' } })

let number = 0
function match(guid: string, changes: Partial<MatchRecord> = {}): MatchRecord {
  number += 1
  return {
    guid,
    number,
    tournamentGuid: 'cup',
    divisionGuid: 'division',
    bracketGuid: 'bracket',
    section: 'upper',
    round: 1,
    groupIndex: null,
    status: 'ready',
    outcome: null,
    team1Guid: null,
    team2Guid: null,
    sides: [side, side],
    bestOf: 3,
    games: [],
    decision: null,
    started: false,
    reopened: false,
    conditional: false,
    pairing: null,
    winnerTo: null,
    loserTo: null,
    nextMatchGuid: null,
    loserMatchGuid: null,
    scheduledAt: null,
    calledAt: null,
    startedAt: null,
    completedAt: null,
    streamUrl: null,
    vodUrl: null,
    notes: null,
    revision: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ...changes,
  }
}
const timed = (guid: string, hours: number, changes: Partial<MatchRecord> = {}) =>
  match(guid, { scheduledAt: new Date(at(hours)), ...changes })

function sheet(guid: string, changes: Partial<Sheet> = {}): Sheet {
  return {
    guid,
    tournamentGuid: 'cup',
    createdByGuid: 'user',
    audience: 'staff',
    teamEligibility: 'both',
    slotMinutes: 15,
    acceptedStatuses: ['available'],
    title: 'Sheet',
    description: null,
    mode: 'days',
    roles: [],
    timezone: 'UTC',
    closesAt: null,
    windows: [],
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ...changes,
  }
}

const staff = (userGuid: string, changes: Partial<StaffAnswers> = {}): StaffAnswers => ({
  guid: userGuid,
  sheetGuid: 'staff',
  userGuid,
  role: 'role:referee',
  runs: [],
  matches: [],
  submittedAt: new Date(0),
  ...changes,
})

const team = (teamGuid: string, runs: TeamAnswers['runs'], sheetGuid = 'teams'): TeamAnswers => ({
  sheetGuid,
  teamGuid,
  runs,
  updatedByGuid: 'user',
  submittedAt: new Date(0),
})

const facts = (changes: Partial<Facts>): Facts => ({
  matches: [],
  others: [],
  officials: new Map(),
  sheets: [],
  teamAnswers: [],
  staffAnswers: [],
  members: new Map(),
  statuses: new Map(),
  names: new Map(),
  ...changes,
})

const wish: Wish = {
  matchGuids: [],
  sheetGuids: [],
  minutesPerMatch: 60,
  minRestMinutes: 30,
  streams: ['Stream 1'],
  officialsPerMatch: { 'role:referee': 1, 'role:caster': 1 },
  earliest: '2026-05-01T18:00:00.000Z',
  latest: '2026-05-01T22:00:00.000Z',
}

const problem = (changes: Partial<Facts>, wishes: Partial<Wish> = {}) =>
  problemOf(facts(changes), { ...wish, ...wishes })

describe('what comes before and behind a match', () => {
  const first = match('first', { nextMatchGuid: 'final' })
  const final = match('final', { sides: [fedBy('first'), fedBy('second')] })
  const cases: [string, MatchRecord[], MatchRecord[], object[]][] = [
    ['is nothing where nothing feeds it', [first], [], [{ after: [], notBefore: null, notAfter: null }]],
    ['is what is placed with it', [first, final], [], [{ after: [] }, { after: ['first'], notBefore: null }]],
    ['is nothing once that is over', [final], [], [{ after: [], notBefore: null }]],
    [
      'keeps it from any place while that has no time',
      [final],
      [match('second')],
      [{ after: ['second'], notBefore: null }],
    ],
    ['is the time of that and the rest', [final], [timed('second', 1)], [{ after: [], notBefore: at(2.5) }]],
    [
      'is the later of two times',
      [final],
      [timed('second', 1), timed('first', 0.5)],
      [{ after: [], notBefore: at(2.5) }],
    ],
    ['is no matter where it is long before', [final], [timed('second', -9)], [{ after: [], notBefore: null }]],
    [
      'is when that began, once it goes on',
      [final],
      [timed('second', 0, { status: 'running', startedAt: new Date(at(0.5)) })],
      [{ notBefore: at(2) }],
    ],
    ['is the time of what it feeds, less the rest', [first], [timed('final', 3)], [{ notAfter: at(2.5) }]],
    ['is no matter where that is long after', [first], [timed('final', 9)], [{ notAfter: null }]],
    [
      'goes through matches against nobody, which take no time',
      [match('last', { sides: [fedBy('bye'), side] })],
      [match('bye', { sides: [fedBy('second'), nobody] }), timed('second', 1)],
      [{ after: [], notBefore: at(2.5) }],
    ],
    [
      'goes through them the other way too',
      [match('start', { loserMatchGuid: 'bye' })],
      [match('bye', { sides: [fedBy('start'), nobody], nextMatchGuid: 'end' }), timed('end', 3)],
      [{ notAfter: at(2.5) }],
    ],
  ]
  test.each(cases)('%s', (_, matches, others, expected) => {
    expect(problem({ matches, others }).matches).toMatchObject(expected)
  })
})

describe('what is taken', () => {
  const mine = match('mine', { team1Guid: 'a', team2Guid: 'b' })
  const taken = (others: MatchRecord[], wishes: Partial<Wish> = {}) =>
    problem(
      {
        matches: [mine],
        others,
        sheets: [sheet('staff')],
        staffAnswers: [staff('ann')],
        officials: new Map(
          others.map(({ guid }) => [
            guid,
            [
              { userGuid: 'ann', role: 'role:host' as const },
              { userGuid: 'ann', role: 'role:caster' as const },
              { userGuid: 'bob', role: 'role:referee' as const },
            ],
          ]),
        ),
      },
      wishes,
    ).busy

  test('is told of the teams and officials who matter, once each', () => {
    const { teams, officials } = taken([timed('other', 1, { team1Guid: 'a', team2Guid: 'z' })])
    expect(teams).toEqual(new Map([['a', [span(1, 2)]]]))
    expect(officials).toEqual(new Map([['ann', [span(1, 2)]]]))
  })

  test('is what touches the window, with the rest', () => {
    const near = [timed('p', -1.5), timed('q', -1.25), timed('r', 4.25), timed('s', 4.5)]
    const { teams } = taken(near.map((each) => ({ ...each, team1Guid: 'b' })))
    expect(teams.get('b')).toEqual([span(-1.25, -0.25), span(4.25, 5.25)])
  })

  test('is nothing without a time', () => {
    expect(taken([match('other', { team1Guid: 'a' })])).toEqual({
      teams: new Map(),
      officials: new Map(),
      streams: new Map([['Stream 1', []]]),
    })
  })
})

describe('whom a match holds', () => {
  const one = match('one', { team1Guid: 'a', team2Guid: 'b' })
  const two = match('two', { team1Guid: 'c' })
  const members = new Map([
    ['a', ['ann', 'abe']],
    ['b', ['bob']],
    ['c', ['cyd']],
    ['z', ['zoe']],
  ])
  const as = (userGuid: string, role: Assigned['role'] = 'role:host') => ({ userGuid, role })
  const held = (changes: Partial<Facts>, wishes: Partial<Wish> = {}) => {
    const { matches, busy } = problem({ matches: [one, two], members, ...changes }, wishes)
    return [...matches.map(({ people }) => people), busy.officials]
  }
  const answering = { sheets: [sheet('staff')], staffAnswers: [staff('bob'), staff('zoe')] }

  test('is nobody who only ever plays, for the team is there too', () => {
    expect(held({ others: [timed('other', 1, { team1Guid: 'a' })] })).toEqual([[], [], new Map()])
  })

  test('are players who could be officials', () => {
    expect(held(answering)).toEqual([['bob'], [], new Map()])
  })

  test('are officials in roles that are not looked for, and players among these', () => {
    const officials = new Map([
      ['one', [as('hal'), as('cyd'), as('ann', 'role:referee')]],
      ['two', [as('hal'), as('hal', 'role:pooler')]],
    ])
    expect(held({ officials })).toEqual([['cyd', 'hal'], ['cyd', 'hal'], new Map()])
    expect(held({ officials }, { officialsPerMatch: { 'role:host': 1 } })).toEqual([['ann'], ['hal'], new Map()])
  })

  test('are those who are elsewhere, to play or to work', () => {
    const others = [timed('other', 1, { team1Guid: 'z', team2Guid: 'c' }), timed('late', 9)]
    const officials = new Map([
      ['one', [as('zoe')]],
      ['other', [as('bob', 'role:referee'), as('eve')]],
      ['late', [as('abe')]],
    ])
    const busy = new Map(['bob', 'zoe'].map((person) => [person, [span(1, 2)]]))
    expect(held({ others, officials })).toEqual([['bob', 'zoe'], [], busy])
    expect(held({ others, officials: new Map(), ...answering })).toEqual([
      ['bob'],
      [],
      new Map([['zoe', [span(1, 2)]]]),
    ])
  })
})

describe('streams', () => {
  const busy = (...times: readonly (number | readonly [number, string])[]) =>
    times.map((time, index) => {
      const [start, streamUrl] = typeof time === 'number' ? [time, null] : time
      return { match: match(`m${index}`, { streamUrl }), span: span(start, start + 1) }
    })
  const tv = 'https://tv.example/'
  test.each([
    ['with an address are taken by it alone', busy(0, [1, tv]), [tv], [[span(1, 2)]]],
    ['without one are taken in turn', busy(0, 0.5, 1), ['A', 'B'], [[span(0, 1), span(1, 2)], [span(0.5, 1.5)]]],
    [
      'are all taken where there are more matches',
      busy(0, 0.25, 0.5),
      ['A', 'B'],
      [[span(0, 1), span(0.5, 1.5)], [span(0.25, 1.25)]],
    ],
    ['of any other address are those without one', busy([0, 'https://x.example/']), [tv, 'B'], [[], [span(0, 1)]]],
  ])('%s', (_, taken, streams, expected) => {
    expect([...busyStreams(taken, streams).values()]).toEqual(expected)
  })
})

describe('answers', () => {
  const mine = match('mine', { team1Guid: 'a', team2Guid: 'b' })
  const statuses = new Map([
    ['a', 'registered' as const],
    ['b', 'qualified' as const],
  ])
  const runs = [{ ...span(1, 2), status: 'maybe' as const, reason: 'Work' }]

  test('of teams count on sheets that ask them; who is asked and silent cannot', () => {
    const sheets = [sheet('teams', { audience: 'teams', teamEligibility: 'registered' }), sheet('staff')]
    const { teams } = problem({ matches: [mine], sheets, statuses, teamAnswers: [team('a', runs), team('b', runs)] })
    expect(teams.get('a')).toEqual([{ ...span(1, 2), status: 'maybe' }])
    expect(teams.get('b')).toEqual([{ ...span(-0.25, 4.25), status: 'available' }])
    expect(problem({ matches: [mine], sheets, statuses }).teams.get('a')).toEqual([])
  })

  test('are cut to the window', () => {
    const sheets = [sheet('teams', { audience: 'teams' })]
    const long = [
      { ...span(-9, -1), status: 'available' as const },
      { ...span(-1, 9), status: 'maybe' as const },
    ]
    const { teams } = problem({ matches: [mine], sheets, statuses, teamAnswers: [team('a', long)] })
    expect(teams.get('a')).toEqual([{ ...span(-0.25, 4.25), status: 'maybe' }])
  })

  test('of staff count in roles that are needed and that the sheet asks', () => {
    const { officials } = problem({
      matches: [mine],
      sheets: [sheet('staff', { roles: ['role:caster', 'role:host'] }), sheet('teams', { audience: 'teams' })],
      staffAnswers: [
        staff('ann', { role: 'role:caster', runs }),
        staff('ann', { role: 'role:referee', runs }),
        staff('bob', { role: 'role:host', runs }),
        staff('cyd', { role: 'role:caster', sheetGuid: 'teams', runs }),
      ],
    })
    expect(officials).toEqual([
      {
        id: 'ann',
        roles: [{ role: 'role:caster', availability: [{ ...span(1, 2), status: 'maybe' }], matches: new Map() }],
      },
    ])
  })

  test('for a match are the worst of several', () => {
    const given = (['maybe', 'unavailable', 'would_rather_not', 'available'] as const).map((status, index) =>
      staff('ann', {
        sheetGuid: `s${index}`,
        matches: [
          { matchGuid: 'mine', status },
          { matchGuid: 'other', status },
        ],
      }),
    )
    const sheets = given.map(({ sheetGuid }) => sheet(sheetGuid))
    for (const staffAnswers of [given, given.toReversed()]) {
      expect(problem({ matches: [mine], sheets, staffAnswers }).officials[0]?.roles[0]?.matches).toEqual(
        new Map([['mine', 'unavailable']]),
      )
    }
  })

  test('are told of with names that people know', () => {
    const { names } = problem({ names: new Map([['a', 'The Rests']]) })
    expect(['a', 'role:hcoordinator', 'role:host', 'role:hcaster', 'role:referee'].map((id) => names.get(id))).toEqual([
      ...['The Rests', 'head coordinator', 'host', 'head caster', 'referee'],
    ])
  })
})

describe('the grounds of a proposal', () => {
  const one = match('one', { team1Guid: 'a' })
  const two = match('two')
  const runs = [
    { ...span(0, 1), status: 'available' as const },
    { ...span(1, 2), status: 'maybe' as const },
  ]
  const known = facts({
    matches: [one, two],
    others: [timed('x', 0, { team1Guid: 'a' }), timed('y', 0, { team1Guid: 'a' })],
    sheets: [sheet('staff'), sheet('teams', { audience: 'teams' }), sheet('more', { audience: 'teams' })],
    statuses: new Map([['a', 'registered']]),
    teamAnswers: [team('a', runs), team('a', [{ ...span(0, 2), status: 'maybe' }], 'more')],
    staffAnswers: [staff('ann', { runs, matches: [{ matchGuid: 'one', status: 'maybe' }] }), staff('bob', { runs })],
    officials: new Map([
      ['one', [{ userGuid: 'hal', role: 'role:host' as const }]],
      ['x', [{ userGuid: 'hal', role: 'role:host' as const }]],
    ]),
    members: new Map([['a', ['ann', 'abe']]]),
    names: new Map([['a', 'The Rests']]),
  })
  const grounds = (of: Facts, wishes: Wish = wish) => groundsOf(of, problemOf(of, wishes))

  /** Reverses every list without an order and the members of every record, as a database may return them. */
  function turned<T>(value: T): T {
    if (value instanceof Map) return new Map([...value].reverse().map(([key, each]) => [key, turned(each)])) as T
    if (value instanceof Date || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(turned) as T
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, each]) => [name, turned(each)]),
    ) as T
  }

  test('are the same text for the same facts, whatever their order', () => {
    const { matches, others, sheets, teamAnswers, staffAnswers } = known
    const other = turned({
      ...known,
      matches: matches.toReversed(),
      others: others.toReversed(),
      sheets: sheets.toReversed(),
      teamAnswers: teamAnswers.toReversed(),
      staffAnswers: staffAnswers.toReversed(),
    })
    const { officialsPerMatch, ...rest } = wish
    const wishes = { ...turned(rest), officialsPerMatch: turned(officialsPerMatch) }
    expect(Object.keys(wishes.officialsPerMatch)).not.toEqual(Object.keys(wish.officialsPerMatch))
    expect(grounds(other, wishes)).toBe(grounds(known))
  })

  test.each<[string, Facts]>([
    ['another revision of a match', { ...known, matches: [{ ...one, revision: 2 }, two] }],
    ['another status of a match', { ...known, matches: [{ ...one, status: 'locked' }, two] }],
    ['fewer answers', { ...known, teamAnswers: known.teamAnswers.slice(1) }],
    ['fewer officials', { ...known, staffAnswers: known.staffAnswers.slice(1) }],
    ['less that is taken', { ...known, others: [] }],
    ['an official of the teams who left them', { ...known, members: new Map([['a', ['abe']]]) }],
    ['somebody who no longer stays with a match', { ...known, officials: new Map([['one', []]]) }],
    ['a team that is not asked any more', { ...known, statuses: new Map() }],
  ])('tell %s', (_, other) => {
    expect(grounds(other)).not.toBe(grounds(known))
  })

  test('do not tell who only plays', () => {
    expect(grounds({ ...known, members: new Map([['a', ['ann', 'new']]]) })).toBe(grounds(known))
  })

  test('do not tell names, reasons, or when somebody answered', () => {
    const reasons = runs.map((run) => ({ ...run, reason: 'Work' }))
    const other = {
      ...known,
      names: new Map([['a', 'Others']]),
      staffAnswers: known.staffAnswers.map((each) => ({ ...each, runs: reasons, submittedAt: new Date() })),
    }
    expect(grounds(other)).toBe(grounds(known))
  })
})
