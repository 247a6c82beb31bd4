import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTournament } from '../../../../test/make.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

interface Event {
  guid: string
  title: string
  description: string | null
  icon: string
  startTime: string
  endTime: string | null
}

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const address = (tournament: { guid: string }) => `/tournaments/${tournament.guid}/timelineEvents`
const put = (tournament: { guid: string }, timelineEvents: unknown, as: Caller | null = organiser) =>
  api.put(address(tournament), as, { timelineEvents })
const draftEvent = (changes: object = {}) => ({
  title: 'Qualifiers',
  icon: 'flag',
  startTime: '2026-05-01T18:00:00Z',
  ...changes,
})

async function read(tournament: { guid: string }): Promise<Event[]> {
  const reply = await api.get(address(tournament))
  expect(reply.status).toBe(200)
  return reply.body
}

async function logged(tournament: MadeTournament) {
  return api.sql('select type, subject, actor, before, after from event_log where tournament = $1 order by seq', [
    tournament.guid,
  ])
}

describe('replacing the timeline', () => {
  test('creates what has no GUID, updates what has one, deletes what is absent', async () => {
    const tournament = await makeTournament(api, organiser)
    const first = await put(tournament, [
      draftEvent({
        title: 'Finals',
        startTime: '2026-06-01T18:00:00Z',
        endTime: '2026-06-02T00:00:00Z',
        icon: 'trophy',
      }),
      draftEvent({ description: 'Five maps.' }),
      draftEvent({ title: 'Sign-ups', startTime: '2026-04-01T00:00:00+02:00' }),
    ])
    expect([first.status, Object.keys(first.body).sort(), first.body.deleted]).toEqual([
      200,
      ['deleted', 'events', 'success'],
      0,
    ])
    expect(first.body.success).toEqual(expect.any(String))
    const [signUps, qualifiers, finals] = first.body.events as [Event, Event, Event]
    expect(first.body.events).toEqual([
      {
        guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        title: 'Sign-ups',
        description: null,
        icon: 'flag',
        startTime: '2026-03-31T22:00:00.000Z',
        endTime: null,
      },
      {
        guid: expect.any(String),
        title: 'Qualifiers',
        description: 'Five maps.',
        icon: 'flag',
        startTime: '2026-05-01T18:00:00.000Z',
        endTime: null,
      },
      {
        guid: expect.any(String),
        title: 'Finals',
        description: null,
        icon: 'trophy',
        startTime: '2026-06-01T18:00:00.000Z',
        endTime: '2026-06-02T00:00:00.000Z',
      },
    ])
    expect(await read(tournament)).toEqual(first.body.events)

    const second = await put(tournament, [
      { ...finals, guid: finals.guid.toUpperCase(), startTime: '2026-03-01T00:00:00Z', endTime: null },
      draftEvent({ title: 'Round of 16', startTime: '2026-05-20T18:00:00Z' }),
      qualifiers,
    ])
    expect([second.status, second.body.deleted]).toEqual([200, 1])
    expect(second.body.events).toEqual([
      { ...finals, startTime: '2026-03-01T00:00:00.000Z', endTime: null },
      qualifiers,
      expect.objectContaining({ title: 'Round of 16' }),
    ])
    expect(await read(tournament)).toEqual(second.body.events)

    const third = await put(tournament, [])
    expect([third.status, third.body.events, third.body.deleted]).toEqual([200, [], 3])
    expect(await read(tournament)).toEqual([])
    expect(signUps.guid).not.toBe(finals.guid)
  })

  test('is in the log with what changed, and is not when nothing did', async () => {
    const tournament = await makeTournament(api, organiser)
    const kept = draftEvent({ title: 'Kept' })
    const made = await put(tournament, [draftEvent({ description: 'Long.' }), kept])
    const events = made.body.events as Event[]
    const qualifiers = events.find(({ title }) => title === 'Qualifiers') as Event
    expect((await put(tournament, events)).status).toBe(200)
    const changed = events.map((event) => (event === qualifiers ? { ...event, icon: 'star' } : event))
    expect((await put(tournament, changed)).status).toBe(200)
    const { description: _, ...entry } = qualifiers
    const common = { type: 'timeline.replaced', subject: tournament.guid, actor: organiser.guid }
    expect(await logged(tournament)).toEqual([
      { ...common, before: { timelineEvents: [] }, after: { timelineEvents: expect.arrayContaining([entry]) } },
      { ...common, before: { timelineEvents: [entry] }, after: { timelineEvents: [{ ...entry, icon: 'star' }] } },
    ])
  })

  test('events at the same time are ordered by GUID', async () => {
    const tournament = await makeTournament(api, organiser)
    const reply = await put(
      tournament,
      Array.from({ length: 12 }, (_, n) => draftEvent({ title: `Event ${n}` })),
    )
    const guids = (reply.body.events as Event[]).map(({ guid }) => guid)
    expect(guids).toEqual([...guids].sort())
    expect((await read(tournament)).map(({ guid }) => guid)).toEqual(guids)
  })

  test('takes up to two hundred events', async () => {
    const tournament = await makeTournament(api, organiser)
    const many = Array.from({ length: 200 }, (_, n) =>
      draftEvent({
        title: 't'.repeat(120),
        description: 'd'.repeat(2_000),
        startTime: `2026-05-01T18:00:00.${100 + n}Z`,
      }),
    )
    const reply = await put(tournament, many)
    expect([reply.status, reply.body.events?.length]).toEqual([200, 200])
    const changed = (reply.body.events as Event[]).map((event) => ({ ...event, title: 'Other' }))
    expect((await put(tournament, changed)).body.events).toEqual(changed)
    expect(problem(await put(tournament, [...many, draftEvent()]))).toEqual([400, 'request.invalid'])
    expect(await read(tournament)).toEqual(changed)
  })

  test.each([
    '2026-05-01T18:00Z',
    '20260501T180000Z',
    '2026-05-01T20:00:00+02',
    '2026-W18-5T18:00:00.000Z',
    '2026-05-01t18:00:00z',
  ])('reads the instant %s', async (startTime) => {
    const tournament = await makeTournament(api, organiser)
    const reply = await put(tournament, [draftEvent({ startTime })])
    expect([reply.status, reply.body.events?.[0].startTime]).toEqual([200, '2026-05-01T18:00:00.000Z'])
  })
})

