import type { Socket } from 'node:net'
import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answered,
  at,
  day,
  type MadeSheet,
  makeMatches,
  makeSheet,
  problem,
  respond,
  respondFor,
  says,
  span,
} from '../../../../test/availability.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTeam, makeTournament } from '../../../../test/make.ts'

/** Which slots suit most of the people that a sheet asks. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

interface Slot {
  startsAt: string
  matchGuid?: string
  rank: number
  counts: Record<string, number>
  people: { userGuid?: string; teamGuid?: string; role: string | null; status: string }[]
}

const overlapOf = async (sheet: MadeSheet, query = ''): Promise<Slot[]> =>
  (await answered(api.get(`${sheet.address}/overlap${query}`, organiser))).slots
/** The hours at which the slots start, best slot first. */
const inRank = (slots: Slot[]) =>
  slots
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ startsAt }) => (Date.parse(startsAt) - Date.parse(`${day}T00:00:00Z`)) / 3_600_000)

async function staffed(...roles: string[]): Promise<{ cup: MadeTournament; staff: Caller[] }> {
  const cup = await makeTournament(api, organiser)
  const staff = await Promise.all(
    roles.map(async (role, n) => {
      const holder = await api.user({ name: `official ${n}` })
      await grantRole(api, cup, holder, `role:${role}`)
      return holder
    }),
  )
  return { cup, staff }
}

const counts = (changes: object) => ({
  available: 0,
  maybe: 0,
  would_rather_not: 0,
  unavailable: 0,
  unanswered: 0,
  ...changes,
})

