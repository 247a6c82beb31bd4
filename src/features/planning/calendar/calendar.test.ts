import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calendarAddress, fillListing } from '../../../../test/calendar.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import {
  type MadeTournament,
  makePlatform,
  makeTournament,
  type TournamentOptions,
  touch,
} from '../../../../test/make.ts'

interface Entry {
  kind: string
  guid: string | null
  title: string
  startsAt: string
  endsAt: string | null
  tournament: { guid: string; name: string }
}

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const hour = 3_600_000
const day = 24 * hour

/**
 * Cases for a platform with few tournaments, which are read one by one, and for one with many, which is read in order
 * of time.
 */
describe.each(['few', 'many'] as const)('a platform with %s tournaments', (size) => {
  let api: Harness
  let organiser: Caller
  beforeAll(async () => {
    api = await startHarness()
    organiser = await api.user()
    if (size === 'many') await fillListing(api, organiser)
  })
  afterAll(() => api[Symbol.asyncDispose]())

  /** A year that no other test uses. */
  let lastYear = 2030
  function newYear() {
    const year = ++lastYear
    const at = (time: string) => new Date(`${year}-${time}`)
    const window = { from: at('01-01T00:00:00Z').toISOString(), to: new Date(Date.UTC(year + 1, 0)).toISOString() }
    return { year, at, window }
  }

  const make = (options: TournamentOptions) => makeTournament(api, organiser, options)

  async function makeEvents(tournament: MadeTournament, events: readonly (readonly [title: string, ...Date[]])[]) {
    const timelineEvents = events.map(([title, startTime, endTime]) => ({ title, icon: 'flag', startTime, endTime }))
    const reply = await api.put(`/tournaments/${tournament.guid}/timelineEvents`, organiser, { timelineEvents })
    expect(reply.status).toBe(200)
    return reply.body.events as { guid: string; title: string }[]
  }

  async function read(query: Record<string, string>, as: Caller | null = null): Promise<Entry[]> {
    const reply = await api.get(calendarAddress({ limit: '100', ...query }), as)
    expect(problem(reply)).toEqual([200, null])
    expect(reply.body.nextCursor).toBeNull()
    return reply.body.entries
  }

  const titles = (entries: readonly Entry[]) => entries.map(({ title }) => title)

  describe('entries', () => {
    test('are the tournament, its registration and its timeline, in the order in which they start', async () => {
      const { at, window } = newYear()
      const cup = await make({
        name: 'Spring Cup',
        registrationOpensAt: at('03-01T00:00:00Z'),
        registrationClosesAt: at('04-01T00:00:00Z'),
        startsAt: at('05-01T18:00:00Z'),
        endsAt: at('05-03T22:00:00Z'),
      })
      await api.sql(`update tournaments set summary = 'For all.', timezone = 'Europe/Berlin' where guid = $1`, [
        cup.guid,
      ])
      const [draw, finals] = await makeEvents(cup, [
        ['Finals', at('05-03T18:00:00Z'), at('05-03T22:00:00Z')],
        ['Draw', at('04-10T18:00:00.5Z')],
      ])
      const tournament = { guid: cup.guid, id: cup.id, name: 'Spring Cup', timezone: 'Europe/Berlin' }
      const award = null
      expect(await read(window)).toEqual([
        {
          kind: 'registration',
          guid: null,
          title: 'Registration',
          description: null,
          icon: null,
          startsAt: at('03-01T00:00:00Z').toISOString(),
          endsAt: at('04-01T00:00:00Z').toISOString(),
          cancelled: false,
          tournament,
          award,
        },
        {
          kind: 'timeline',
          guid: draw?.guid,
          title: 'Draw',
          description: null,
          icon: 'flag',
          startsAt: at('04-10T18:00:00.5Z').toISOString(),
          endsAt: null,
          cancelled: false,
          tournament,
          award,
        },
        {
          kind: 'tournament',
          guid: null,
          title: 'Spring Cup',
          description: 'For all.',
          icon: null,
          startsAt: at('05-01T18:00:00Z').toISOString(),
          endsAt: at('05-03T22:00:00Z').toISOString(),
          cancelled: false,
          tournament,
          award,
        },
        {
          kind: 'timeline',
          guid: finals?.guid,
          title: 'Finals',
          description: null,
          icon: 'flag',
          startsAt: at('05-03T18:00:00Z').toISOString(),
          endsAt: at('05-03T22:00:00Z').toISOString(),
          cancelled: false,
          tournament,
          award,
        },
      ])
    })

    test('are instants where one of two dates is not set, and none where neither is', async () => {
      const { at, window } = newYear()
      await make({ name: 'Only a start', startsAt: at('02-01T00:00:00Z') })
      await make({ name: 'Only an end', endsAt: at('03-01T00:00:00Z') })
      await make({ name: 'Opens', registrationOpensAt: at('04-01T00:00:00Z') })
      await make({ name: 'Closes', registrationClosesAt: at('05-01T00:00:00Z') })
      await make({ name: 'Undated' })
      const entries = await read(window)
      expect(
        entries.map(({ tournament, title, startsAt, endsAt }) => [tournament.name, title, startsAt, endsAt]),
      ).toEqual([
        ['Only a start', 'Only a start', at('02-01T00:00:00Z').toISOString(), null],
        ['Only an end', 'Only an end', at('03-01T00:00:00Z').toISOString(), null],
        ['Opens', 'Registration opens', at('04-01T00:00:00Z').toISOString(), null],
        ['Closes', 'Registration closes', at('05-01T00:00:00Z').toISOString(), null],
      ])
    })

    test('are no registrations that are closed to the public', async () => {
      const { at, window } = newYear()
      const dates = { registrationOpensAt: at('02-01T00:00:00Z'), registrationClosesAt: at('03-01T00:00:00Z') }
      await make({ name: 'By invitation', publicRegistration: false, startsAt: at('04-01T00:00:00Z'), ...dates })
      expect(titles(await read(window))).toEqual(['By invitation'])
    })
  })

  describe('a window', () => {
    /** Creates one entry of each kind with the same dates. */
    async function makeEach(name: string, start: Date, end: Date) {
      await make({ name: `${name} tournament`, startsAt: start, endsAt: end })
      await make({ name: `${name} registration`, registrationOpensAt: start, registrationClosesAt: end })
      await makeEvents(await make({ name: `${name} timeline` }), [[name, start, end]])
    }

    test('has what touches one of its ends, of every kind, and not what misses it by a millisecond', async () => {
      const { at } = newYear()
      const [from, to] = [at('06-01T00:00:00Z'), at('06-08T00:00:00Z')]
      const off = (date: Date, ms: number) => new Date(date.getTime() + ms)
      await makeEach('too early', off(from, -day), off(from, -1))
      await makeEach('ends with its start', off(from, -day), from)
      await makeEach('around', off(from, -9 * day), off(to, 9 * day))
      await makeEach('instant at its start', from, from)
      await makeEach('within', off(from, day), off(to, -day))
      await makeEach('instant at its end', to, to)
      await makeEach('starts with its end', to, off(to, day))
      await makeEach('too late', off(to, 1), off(to, day))
      const found = await read({ from: from.toISOString(), to: to.toISOString() })
      const expected = [
        'around',
        'ends with its start',
        'instant at its end',
        'instant at its start',
        'starts with its end',
        'within',
      ].flatMap((name) => ['registration', 'timeline', 'tournament'].map((kind) => `${name} ${kind}`))
      expect(found.map(({ kind, tournament }) => [kind, tournament.name].join())).toEqual(
        expect.arrayContaining(expected.map((name) => `${name.split(' ').at(-1)},${name}`)),
      )
      expect(found.length).toBe(expected.length)
    })

    test('may be a day of 23 or 25 hours, or lie across the turn of the year, in whatever zone it is written', async () => {
      const { year, at } = newYear()
      await makeEvents(await make({ name: 'Night' }), [
        ['before', at('03-28T22:59:59.999Z')],
        ['first', at('03-28T23:00:00Z')],
        ['last', at('03-29T22:00:00Z')],
        ['after', at('03-29T22:00:00.001Z')],
      ])
      const night = { from: `${year}-03-29T00:00:00+01:00`, to: `${year}-03-30T00:00:00+02:00` }
      expect(titles(await read(night))).toEqual(['first', 'last'])
      const next = year + 1
      await makeEvents(await make({ name: 'New Year' }), [
        ['old', at('12-31T23:59:59.999Z')],
        ['over midnight', at('12-31T23:00:00Z'), new Date(Date.UTC(next, 0, 1, 1))],
        ['new', new Date(Date.UTC(next, 0, 1))],
      ])
      const turn = { from: `${year}-12-31T18:59:59.999-05:00`, to: `${next}-01-01T00:00:00Z` }
      expect(titles(await read(turn))).toEqual(['over midnight', 'old', 'new'])
      lastYear++
    })
  })

  test('kinds narrow it', async () => {
    const { at, window } = newYear()
    const cup = await make({
      name: 'Cup',
      startsAt: at('05-01T00:00:00Z'),
      registrationOpensAt: at('01-01T00:00:00Z'),
      registrationClosesAt: at('02-01T00:00:00Z'),
    })
    await makeEvents(cup, [['Draw', at('03-01T00:00:00Z')]])
    const kinds = async (text: string) => (await read({ ...window, kinds: text })).map(({ kind }) => kind)
    expect(await kinds('tournament')).toEqual(['tournament'])
    expect(await kinds('registration')).toEqual(['registration'])
    expect(await kinds('timeline')).toEqual(['timeline'])
    expect(await kinds('tournament, registration')).toEqual(['registration', 'tournament'])
    expect(await kinds('timeline,tournament,registration,timeline')).toEqual(['registration', 'timeline', 'tournament'])
  })

  describe('of whom it tells', () => {
    test('listed tournaments that are approved, ongoing or completed, whoever asks', async () => {
      const { at, window } = newYear()
      const dates = {
        startsAt: at('05-01T00:00:00Z'),
        endsAt: at('05-02T00:00:00Z'),
        registrationOpensAt: at('01-01T00:00:00Z'),
        registrationClosesAt: at('02-01T00:00:00Z'),
      }
      const draw = ['Draw', at('03-01T00:00:00Z'), at('03-02T00:00:00Z')] as const
      for (const status of ['draft', 'approved', 'ongoing', 'completed', 'cancelled'] as const) {
        await makeEvents(await make({ name: status, status, ...dates }), [draw])
      }
      await makeEvents(await make({ name: 'cancelled draft', status: 'cancelled', approved: false, ...dates }), [draw])
      const listed = ['approved', 'completed', 'ongoing']
      const names = async (from: Date, to: string, as: Caller | null = null) =>
        (await read({ from: from.toISOString(), to }, as)).map(({ tournament }) => tournament.name).sort()
      const owner = await api.user({ globalRoles: ['role:owner'] })
      for (const caller of [null, organiser, owner]) {
        expect(await names(at('01-01T00:00:00Z'), window.to, caller)).toEqual(
          listed.flatMap((name) => [name, name, name]),
        )
      }
      // A window inside each entry in turn.
      for (const date of ['01-10', '03-01', '05-01']) {
        expect(await names(at(`${date}T12:00:00Z`), at(`${date}T13:00:00Z`).toISOString())).toEqual(listed)
      }
    })

    test('a tournament leaves at once when it is cancelled', async () => {
      const { at, window } = newYear()
      const cup = await make({ name: 'Cup', startsAt: at('05-01T00:00:00Z') })
      expect(titles(await read(window))).toEqual(['Cup'])
      const cancelled = await api.post(`/tournaments/${cup.guid}/status`, organiser, { status: 'cancelled' })
      expect(cancelled.status).toBe(200)
      expect(await read(window)).toEqual([])
    })

    test('another platform has its own list, by its context id in any case', async () => {
      const { at, window } = newYear()
      const circle = await makePlatform(api, { contextId: `circle-${size}-a` })
      const [shared, apart] = [
        await make({ name: 'Shared', startsAt: at('05-01T00:00:00Z') }),
        await make({ name: 'Apart', status: 'draft', startsAt: at('06-01T00:00:00Z') }),
      ]
      await make({ name: 'Ours', startsAt: at('07-01T00:00:00Z') })
      await api.sql(
        `insert into listings (platform_guid, tournament_guid, status, sort_at)
         select $1, guid, 'approved', starts_at from tournaments where guid = any($2)`,
        [circle.guid, [shared.guid, apart.guid]],
      )
      await touch(api, circle.guid)
      if (size === 'many') {
        await api.sql(
          `insert into listings (platform_guid, tournament_guid, status, sort_at)
           select $1, guid, 'completed', 'epoch' from tournaments where name = 'Undated crowd'`,
          [circle.guid],
        )
      }
      expect(titles(await read({ ...window, platform: circle.contextId.toUpperCase() }))).toEqual(['Shared', 'Apart'])
      expect(titles(await read({ ...window, platform: 'main' }))).toEqual(['Shared', 'Ours'])
      expect(titles(await read(window))).toEqual(['Shared', 'Ours'])
      for (const platform of ['nowhere', circle.guid, 'mine', '']) {
        expect(problem(await api.get(calendarAddress({ ...window, platform })))).toEqual([404, 'platform.unknown'])
      }
    })
  })

  describe('pages', () => {
    async function walk(query: Record<string, string>, between?: () => Promise<unknown>): Promise<Entry[][]> {
      const pages: Entry[][] = []
      for (let before: string | null | undefined; before !== null; ) {
        const reply = await api.get(calendarAddress({ ...query, ...(before === undefined ? {} : { before }) }))
        expect(reply.status).toBe(200)
        pages.push(reply.body.entries)
        before = reply.body.nextCursor
        await between?.()
      }
      return pages
    }

    test('have every entry once, in the same order whatever their size', async () => {
      const { at, window } = newYear()
      const same = at('05-01T00:00:00Z')
      // Some entries begin before the window, many at the same instant, and some exactly at its start.
      const inside = { ...window, from: same.toISOString() }
      const earlier = new Date(same.getTime() - 40 * day)
      for (let n = 0; n < 6; n++) {
        const cup = await make({
          name: `Cup ${n}`,
          startsAt: n % 2 ? same : at('04-20T00:00:00Z'),
          endsAt: at('05-20T00:00:00Z'),
          registrationOpensAt: n % 3 ? earlier : same,
          registrationClosesAt: same,
        })
        await makeEvents(cup, [
          ['Reaches in', new Date(same.getTime() - hour), same],
          ['At once', same],
          ['At once too', same, at('06-01T00:00:00Z')],
          ['Later', new Date(same.getTime() + n * hour)],
        ])
      }
      const [whole] = await walk({ ...inside, limit: '100' })
      expect(whole?.length).toBe(6 * 6)
      const starts = whole?.map(({ startsAt }) => startsAt) ?? []
      expect(starts).toEqual([...starts].sort())
      expect(starts.filter((start) => start < inside.from).length).toBeGreaterThan(8)
      for (const limit of ['1', '7', '35', '36']) {
        const pages = await walk({ ...inside, limit })
        expect(pages.flat()).toEqual(whole)
        expect(pages.slice(0, -1).every((page) => page.length === Number(limit))).toBe(true)
      }
      expect((await walk(inside)).map((page) => page.length)).toEqual([25, 11])
    })

    test('neither skip nor repeat what is there throughout, while others come and go', async () => {
      const { at, window } = newYear()
      const cup = await make({ name: 'Cup' })
      const time = (n: number) => new Date(at('05-01T00:00:00Z').getTime() + (n % 10) * hour)
      const kept = Array.from({ length: 40 }, (_, n) => [`kept ${n}`, time(n)] as const)
      const keptGuids = (await makeEvents(cup, kept)).map(({ guid }) => guid)
      let round = 0
      const disturb = async () => {
        round++
        await api.sql(`delete from timeline_events where tournament_guid = $1 and title = 'passing'`, [cup.guid])
        await api.sql(
          `insert into timeline_events (tournament_guid, title, icon, start_time)
           select $1, 'passing', 'flag', $2::timestamptz + n * interval '20 minutes' from generate_series(1, 30) n`,
          [cup.guid, time(round)],
        )
      }
      const seen = (await walk({ ...window, limit: '6' }, disturb)).flat().filter(({ title }) => title !== 'passing')
      expect(round).toBeGreaterThan(6)
      expect(seen.map(({ guid }) => guid).sort()).toEqual([...keptGuids].sort())
    })

    test('only go on from cursors of this list', async () => {
      const { at, window } = newYear()
      await makeEvents(await make({ name: 'Cup' }), [
        ['One', at('05-01T00:00:00Z')],
        ['Two', at('05-02T00:00:00Z')],
      ])
      const encode = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')
      const guid = '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'
      const instant = '2030-05-01T00:00:00.000Z'
      const sound = (await api.get(calendarAddress({ ...window, limit: '1' }))).body.nextCursor
      expect((await api.get(calendarAddress({ ...window, before: sound }))).body.entries.length).toBe(1)
      for (const before of [
        'x',
        encode('tournaments', instant, guid),
        encode('calendar'),
        encode('calendar', instant, guid),
        encode('calendar', instant, guid, 'award'),
        encode('calendar', instant, guid, 'timeline', 1),
        encode('calendar', 'infinity', guid, 'timeline'),
        encode('calendar', '-infinity', guid, 'timeline'),
        encode('calendar', "2030-05-01'; select 1 --", guid, 'timeline'),
        encode('calendar', instant, "' or true", 'timeline'),
      ]) {
        expect(problem(await api.get(calendarAddress({ ...window, before })))).toEqual([400, 'cursor.invalid'])
      }
    })
  })
})