describe('what is refused', () => {
  const cases: [string, unknown, string][] = [
    ['no list', undefined, 'request.invalid'],
    ['null for the list', null, 'request.invalid'],
    ['an object for the list', {}, 'request.invalid'],
    ['null for an event', [null], 'request.invalid'],
    ['no title', [{ ...draftEvent(), title: undefined }], 'request.invalid'],
    ['an empty title', [draftEvent({ title: '' })], 'request.invalid'],
    ['a blank title', [draftEvent({ title: ' \t\n ' })], 'request.invalid'],
    ['a long title', [draftEvent({ title: 'x'.repeat(121) })], 'request.invalid'],
    ['no icon', [{ ...draftEvent(), icon: undefined }], 'request.invalid'],
    ['an empty icon', [draftEvent({ icon: '' })], 'request.invalid'],
    ['markup for an icon', [draftEvent({ icon: '<img src=x>' })], 'request.invalid'],
    ['a path for an icon', [draftEvent({ icon: '../flag' })], 'request.invalid'],
    ['a long icon', [draftEvent({ icon: 'x'.repeat(65) })], 'request.invalid'],
    ['no start', [{ ...draftEvent(), startTime: undefined }], 'request.invalid'],
    ['null for the start', [draftEvent({ startTime: null })], 'request.invalid'],
    ['a number for the start', [draftEvent({ startTime: 1_777_000_000 })], 'request.invalid'],
    ['a start without zone', [draftEvent({ startTime: '2026-05-01T18:00:00' })], 'request.invalid'],
    ['an impossible start', [draftEvent({ startTime: '2026-02-30T18:00:00Z' })], 'request.invalid'],
    [
      'the epoch for the start, which means unset',
      [draftEvent({ startTime: '1970-01-01T00:00:00Z' })],
      'timeline.time_invalid',
    ],
    ['a start before 2020', [draftEvent({ startTime: '2019-12-31T23:59:59Z' })], 'request.invalid'],
    ['an end before 2020', [draftEvent({ endTime: '2019-12-31T23:59:59Z' })], 'request.invalid'],
    ['an end before the start', [draftEvent({ endTime: '2026-05-01T17:59:59.999Z' })], 'timeline.time_invalid'],
    ['a long description', [draftEvent({ description: 'x'.repeat(2_001) })], 'request.invalid'],
    ['control characters', [draftEvent({ title: 'a\u0000b' })], 'request.invalid'],
    ['a malformed GUID', [draftEvent({ guid: '1' })], 'request.invalid'],
    ['null for a GUID', [draftEvent({ guid: null })], 'request.invalid'],
    ['an unknown GUID', [draftEvent({ guid: '00000000-0000-4000-8000-000000000000' })], 'timeline.event_unknown'],
  ]

  test.each(cases)('%s', async (_name, events, code) => {
    const tournament = await makeTournament(api, organiser)
    const kept = (await put(tournament, [draftEvent()])).body.events
    const whole = Array.isArray(events) ? [draftEvent({ title: 'Sound' }), ...events] : events
    const reply = await put(tournament, whole)
    expect(problem(reply)).toEqual([400, code])
    expect(reply.text).toMatch(/^[A-Z].+\.$/)
    expect(await read(tournament)).toEqual(kept)
    expect((await logged(tournament)).length).toBe(1)
  })

  test('an event twice, in whatever case its GUID is written', async () => {
    const tournament = await makeTournament(api, organiser)
    const [event] = (await put(tournament, [draftEvent()])).body.events as [Event]
    const twice = [event, { ...event, guid: event.guid.toUpperCase() }]
    expect(problem(await put(tournament, twice))).toEqual([400, 'timeline.event_twice'])
    expect(await read(tournament)).toEqual([event])
  })

  test('an event of another tournament, which stays as it is', async () => {
    const [here, there] = [await makeTournament(api, organiser), await makeTournament(api, organiser)]
    const [event] = (await put(there, [draftEvent()])).body.events as [Event]
    expect(problem(await put(here, [{ ...event, title: 'Taken' }]))).toEqual([400, 'timeline.event_unknown'])
    expect(await read(there)).toEqual([event])
    expect(await read(here)).toEqual([])
  })
})