describe('slots', () => {
  test('tell who said what, how many did, and who has not, in order of time', async () => {
    const { cup, staff } = await staffed('caster', 'host', 'caster')
    const [caster, host] = staff as [Caller, Caller]
    const sheet = await makeSheet(api, cup, organiser, {
      windows: [span(42, 42.5), span(18, 18.5)],
      roles: ['role:caster', 'role:host'],
    })
    await answered(respond(api, sheet, caster, [says('available', 18, 18.25), says('unavailable', 42, 42.5)]))
    await answered(respond(api, sheet, host, [says('maybe', 18, 18.5)]))
    const slots = await overlapOf(sheet)
    const who = (user: Caller, role: string, status: string) => ({ userGuid: user.guid, role: `role:${role}`, status })
    expect(slots).toEqual([
      {
        ...span(18, 18.25),
        rank: 1,
        counts: counts({ available: 1, maybe: 1, unanswered: 1 }),
        people: expect.arrayContaining([who(caster, 'caster', 'available'), who(host, 'host', 'maybe')]),
      },
      {
        ...span(18.25, 18.5),
        rank: 2,
        counts: counts({ maybe: 1, unanswered: 2 }),
        people: [who(host, 'host', 'maybe')],
      },
      {
        ...span(42, 42.25),
        rank: 3,
        counts: counts({ unavailable: 1, unanswered: 2 }),
        people: [who(caster, 'caster', 'unavailable')],
      },
      {
        ...span(42.25, 42.5),
        rank: 4,
        counts: counts({ unavailable: 1, unanswered: 2 }),
        people: [who(caster, 'caster', 'unavailable')],
      },
    ])
    expect(slots[0]?.people).toHaveLength(2)
  })

  test('rank by what the worst of them said, then by roles covered, then earlier', async () => {
    const { cup, staff } = await staffed('caster', 'host')
    const [caster, host] = staff as [Caller, Caller]
    const sheet = await makeSheet(api, cup, organiser, { roles: ['role:caster', 'role:host'], windows: [span(18, 20)] })
    await answered(
      respond(api, sheet, caster, [
        says('unavailable', 18, 18.25),
        says('would_rather_not', 18.25, 18.5),
        says('maybe', 18.5, 18.75),
        says('available', 18.75, 20),
      ]),
    )
    // At 19:15 one role is missing; from 19:30 on both roles are available.
    await answered(respond(api, sheet, host, [says('available', 18, 19.25), says('unavailable', 19.25, 19.5)]))
    await answered(
      respond(api, sheet, caster, [
        says('unavailable', 18, 18.25),
        says('would_rather_not', 18.25, 18.5),
        says('maybe', 18.5, 18.75),
        says('available', 18.75, 19.5),
        says('unavailable', 19.5, 20),
      ]),
    )
    expect(inRank(await overlapOf(sheet))).toEqual([18.75, 19, 18.5, 18.25, 18, 19.25, 19.5, 19.75])
  })

  test('only the best, where so many are asked for, in order of time', async () => {
    const { cup, staff } = await staffed('caster')
    const [caster] = staff as [Caller]
    const sheet = await makeSheet(api, cup, organiser, { roles: ['role:caster'] })
    await answered(respond(api, sheet, caster, [says('maybe', 19, 19.25), says('available', 21, 21.25)]))
    const best = await overlapOf(sheet, '?top=2')
    expect(best.map(({ startsAt, rank }) => [startsAt, rank])).toEqual([
      [at(19), 2],
      [at(21), 1],
    ])
    expect(await overlapOf(sheet, '?top=500')).toHaveLength(16)
    for (const top of ['0', '-1', '1.5', 'all', '10001']) {
      expect(problem(await api.get(`${sheet.address}/overlap?top=${top}`, organiser))).toEqual([400, 'request.invalid'])
    }
  })

  test('of teams are those of the sheet, and count every team that is asked', async () => {
    const { cup } = await staffed()
    const [first, second] = [await api.user(), await api.user()]
    const home = await makeTeam(api, cup, first, { status: 'registered' })
    await makeTeam(api, cup, second, { status: 'qualified' })
    await makeTeam(api, cup, await api.user())
    const sheet = await makeSheet(api, cup, organiser, { audience: 'teams', slotMinutes: 60, windows: [span(18, 20)] })
    await answered(respondFor(api, sheet, home, first, [says('available', 19, 20)]))
    expect(await overlapOf(sheet)).toEqual([
      { ...span(18, 19), rank: 2, counts: counts({ unanswered: 2 }), people: [] },
      {
        ...span(19, 20),
        rank: 1,
        counts: counts({ available: 1, unanswered: 1 }),
        people: [{ teamGuid: home.guid, role: null, status: 'available' }],
      },
    ])
  })

  test('of forty officials over six weeks are told whole; their list is cut to one’s own', async () => {
    const { cup } = await staffed()
    const sheet = await makeSheet(api, cup, organiser, { mode: 'range', ...span(0, 42 * 24), roles: ['role:referee'] })
    const officials = await Promise.all(Array.from({ length: 40 }, () => api.user()))
    const runs = Array.from({ length: 42 * 24 }, (_, n) => ({
      start: Date.parse(at(n)),
      end: Date.parse(at(n + 1)),
      status: n % 3 === 0 ? 'maybe' : 'available',
    }))
    await api.sql(
      `with h as (
         insert into tournament_role_holders (tournament_guid, user_guid, role)
         select $1, guid, 'role:referee' from unnest($2::uuid[]) guid returning user_guid)
       insert into availability_responses (sheet_guid, user_guid, role, runs, matches, submitted_at)
       select $3, user_guid, 'role:referee', $4, '[]', now() from h`,
      [cup.guid, officials.map(({ guid }) => guid), sheet.guid, JSON.stringify(runs)],
    )
    const slots = await overlapOf(sheet)
    expect([slots.length, slots[0]?.counts.maybe, slots[4]?.rank]).toEqual([4_032, 40, 1])
    // A list cannot include that many answers: it says so, and shows each official their own.
    const whole = await answered(api.get(sheet.address, organiser))
    expect([whole.responses, whole.responsesLimited]).toEqual([[], true])
    const own = await answered(api.get(sheet.address, officials[0]))
    expect([own.responses.length, own.responsesLimited]).toEqual([4_032, undefined])
    // Answers that are not shown are not read.
    const state = `/tournaments/${cup.guid}/availability`
    expect(await bytesRead(async () => (await answered(api.get(state, organiser))).sheets[0].responses)).toBeLessThan(
      20_000,
    )
    expect(await bytesRead(() => answered(api.get(sheet.address, officials[0])))).toBeLessThan(250_000)
    expect(await bytesRead(() => overlapOf(sheet))).toBeGreaterThan(2_000_000)
  })
})

/** The number of bytes that the read connections receive during the work. */
async function bytesRead(work: () => Promise<unknown>): Promise<number> {
  const { db } = api.app.database
  const streams = [db.session, db.session].map(({ client }) => connectionOf(client).stream)
  const read = () => streams.reduce((bytes, stream) => bytes + stream.bytesRead, 0)
  const before = read()
  await work()
  return read() - before
}

/** The library's types do not declare the connection. */
function connectionOf(client: object): { readonly stream: Socket } {
  return (client as { readonly connection: { readonly stream: Socket } }).connection
}

