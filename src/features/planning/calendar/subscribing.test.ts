import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makePlatform, makeTournament, remembered, roleHolder } from '../../../../test/make.ts'

/** Calendars as programs fetch and read them. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day)
const nobody = '00000000-0000-4000-8000-000000000000'

function readCalendar(reply: Reply): ICAL.Component {
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  return new ICAL.Component(ICAL.parse(reply.text))
}

function readEvents(reply: Reply): ICAL.Event[] {
  return readCalendar(reply)
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component))
}

const summaries = (reply: Reply) => readEvents(reply).map(({ summary }) => summary)
const statuses = (reply: Reply) => [
  ...new Set(readEvents(reply).map(({ component }) => component.getFirstPropertyValue('status'))),
]
const nameOf = (reply: Reply) => readCalendar(reply).getFirstPropertyValue('x-wr-calname')

async function putTimeline(tournament: MadeTournament, timelineEvents: readonly object[], as = organiser) {
  const reply = await api.put(`/tournaments/${tournament.guid}/timelineEvents`, as, { timelineEvents })
  expect(reply.status).toBe(200)
  return reply.body.events as { guid: string; title: string }[]
}

describe('a platform’s calendar', () => {
  test('has what its list of entries has, as events in UTC', async () => {
    const circle = await makePlatform(api, { name: 'Circle, of; friends' })
    const cup = await makeTournament(api, organiser, {
      name: 'Spring; Cup, the "first"',
      startsAt: new Date('2035-03-25T00:30:00Z'),
      endsAt: new Date('2035-03-25T22:00:00Z'),
      registrationOpensAt: new Date('2035-02-01T00:00:00Z'),
    })
    await api.sql(`insert into listings select $1, guid, status, starts_at from tournaments where guid = $2`, [
      circle.guid,
      cup.guid,
    ])
    const description = 'Five maps.\nTwo tries; no more, really.'
    const [finals] = await putTimeline(cup, [
      { title: 'Finals', description, icon: 'trophy', startTime: '2035-03-25T20:00:00+02:00' },
    ])
    const window = { from: '2035-01-01T00:00:00Z', to: '2035-12-31T00:00:00Z', platform: circle.contextId }
    const reply = await api.get(`/calendar.ics?${new URLSearchParams(window)}`)
    expect(nameOf(reply)).toContain('Circle')
    const events = readEvents(reply)
    const host = new URL(api.app.config.publicUrl).hostname
    expect(
      events.map(({ uid, summary, startDate, component }) => [
        uid,
        summary,
        startDate.toJSDate().toISOString(),
        (component.getFirstPropertyValue('dtend') as ICAL.Time | null)?.toJSDate().toISOString() ?? null,
        component.getFirstPropertyValue('description'),
        component.getFirstPropertyValue('url'),
      ]),
    ).toEqual([
      [
        `registration-${cup.guid}@${host}`,
        'Spring; Cup, the "first": Registration opens',
        '2035-02-01T00:00:00.000Z',
        null,
        null,
        `${api.app.config.publicUrl}/tournaments/${cup.id}`,
      ],
      [
        `${cup.guid}@${host}`,
        'Spring; Cup, the "first"',
        '2035-03-25T00:30:00.000Z',
        '2035-03-25T22:00:00.000Z',
        null,
        `${api.app.config.publicUrl}/tournaments/${cup.id}`,
      ],
      [
        `${finals?.guid}@${host}`,
        'Spring; Cup, the "first": Finals',
        '2035-03-25T18:00:00.000Z',
        null,
        description,
        `${api.app.config.publicUrl}/tournaments/${cup.id}`,
      ],
    ])
    const listed = await api.get(`/calendar?${new URLSearchParams(window)}`)
    expect(listed.body.entries.map(({ startsAt }: { startsAt: string }) => startsAt)).toEqual(
      events.map(({ startDate }) => startDate.toJSDate().toISOString()),
    )
    const filtered = await api.get(`/calendar.ics?${new URLSearchParams({ ...window, kinds: 'timeline' })}`)
    expect(summaries(filtered)).toEqual(['Spring; Cup, the "first": Finals'])
  })

  test('shows the last 30 days and the next eleven months unless asked for others, and stays the same meanwhile', async () => {
    const cup = await makeTournament(api, organiser, { name: 'Long Cup' })
    await putTimeline(
      cup,
      [-32, -29, 0, 300, 334, 338].map((days) => ({ title: `${days}`, icon: 'flag', startTime: inDays(days) })),
    )
    const reply = await api.get('/calendar.ics')
    expect(nameOf(reply)).toBe('Main listing')
    expect(summaries(reply)).toEqual(['-29', '0', '300', '334'].map((title) => `Long Cup: ${title}`))
    const etag = reply.headers.get('etag') as string
    const again = await api.get('/calendar.ics', null, { 'if-none-match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(summaries(await api.get(`/calendar.ics?to=${inDays(100).toISOString()}`))).toEqual([
      'Long Cup: -29',
      'Long Cup: 0',
    ])
    await putTimeline(cup, [])
    expect((await api.get('/calendar.ics', null, { 'if-none-match': etag })).status).toBe(200)
  })

  test('tells of nothing that is not listed, and forgets what is cancelled', async () => {
    const circle = await makePlatform(api)
    for (const status of ['draft', 'approved', 'ongoing', 'completed', 'cancelled'] as const) {
      await makeTournament(api, organiser, { name: `${status} cup`, status, startsAt: inDays(5) })
    }
    const listed = async () =>
      (await summaries(await api.get('/calendar.ics', organiser))).filter((name) => / cup$/.test(name))
    expect((await listed()).sort()).toEqual(['approved cup', 'completed cup', 'ongoing cup'])
    expect(summaries(await api.get(`/calendar.ics?platform=${circle.contextId}`))).toEqual([])
    const [{ id }] = (await api.sql<{ id: string }>(`select id from tournaments where name = 'approved cup'`)) as [
      { id: string },
    ]
    expect((await api.post(`/tournaments/${id}/status`, organiser, { status: 'cancelled' })).status).toBe(200)
    expect((await listed()).sort()).toEqual(['completed cup', 'ongoing cup'])
  })

  test('can be asked for up to the end of all times', async () => {
    expect(summaries(await api.get('/calendar.ics?from=9999-01-01T00:00:00Z'))).toEqual([])
    const window = { from: '9999-01-01T00:00:00Z', to: '9999-12-31T23:59:59.999Z' }
    expect((await api.get(`/calendar?${new URLSearchParams(window)}`)).body.entries).toEqual([])
  })

  test('has at most 500 events, those that start first', async () => {
    const cups = await Promise.all([1, 2, 3].map((n) => makeTournament(api, organiser, { name: `Busy ${n}` })))
    await api.sql(
      `insert into timeline_events (tournament_guid, title, icon, start_time)
       select guid, 'Round ' || n, 'flag', timestamptz '2040-01-01' + n * interval '1 hour'
       from unnest($1::uuid[]) guid, generate_series(1, 200) n`,
      [cups.map(({ guid }) => guid)],
    )
    const events = readEvents(await api.get('/calendar.ics?from=2040-01-01T00:00:00Z'))
    expect(events.length).toBe(500)
    expect(events.at(-1)?.startDate.toJSDate().toISOString()).toBe('2040-01-07T23:00:00.000Z')
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(500)
  })

  test.each([
    ['platform=nowhere', 404, 'platform.unknown'],
    ['kinds=matches', 400, 'calendar.kind_unknown'],
    ['from=2026-01-01T00:00:00Z&to=2027-01-02T00:00:00.001Z', 400, 'calendar.window_invalid'],
    ['from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 400, 'calendar.window_invalid'],
    ['from=9999-12-31T23:59:59.999Z', 400, 'calendar.window_invalid'],
    ['to=2021-01-01T00:00:00Z', 400, 'calendar.window_invalid'],
    ['from=yesterday', 400, 'request.invalid'],
  ])('with %s is %i %s', async (query, status, code) => {
    const reply = await api.get(`/calendar.ics?${query}`)
    expect(problem(reply)).toEqual([status, code])
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })
})

describe('a tournament’s calendar', () => {
  const address = (tournament: { guid: string }) => `/tournaments/${tournament.guid}/calendar.ics`

  test('has all of its dates, however far away, by either identifier', async () => {
    const cup = await makeTournament(api, organiser, {
      name: 'Old Cup',
      status: 'completed',
      startsAt: new Date('2021-05-01T18:00:00Z'),
      endsAt: new Date('2021-05-03T18:00:00Z'),
      registrationOpensAt: new Date('2021-04-01T00:00:00Z'),
      registrationClosesAt: new Date('2021-04-20T00:00:00Z'),
    })
    await putTimeline(cup, [
      { title: 'Draw', icon: 'flag', startTime: '2021-04-25T18:00:00Z' },
      { title: 'Ten years later', icon: 'flag', startTime: '2031-05-01T18:00:00Z' },
    ])
    await makeTournament(api, organiser, { name: 'Other Cup', startsAt: new Date('2021-05-01T18:00:00Z') })
    for (const name of [cup.guid, cup.id]) {
      const reply = await api.get(`/tournaments/${name}/calendar.ics`)
      expect(nameOf(reply)).toBe('Old Cup')
      expect(summaries(reply)).toEqual([
        'Old Cup: Registration',
        'Old Cup: Draw',
        'Old Cup',
        'Old Cup: Ten years later',
      ])
    }
  })

  test('is empty for one without dates', async () => {
    expect(summaries(await api.get(address(await makeTournament(api, organiser))))).toEqual([])
  })

  test('has as many as a timeline can have', async () => {
    const cup = await makeTournament(api, organiser, { startsAt: inDays(1), registrationOpensAt: inDays(-1) })
    await putTimeline(
      cup,
      Array.from({ length: 200 }, (_, n) => ({
        title: `${n}`,
        icon: 'flag',
        startTime: inDays(n),
        description: 'x'.repeat(2_000),
      })),
    )
    expect(summaries(await api.get(address(cup))).length).toBe(202)
  })

  test('is visible as the tournament is', async () => {
    const draft = await makeTournament(api, organiser, { status: 'draft', startsAt: inDays(5) })
    const outsider = await api.user()
    for (const [tournament, caller] of [
      [draft, null],
      [draft, outsider],
      [{ guid: nobody }, null],
      [{ guid: 'no-such-cup' }, organiser],
    ] as const) {
      expect(problem(await api.get(address(tournament), caller))).toEqual([404, 'tournament.unknown'])
    }
    for (const caller of [organiser, await roleHolder(api, draft, 'role:host')]) {
      const reply = await api.get(address(draft), caller)
      expect(statuses(reply)).toEqual(['TENTATIVE'])
      expect(reply.headers.get('cache-control')).toBe('private, no-store')
    }
    expect(problem(await api.get(address(draft)))).toEqual([404, 'tournament.unknown'])
  })

  test('follows every change at once, and raises the sequence of what changed', async () => {
    const cup = await makeTournament(api, organiser, { name: 'Cup', startsAt: new Date('2030-05-01T18:00:00Z') })
    const [draw, finals] = (await putTimeline(cup, [
      { title: 'Draw', icon: 'flag', startTime: '2030-04-25T18:00:00Z' },
      { title: 'Finals', icon: 'flag', startTime: '2030-05-03T18:00:00Z' },
    ])) as [object, object]
    // The last change was long ago, so that the next one is later by more than a second.
    await api.sql(`update tournaments set updated_at = '2026-01-01' where guid = $1`, [cup.guid])
    await api.sql(`update timeline_events set updated_at = '2026-01-01' where tournament_guid = $1`, [cup.guid])
    const sequences = async () => {
      const events = readEvents(await remembered(api, address(cup)))
      return Object.fromEntries(events.map(({ summary, sequence }) => [summary, sequence]))
    }
    await putTimeline(cup, [{ ...draw, title: 'Great draw' }, finals])
    const before = await sequences()
    expect(Object.keys(before)).toEqual(['Cup: Great draw', 'Cup', 'Cup: Finals'])
    expect(before['Cup: Finals']).toBe(before.Cup)
    expect(before['Cup: Great draw']).toBeGreaterThan(before.Cup ?? 0)

    await api.patch(`/tournaments/${cup.guid}`, organiser, { name: 'Summer Cup', startsAt: '2030-04-01T18:00:00Z' })
    const after = await sequences()
    expect(Object.keys(after)).toEqual(['Summer Cup', 'Summer Cup: Great draw', 'Summer Cup: Finals'])
    expect(after['Summer Cup']).toBeGreaterThan(before.Cup ?? 0)
    expect(after['Summer Cup: Finals']).toBeGreaterThan(before['Cup: Finals'] ?? 0)

    await putTimeline(cup, [finals])
    expect(Object.keys(await sequences())).toEqual(['Summer Cup', 'Summer Cup: Finals'])

    expect(statuses(await remembered(api, address(cup)))).toEqual(['CONFIRMED'])
    await api.post(`/tournaments/${cup.guid}/status`, organiser, { status: 'cancelled' })
    const cancelled = await remembered(api, address(cup))
    expect(statuses(cancelled)).toEqual(['CANCELLED'])
    expect(summaries(cancelled)).toEqual(['Summer Cup', 'Summer Cup: Finals'])
  })

  test('is gone with its tournament', async () => {
    const cup = await makeTournament(api, organiser, { status: 'draft', startsAt: inDays(5) })
    expect((await api.get(address(cup), organiser)).status).toBe(200)
    expect((await api.delete(`/tournaments/${cup.guid}`, organiser)).status).toBe(204)
    expect(problem(await api.get(address(cup), organiser))).toEqual([404, 'tournament.unknown'])
  })

  test('cannot be broken by what organisers write', async () => {
    const name = 'Cup\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nATTACH:https://evil.example'
    const created = await api.post('/tournaments', organiser, {
      name,
      id: 'hostile-cup',
      startsAt: '2030-05-01T18:00:00Z',
    })
    expect(created.status).toBe(201)
    await putTimeline({ guid: created.body.guid, id: 'hostile-cup' }, [
      {
        title: 'Draw\nBEGIN:VALARM',
        description: '\\, ; \r\nEND:VCALENDAR',
        icon: 'flag',
        startTime: '2030-05-02T18:00:00Z',
      },
    ])
    const reply = await api.get('/tournaments/hostile-cup/calendar.ics', organiser)
    const line = 'Cup END:VEVENT BEGIN:VEVENT ATTACH:https://evil.example'
    expect(summaries(reply)).toEqual([line, `${line}: Draw BEGIN:VALARM`])
    expect(readEvents(reply)[1]?.description).toBe('\\, ; \nEND:VCALENDAR')
    expect(reply.text).not.toMatch(/^(ATTACH|BEGIN:VALARM)/m)
  })
})