describe('who may replace it', () => {
  const roles = [
    ['role:admin', 200],
    ['role:staff', 200],
    ['role:coordinator', 401],
    ['role:hcoordinator', 401],
    ['role:pooler', 401],
    ['role:hpooler', 401],
    ['role:caster', 401],
    ['role:hcaster', 401],
    ['role:host', 401],
    ['role:referee', 401],
  ] as const

  test.each(roles)('%s: %i', async (role, status) => {
    const tournament = await makeTournament(api, organiser)
    const user = await api.user()
    await grantRole(api, tournament, user, role)
    const reply = await put(tournament, [draftEvent()], user)
    expect(problem(reply)).toEqual([status, status === 200 ? null : 'role.missing'])
    expect((await read(tournament)).length).toBe(status === 200 ? 1 : 0)
  })

  test('the organiser and global managers may; others may not, and learn nothing about the body', async () => {
    const tournament = await makeTournament(api, organiser)
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    expect((await put(tournament, [], organiser)).status).toBe(200)
    expect((await put(tournament, [], manager)).status).toBe(200)
    const outsider = await api.user({ globalRoles: ['global:users:read'] })
    const replies = await Promise.all([put(tournament, [draftEvent()], outsider), put(tournament, 7, outsider)])
    for (const reply of replies)
      expect([...problem(reply), reply.text]).toEqual([401, 'role.missing', replies[0]?.text])
  })

  test('a token with the scope is needed', async () => {
    const tournament = await makeTournament(api, organiser)
    const token = await api.token(organiser, ['rest:read'])
    const body = { timelineEvents: [] }
    expect(problem(await put(tournament, [], null))).toEqual([401, 'token.missing'])
    expect(problem(await api.call('PUT', address(tournament), { token, body }))).toEqual([401, 'scope.missing'])
  })

  test('an unknown tournament and a draft of others are 404, to read and to write', async () => {
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    const outsider = await api.user()
    for (const tournament of [draft, { guid: '00000000-0000-4000-8000-000000000000' }, { guid: 'no-such-cup' }]) {
      expect(problem(await put(tournament, [draftEvent()], outsider))).toEqual([404, 'tournament.unknown'])
      expect(problem(await api.get(address(tournament), outsider))).toEqual([404, 'tournament.unknown'])
      expect(problem(await api.get(address(tournament)))).toEqual([404, 'tournament.unknown'])
    }
    expect((await put(draft, [draftEvent()])).status).toBe(200)
    expect((await api.get(address(draft), organiser)).body.length).toBe(1)
    expect(problem(await api.get(address(draft)))).toEqual([404, 'tournament.unknown'])
  })
})