test('a list of many sheets holds answers from the first on, as long as there is room', async () => {
  const { cup, staff } = await staffed('referee', 'referee')
  const captain = await api.user()
  const team = await makeTeam(api, cup, captain, { status: 'registered' })
  // Newest first: each sheet has 11,904 answers of the officials, or 1,488 of the team.
  const days = { mode: 'range', ...span(0, 62 * 24) }
  const ofTeams = await makeSheet(api, cup, organiser, { ...days, audience: 'teams', slotMinutes: 60 })
  const sheets = await Promise.all(
    Array.from({ length: 5 }, () => makeSheet(api, cup, organiser, { ...days, roles: ['role:referee'] })),
  )
  await answered(respondFor(api, ofTeams, team, captain, [says('available', 0, 62 * 24)]))
  const run = { start: Date.parse(at(0)), end: Date.parse(at(62 * 24)), status: 'available' }
  await api.sql(
    `insert into availability_responses (sheet_guid, user_guid, role, runs, matches, submitted_at)
     select sheet, official, 'role:referee', $3, '[]', now() from unnest($1::uuid[]) sheet, unnest($2::uuid[]) official`,
    [sheets.map(({ guid }) => guid), staff.map(({ guid }) => guid), JSON.stringify([run])],
  )
  const { body } = await api.get(`/tournaments/${cup.guid}/availability`, organiser)
  const [full, limited] = [
    [11_904, 0, 0, false],
    [0, 0, 0, true],
  ]
  expect(
    body.sheets.map(({ responses, teamResponses, teamSubmissions, responsesLimited }: Record<string, unknown[]>) => [
      ...[responses?.length, teamResponses?.length, teamSubmissions?.length, responsesLimited ?? false],
    ]),
  ).toEqual([full, full, full, full, limited, [0, 1_488, 1, false]])
})

describe('matches', () => {
  test('come in the order of their times, those without one last', async () => {
    const { cup, staff } = await staffed('referee', 'referee')
    const [one, two] = staff as [Caller, Caller]
    const [late, open, early] = (await makeMatches(api, cup, [
      { scheduledAt: at(42) },
      { scheduledAt: null },
      { scheduledAt: at(18) },
    ])) as [string, string, string]
    const sheet = await makeSheet(api, cup, organiser, {
      mode: 'matches',
      matchGuids: [open, late, early],
      roles: ['role:referee'],
    })
    await answered(
      respond(api, sheet, one, [
        { status: 'available', matchGuid: late },
        { status: 'maybe', matchGuid: open },
      ]),
    )
    await answered(respond(api, sheet, two, [{ status: 'available', matchGuid: late }]))
    const who = (user: Caller, status: string) => ({ userGuid: user.guid, role: 'role:referee', status })
    expect(await overlapOf(sheet)).toEqual([
      { matchGuid: early, rank: 3, counts: counts({ unanswered: 2 }), people: [] },
      {
        matchGuid: late,
        rank: 1,
        counts: counts({ available: 2 }),
        people: expect.arrayContaining([who(one, 'available'), who(two, 'available')]),
      },
      { matchGuid: open, rank: 2, counts: counts({ maybe: 1, unanswered: 1 }), people: [who(one, 'maybe')] },
    ])
  })
})