describe('reading it', () => {
  test('is for everybody, by either identifier, and never older than the last change', async () => {
    const tournament = await makeTournament(api, organiser)
    for (const title of ['One', 'Two', 'Three']) {
      expect((await put(tournament, [draftEvent({ title })])).status).toBe(200)
      for (const name of [tournament.guid, tournament.id, tournament.id]) {
        const reply = await api.get(`/tournaments/${name}/timelineEvents`)
        expect([reply.status, reply.body.map((event: Event) => event.title)]).toEqual([200, [title]])
        expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      }
    }
  })
})

describe('in the tournament’s record', () => {
  test('it is a part for those who ask for it', async () => {
    const tournament = await makeTournament(api, organiser)
    const { events } = (await put(tournament, [draftEvent(), draftEvent({ title: 'Finals' })])).body
    const record = await api.get(`/tournaments/${tournament.id}?include=timeline`)
    expect([record.status, record.body.timeline]).toEqual([200, events])
  })
})

describe('at once', () => {
  test('replacements follow one another: the timeline is one of them as a whole', async () => {
    const tournament = await makeTournament(api, organiser)
    const writers = Array.from({ length: 10 }, (_, writer) =>
      Array.from({ length: 5 }, (_, n) =>
        draftEvent({ title: `Writer ${writer}`, startTime: `2026-05-0${n + 1}T18:00:00Z` }),
      ),
    )
    const replies = await Promise.all(writers.map((events) => put(tournament, events)))
    expect(replies.map(({ status }) => status)).toEqual(writers.map(() => 200))
    // Every replacement but the first deleted the five events of the previous one.
    expect(replies.map(({ body }) => body.deleted).sort()).toEqual([0, ...Array(9).fill(5)])
    const now = await read(tournament)
    expect(now.length).toBe(5)
    expect(new Set(now.map(({ title }) => title)).size).toBe(1)
    expect(replies.filter(({ body }) => JSON.stringify(body.events) === JSON.stringify(now)).length).toBe(1)
    expect((await logged(tournament)).length).toBe(10)
  })

  test('of many edits of one loaded timeline, what an earlier one deleted is refused to the later', async () => {
    const tournament = await makeTournament(api, organiser)
    const [event] = (await put(tournament, [draftEvent()])).body.events as [Event]
    const replies = await Promise.all([
      put(tournament, []),
      ...Array.from({ length: 6 }, (_, n) => put(tournament, [{ ...event, title: `Edit ${n}` }, draftEvent()])),
    ])
    const now = await read(tournament)
    const deleting = replies[0] as Reply
    const refused = replies.filter((reply) => reply.status === 400)
    expect(deleting.status).toBe(200)
    for (const reply of refused) expect(problem(reply)).toEqual([400, 'timeline.event_unknown'])
    expect(replies.every(({ status }) => status === 200 || status === 400)).toBe(true)
    expect(now).toEqual([])
  })
})