describe('the file for calendars', () => {
  const calendarOf = async (sheet: MadeSheet, query = '') => {
    const reply = await api.get(`${sheet.address}/overlap.ics${query}`, organiser)
    expect([...problem(reply), reply.headers.get('content-type')]).toEqual([200, null, 'text/calendar; charset=utf-8'])
    const calendar = new ICAL.Component(ICAL.parse(reply.text))
    return { reply, calendar, events: calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each)) }
  }
  const timesOf = (events: ICAL.Event[]) =>
    events.map(({ startDate, endDate }) => [startDate.toJSDate().toISOString(), endDate.toJSDate().toISOString()])

  test('holds the slots that were chosen, with who can', async () => {
    const { cup, staff } = await staffed('caster', 'host')
    const [caster] = staff as [Caller]
    const sheet = await makeSheet(api, cup, organiser, { title: 'Casting', roles: ['role:caster', 'role:host'] })
    await answered(respond(api, sheet, caster, [says('maybe', 19, 19.25)]))
    const slots = [at(21), '2026-05-01T21:00:00+02:00', at(21)].map(encodeURIComponent).join(',')
    const { reply, calendar, events } = await calendarOf(sheet, `?slots=${slots}`)
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${cup.id}-availability.ics"`)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(calendar.getFirstPropertyValue('name')).toBe('Casting')
    expect(timesOf(events)).toEqual([
      [at(19), at(19.25)],
      [at(21), at(21.25)],
    ])
    expect(events.map(({ summary }) => summary)).toEqual(['Casting (1 maybe, 1 unanswered)', 'Casting (2 unanswered)'])
    expect(events.map(({ description }) => description)).toEqual(['maybe: official 0 (caster)', null])
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(2)
    expect((await calendarOf(sheet, `?slots=${slots}`)).reply.text).toBe(reply.text)
  })

  test('holds the ten best unless something is asked for, and none in which nobody can come', async () => {
    const { cup, staff } = await staffed('caster')
    const [caster] = staff as [Caller]
    const sheet = await makeSheet(api, cup, organiser, { roles: ['role:caster'] })
    await answered(respond(api, sheet, caster, [says('available', 18, 19), says('maybe', 19, 22)]))
    expect((await calendarOf(sheet)).events).toHaveLength(10)
    const best = await calendarOf(sheet, '?top=5')
    expect(timesOf(best.events).map(([start]) => start)).toEqual([18, 18.25, 18.5, 18.75, 19].map(at))
    await answered(respond(api, sheet, caster, [says('available', 18, 18.5), says('unavailable', 19, 22)]))
    expect(timesOf((await calendarOf(sheet)).events)).toEqual([
      [at(18), at(18.25)],
      [at(18.25), at(18.5)],
    ])
    await answered(respond(api, sheet, caster, []))
    expect((await calendarOf(sheet)).events).toEqual([])
  })

  test('holds matches as soon as their time is known', async () => {
    const { cup, staff } = await staffed('caster')
    const [caster] = staff as [Caller]
    const [timed, open] = (await makeMatches(api, cup, [{ scheduledAt: at(18) }, {}])) as [string, string]
    const sheet = await makeSheet(api, cup, organiser, {
      mode: 'matches',
      matchGuids: [timed, open],
      roles: ['role:caster'],
    })
    const both = [timed, open].map((matchGuid) => ({ status: 'available', matchGuid }))
    await answered(respond(api, sheet, caster, both))
    const { events } = await calendarOf(sheet)
    expect(events.map(({ summary }) => summary)).toEqual(['Finals: match 1 (1 available)'])
    expect(events[0]?.startDate.toJSDate().toISOString()).toBe(at(18))
    expect((await calendarOf(sheet, `?slots=${timed.toUpperCase()}`)).events).toHaveLength(1)
    expect(problem(await api.get(`${sheet.address}/overlap.ics?slots=${open}`, organiser))).toEqual([
      ...[400, 'availability.slot_unknown'],
    ])
  })

  test('holds hostile words as words', async () => {
    const { cup, staff } = await staffed('caster')
    const [caster] = staff as [Caller]
    const evil = 'A\\n;,\nEND:VEVENT\nATTENDEE:mailto:a@b.example "x" 日本語'
    await api.sql('update users set preferred_name = $2 where guid = $1', [caster.guid, 'END:VCALENDAR;X=1,\r\nB\\,'])
    const sheet = await makeSheet(api, cup, organiser, { title: evil, roles: ['role:caster'] })
    await answered(respond(api, sheet, caster, [says('available', 18, 18.25)]))
    const { reply, calendar, events } = await calendarOf(sheet)
    const oneLine = evil.replaceAll('\n', ' ')
    expect(calendar.getAllProperties().map(({ name }) => name)).toEqual(['version', 'prodid', 'name', 'x-wr-calname'])
    expect(events).toHaveLength(1)
    expect(events[0]?.summary).toBe(`${oneLine} (1 available)`)
    expect(events[0]?.description).toBe('available: END:VCALENDAR;X=1, B\\, (caster)')
    expect(events[0]?.attendees).toEqual([])
    expect(reply.text).not.toMatch(/\r(?!\n)|(?<!\r)\n/)
    expect(reply.text.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
  })

  test('cannot hold what is not on the sheet', async () => {
    const { cup } = await staffed()
    const sheet = await makeSheet(api, cup, organiser)
    const many = Array.from({ length: 101 }, () => at(18)).join(',')
    for (const slots of ['', at(17.75), '2026-05-01T18:05:00Z', '18:00', cup.guid, `${at(18)},`, many]) {
      const reply = await api.get(`${sheet.address}/overlap.ics?slots=${encodeURIComponent(slots)}`, organiser)
      expect([slots, ...problem(reply)]).toEqual([slots, 400, 'availability.slot_unknown'])
    }
    for (const top of ['0', '101', 'x']) {
      expect(problem(await api.get(`${sheet.address}/overlap.ics?top=${top}`, organiser))).toEqual([
        400,
        'request.invalid',
      ])
    }
  })
})
