import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BracketBody, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { calendarAddress, fillListing } from '../../../../test/calendar.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makePlatform, makeTournament, remembered, touch } from '../../../../test/make.ts'

/** What a calendar shows of matches, qualifiers and awards. Matches are shown with the stream's delay. (RT40, RT41) */

const hour = 3_600_000

/**
 * Cases for a platform with few tournaments, which are read one by one, and for one with many, which is read in order
 * of time.
 */
describe.each(['few', 'many'] as const)('on a platform with %s tournaments', (size) => {
  let api: Harness
  let second: Harness
  beforeAll(async () => {
    api = await startHarness()
    second = await api.sibling()
    if (size === 'many') await fillListing(api, await api.user())
  })
  afterAll(async () => {
    await second[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  /** A year that no other test uses. */
  let lastYear = 2030
  function newYear() {
    const year = ++lastYear
    const at = (hours: number) => new Date(Date.UTC(year, 4, 1) + hours * hour).toISOString()
    const window = { from: `${year}-01-01T00:00:00Z`, to: `${year}-12-31T00:00:00Z` }
    return { at, window }
  }

  /** A bracket whose matches are scheduled hour after hour, in the order of their numbers. */
  async function scheduled(at: (hours: number) => string, format: MadeBracket['bracket'] = 'single_elimination') {
    const made = await makeBracket(api, { teams: 4, format })
    const { matches } = await made.read()
    for (const { number } of matches) {
      const reply = await api.patch(made.match(number), made.organiser, { scheduledAt: at(number) })
      expect(reply.status, reply.text).toBe(200)
    }
    return { made, matches }
  }

  /** A win in a match that was played at its time. */
  async function win(made: MadeBracket, number: number, team: string): Promise<void> {
    await made.win(number, team)
    await api.sql(
      `update matches set started_at = scheduled_at, completed_at = scheduled_at + interval '20 minutes'
       where tournament_guid = $1 and number = $2`,
      [made.cup.guid, number],
    )
    await touch(api, made.cup.guid)
  }

  async function entries(query: Record<string, string>, as: Caller | null = null): Promise<BracketBody[]> {
    const reply = await second.get(calendarAddress({ limit: '100', ...query }), as)
    expect(reply.status, reply.text).toBe(200)
    return reply.body.entries
  }
  const titles = async (query: Record<string, string>) => (await entries(query)).map(({ title }) => title)

  function events(reply: Reply): ICAL.Event[] {
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    return new ICAL.Component(ICAL.parse(reply.text)).getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
  }
  const read = (event: ICAL.Event, name: string) => event.component.getFirstPropertyValue(name)
  const timesOf = ({ startDate, endDate }: ICAL.Event) =>
    [startDate, endDate].map((time) => time.toJSDate().toISOString())
  const feed = async (query: Record<string, string>) =>
    events(await api.get(`/calendar.ics?${new URLSearchParams(query)}`))
  /** The feed of one tournament, from the cache after a second request. */
  const feedOf = async ({ path }: MadeBracket) => events(await remembered(second, `${path}/calendar.ics`))

  /**
   * Checks that the list, the platform’s calendar and the tournament’s calendar show the same matches, and returns
   * their titles.
   */
  async function everywhere(made: MadeBracket, window: Record<string, string>): Promise<string[]> {
    const listed = await titles({ ...window, kinds: 'match' })
    for (const shown of [await feed({ ...window, kinds: 'match' }), await feedOf(made)]) {
      expect(shown.map(({ summary }) => summary.replace(/^.*?: /, ''))).toEqual(listed)
    }
    return listed
  }

  test('matches are there when they are scheduled, by the teams or the matches that they come from', async () => {
    const { at, window } = newYear()
    const { made, matches } = await scheduled(at)
    expect(await everywhere(made, window)).toEqual([
      'Team 1 – Team 4',
      'Team 2 – Team 3',
      'Winner of match 1 – Winner of match 2',
    ])
    const [first] = await entries(window)
    const { guid, id } = made.cup
    expect(first).toEqual({
      kind: 'match',
      guid: matches[0].guid,
      title: 'Team 1 – Team 4',
      description: null,
      icon: null,
      startsAt: at(1),
      endsAt: at(1.5),
      cancelled: false,
      tournament: { guid, id, name: expect.any(String), timezone: 'UTC' },
      award: null,
    })
    await win(made, 1, 'team-4')
    const shown = ['Team 1 – Team 4', 'Team 2 – Team 3', 'Team 4 – Winner of match 2']
    expect(await everywhere(made, window)).toEqual(shown)
    // A match keeps its id in calendar programs when its title changes; only its version grows.
    const [event] = (await feedOf(made)).slice(-1)
    expect([event?.uid, event?.startDate.toJSDate().toISOString()]).toEqual([
      `${matches[2].guid}@${new URL(api.app.config.publicUrl).hostname}`,
      at(3),
    ])
    const unset = await api.patch(made.match(2), made.organiser, { scheduledAt: null })
    expect(unset.status).toBe(200)
    expect(await everywhere(made, window)).toEqual([shown[0], shown[2]])
  })

  test('a loser is named by its match too, and a match that is not needed is there as cancelled (D64)', async () => {
    const { at, window } = newYear()
    const { made } = await scheduled(at, 'double_elimination')
    const shown = await everywhere(made, window)
    expect(shown).toContain('Loser of match 1 – Loser of match 2')
    const { matches } = await made.read()
    const conditional = matches.find((match: BracketBody) => match.conditional)
    expect(shown).toHaveLength(matches.length)
    await api.sql(`update matches set status = 'cancelled' where guid = $1`, [conditional.guid])
    await api.patch(made.path, made.organiser, { summary: 'So that everybody hears of it.' })
    expect(await everywhere(made, window)).toHaveLength(matches.length)
    const told = (await entries(window)).filter(({ cancelled }) => cancelled)
    expect(told.map(({ guid, title }) => [guid, title])).toEqual([
      [conditional.guid, expect.stringMatching(/^.* – .* \(not needed\)$/)],
    ])
    for (const shown of [await feed({ ...window, kinds: 'match' }), await feedOf(made)]) {
      const struck = shown.filter((event) => read(event, 'status') === 'CANCELLED')
      expect(struck.map(({ uid }) => uid.split('@')[0])).toEqual([conditional.guid])
      expect(new Set(shown.map((event) => read(event, 'transp')))).toEqual(new Set(['TRANSPARENT']))
    }
  })

  test('a match lasts as is usual for its best-of, and then as it really did, under the same id (D64)', async () => {
    const { at, window } = newYear()
    const { made, matches } = await scheduled(at)
    const guid = matches[0].guid
    for (const [bestOf, minutes] of [
      [1, 10],
      [3, 30],
      [5, 50],
      [7, 70],
    ] as const) {
      const reply = await api.patch(made.match(1), made.organiser, { bestOf })
      expect(reply.status, reply.text).toBe(200)
      const ends = new Date(Date.parse(at(1)) + minutes * 60_000).toISOString()
      for (const shown of [await feed({ ...window, kinds: 'match' }), await feedOf(made)]) {
        const event = shown.find(({ uid }) => uid.startsWith(guid))
        expect(event && timesOf(event)).toEqual([at(1), ends])
      }
      expect((await entries(window))[0]).toMatchObject({ guid, startsAt: at(1), endsAt: ends })
    }
    const uid = (await feedOf(made)).find((event) => event.uid.startsWith(guid))?.uid
    const [startedAt, completedAt] = [at(2.25), at(4)]
    expect((await api.patch(made.match(1), made.organiser, { bestOf: 3 })).status).toBe(200)
    await made.win(1, 'team-4')
    await api.sql('update matches set started_at = $2, completed_at = $3 where guid = $1', [
      ...[guid, startedAt, completedAt],
    ])
    await api.patch(made.path, made.organiser, { summary: 'So that everybody hears of it.' })
    for (const shown of [await feed({ ...window, kinds: 'match' }), await feedOf(made)]) {
      const event = shown.find((each) => each.uid === uid)
      expect(event && [...timesOf(event), read(event, 'status')]).toEqual([startedAt, completedAt, 'CONFIRMED'])
    }
    // Lists have it where it is shown, between the second match and the third one.
    const first = await api.get(calendarAddress({ ...window, limit: '1' }))
    expect(first.body.entries).toMatchObject([{ guid: matches[1].guid }])
    const next = await api.get(calendarAddress({ ...window, limit: '2', before: first.body.nextCursor }))
    expect(next.body.entries).toMatchObject([
      { guid, startsAt: startedAt, endsAt: completedAt },
      { guid: matches[2].guid },
    ])
  })

  test('a match that was played in another period than planned is in the one in which it was played (D64)', async () => {
    const { at } = newYear()
    const { made, matches } = await scheduled(at)
    const [first, second] = matches
    const week = (from: number) => ({ kinds: 'match', from: at(from), to: at(from + 168) })
    const guids = async (from: number) =>
      (await entries(week(from))).filter(({ tournament }) => tournament.guid === made.cup.guid).map(({ guid }) => guid)
    expect(await guids(0)).toHaveLength(3)
    // The first began and ended a week early; of the second only the result was told, a week early.
    await made.win(1, 'team-4')
    await made.win(2, 'team-2')
    await api.sql('update matches set started_at = $2, completed_at = $3 where guid = $1', [
      first.guid,
      at(-167),
      at(-166),
    ])
    await api.sql('update matches set started_at = $2, completed_at = $2 where guid = $1', [second.guid, at(-165)])
    expect(await guids(0)).toEqual([matches[2].guid])
    expect(await guids(-168)).toEqual([first.guid, second.guid])
    const shown = await entries(week(-168))
    expect(shown.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      [at(-167), at(-166)],
      [at(-165.5), at(-165)],
    ])
    const told = await feed(week(-168))
    expect(told.map(({ uid }) => uid.split('@')[0])).toEqual([first.guid, second.guid])
  })

  test('a match that was decided without play before its time is cancelled, and says why (D64)', async () => {
    const { at, window } = newYear()
    const { made, matches } = await scheduled(at)
    const body = { reason: 'cannot come', policy: 'walkover' }
    const withdrawn = await api.post(`${made.path}/teams/team-4/withdraw`, made.organiser, body)
    expect(withdrawn.status, withdrawn.text).toBe(200)
    const forfeit = await api.put(`${made.match(2)}/result`, made.organiser, { outcome: 'double_forfeit' })
    expect(forfeit.status, forfeit.text).toBe(200)
    const told = [
      'Team 1 – Team 4 (not played: walkover for Team 1)',
      'Team 2 – Team 3 (not played: double forfeit)',
      expect.stringMatching(/^Team 1 – .* \(not played: walkover for Team 1\)$/),
    ]
    expect(await everywhere(made, window)).toEqual(told)
    expect((await entries(window)).map(({ cancelled }) => cancelled)).toEqual([true, true, true])
    for (const shown of [await feed({ ...window, kinds: 'match' }), await feedOf(made)]) {
      expect(shown.map(({ uid }) => uid.split('@')[0])).toEqual(matches.map(({ guid }: BracketBody) => guid))
      expect(shown.map((event) => read(event, 'status'))).toEqual(Array(3).fill('CANCELLED'))
      expect(shown.map(timesOf)).toEqual([1, 2, 3].map((hours) => [at(hours), at(hours + 0.5)]))
    }
    // The match was decided at its time without play: it is not cancelled, but over.
    await api.sql(`update matches set scheduled_at = completed_at - interval '20 minutes' where guid = $1`, [
      matches[1].guid,
    ])
    await api.patch(made.path, made.organiser, { summary: 'So that everybody hears of it.' })
    const [late] = (await feedOf(made)).filter(({ uid }) => uid.startsWith(matches[1].guid))
    expect(late && read(late, 'status')).toBe('CONFIRMED')
    const [from = '', to = ''] = late === undefined ? [] : timesOf(late)
    expect(Date.parse(to) - Date.parse(from)).toBe(20 * 60_000)
    // A result that is reported days later does not make the match days long.
    await api.sql(`update matches set scheduled_at = completed_at - interval '3 days' where guid = $1`, [
      matches[1].guid,
    ])
    await api.patch(made.path, made.organiser, { summary: 'So that everybody hears of it again.' })
    const [later] = (await feedOf(made)).filter(({ uid }) => uid.startsWith(matches[1].guid))
    const [begin = '', end = ''] = later === undefined ? [] : timesOf(later)
    expect(Date.parse(end) - Date.parse(begin)).toBe(30 * 60_000)
  })

  test('a match whose result alone was told was played at its time, or before that (D64)', async () => {
    const { at } = newYear()
    const { made, matches } = await scheduled(at)
    await made.win(1, 'team-4')
    const timesWhere = async (plannedAt: string) => {
      await api.sql(
        `update matches set started_at = completed_at, scheduled_at = completed_at + $2::interval where guid = $1`,
        [matches[0].guid, plannedAt],
      )
      await api.patch(made.path, made.organiser, { summary: `Planned ${plannedAt}` })
      const shown = (await feedOf(made)).find(({ uid }) => uid.startsWith(matches[0].guid))
      const [row] = await api.sql<{ at: Date }>('select completed_at as at from matches where guid = $1', [
        matches[0].guid,
      ])
      return (shown === undefined ? [] : timesOf(shown)).map(
        (time) => Math.round((Date.parse(time) - Number(row?.at)) / 60_000) || 0,
      )
    }
    expect(await timesWhere('-20 minutes')).toEqual([-20, 0])
    expect(await timesWhere('-1 day')).toEqual([-1440, -1410])
    expect(await timesWhere('1 hour')).toEqual([-30, 0])
  })

  test('a window has a match that begins at either of its ends, and pages have each once', async () => {
    const { at, window } = newYear()
    await scheduled(at)
    expect(await titles({ from: at(1), to: at(2) })).toEqual(['Team 1 – Team 4', 'Team 2 – Team 3'])
    // A match of best of 3 lasts half an hour.
    expect(await titles({ from: at(1.5), to: at(2) })).toEqual(['Team 1 – Team 4', 'Team 2 – Team 3'])
    const short = new Date(Date.parse(at(1.5)) + 1).toISOString()
    expect(await titles({ from: short, to: at(2) })).toEqual(['Team 2 – Team 3'])
    const paged: string[] = []
    for (let before: string | null = ''; before !== null; ) {
      const reply = await api.get(calendarAddress({ ...window, limit: '1', ...(before === '' ? {} : { before }) }))
      expect(reply.status, reply.text).toBe(200)
      paged.push(...reply.body.entries.map(({ title }: BracketBody) => title))
      before = reply.body.nextCursor
    }
    expect(paged).toEqual(await titles(window))
    expect(paged).toHaveLength(3)
  })

  test('of a tournament that is not on the list, or hidden, nothing is there but for who may see it', async () => {
    const { at, window } = newYear()
    const { made } = await scheduled(at)
    const platform = await makePlatform(api, { contextId: `apart-${size}` })
    expect(await titles({ ...window, platform: platform.contextId })).toEqual([])
    expect(await titles(window)).toHaveLength(3)
    await api.sql('delete from listings where tournament_guid = $1', [made.cup.guid])
    for (const as of [null, made.organiser]) expect(await entries(window, as)).toEqual([])
    expect(await feed(window)).toEqual([])
    expect(await feedOf(made)).toHaveLength(3)
    await api.sql(`update tournaments set status = 'draft' where guid = $1`, [made.cup.guid])
    await api.patch(made.path, made.organiser, { summary: 'So that everybody hears of it.' })
    expect((await api.get(`${made.path}/calendar.ics`)).status).toBe(404)
    expect(events(await api.get(`${made.path}/calendar.ics`, made.organiser))).toHaveLength(3)
  })

  describe('of a tournament whose stream is behind', () => {
    const delayBy = async (of: MadeBracket, streamDelaySeconds: number) => {
      expect((await api.patch(of.path, of.organiser, { streamDelaySeconds })).status).toBe(200)
    }
    /** Moves all past changes back by this many seconds, as if so much time had passed. */
    async function pass({ cup }: MadeBracket, seconds: number): Promise<void> {
      const by = 'make_interval(secs => $2)'
      await api.sql(`update earlier_rows set since = since - ${by}, until = until - ${by} where tournament_guid = $1`, [
        cup.guid,
        seconds,
      ])
      await api.sql(`update tournaments set stream_delay_from = stream_delay_from - ${by} where guid = $1`, [
        cup.guid,
        seconds,
      ])
      await api.sql(
        `update match_delays set not_before = not_before - ${by}
         where match_guid in (select guid from matches where tournament_guid = $1)`,
        [cup.guid, seconds],
      )
    }

    test('nothing tells who won before the stream does, and then everything does', async () => {
      const { at, window } = newYear()
      const { made } = await scheduled(at)
      await delayBy(made, 600)
      await pass(made, 700)
      const before = ['Team 1 – Team 4', 'Team 2 – Team 3', 'Winner of match 1 – Winner of match 2']
      expect(await everywhere(made, window)).toEqual(before)
      const bytes = async () => {
        const asked = ['/calendar.ics?', '/calendar?'].map((path) => api.get(`${path}${new URLSearchParams(window)}`))
        const all = await Promise.all([...asked, api.get(`${made.path}/calendar.ics`)])
        return all.map(({ text, headers }) => [text, headers.get('etag')])
      }
      const then = await bytes()
      await win(made, 1, 'team-4')
      // A match that is postponed is also still shown at its former time.
      expect((await api.patch(made.match(2), made.organiser, { scheduledAt: at(9) })).status).toBe(200)
      expect(await bytes()).toEqual(then)
      expect(await everywhere(made, window)).toEqual(before)
      await win(made, 2, 'team-2')
      expect(await bytes()).toEqual(then)
      await pass(made, 590)
      expect(await bytes()).toEqual(then)
      await pass(made, 20)
      expect(await everywhere(made, window)).toEqual(['Team 1 – Team 4', 'Team 4 – Team 2', 'Team 2 – Team 3'])
      expect((await bytes())[0]).not.toEqual(then[0])
      // When the delay is removed, the delayed changes are shown.
      await win(made, 3, 'team-2')
      expect((await api.patch(made.match(3), made.organiser, { scheduledAt: null })).status).toBe(200)
      expect(await everywhere(made, window)).toHaveLength(3)
      await delayBy(made, 0)
      expect(await everywhere(made, window)).toHaveLength(2)
    })

    test('what is deleted goes when the stream has come so far, and with its tournament at once', async () => {
      const { at, window } = newYear()
      const { made } = await scheduled(at)
      await delayBy(made, 60)
      await pass(made, 70)
      expect((await api.delete(`${made.path}/brackets/${made.bracket.guid}`, made.organiser)).status).toBe(204)
      expect(await everywhere(made, window)).toHaveLength(3)
      const cancel = { status: 'cancelled' }
      await pass(made, 70)
      expect(await everywhere(made, window)).toEqual([])
      const other = await scheduled(at)
      await delayBy(other.made, 60)
      await pass(other.made, 70)
      expect(await titles(window)).toHaveLength(3)
      expect((await api.post(`${other.made.path}/status`, other.made.organiser, cancel)).status).toBe(200)
      expect(await titles(window)).toEqual([])
    })

    test('each match is as late as the channel that shows it', async () => {
      const { at, window } = newYear()
      const { made } = await scheduled(at)
      const url = 'https://streams.example.org/main'
      const put = await api.put(`${made.path}/channels`, made.organiser, {
        revision: 0,
        channels: [
          { name: 'Late', url, delaySeconds: 300 },
          { name: 'In time', url, delaySeconds: 0 },
        ],
      })
      expect(put.status, put.text).toBe(200)
      const queue = await api.put(`${made.path}/channels/${put.body.channels[1].guid}/queue`, made.organiser, {
        revision: 0,
        entries: [{ match: '1' }],
      })
      expect(queue.status, queue.text).toBe(200)
      await pass(made, 400)
      for (const number of [1, 2]) await api.patch(made.match(number), made.organiser, { scheduledAt: at(10 + number) })
      expect(await everywhere(made, window)).toEqual([
        'Team 2 – Team 3',
        'Winner of match 1 – Winner of match 2',
        'Team 1 – Team 4',
      ])
      await pass(made, 310)
      expect(await everywhere(made, window)).toEqual([
        'Winner of match 1 – Winner of match 2',
        'Team 1 – Team 4',
        'Team 2 – Team 3',
      ])
    })

    test('a match that was not needed is as it was until the stream has come so far', async () => {
      const { at, window } = newYear()
      const { made } = await scheduled(at, 'double_elimination')
      await delayBy(made, 60)
      await pass(made, 70)
      const count = (await everywhere(made, window)).length
      const { matches } = await made.read()
      const conditional = matches.find((match: BracketBody) => match.conditional)
      await api.sql(`update matches set status = 'cancelled' where guid = $1`, [conditional.guid])
      const struck = async () => (await entries(window)).filter(({ cancelled }) => cancelled).length
      expect([(await everywhere(made, window)).length, await struck()]).toEqual([count, 0])
      await pass(made, 70)
      expect([(await everywhere(made, window)).length, await struck()]).toEqual([count, 1])
    })
  })

  test('qualifiers are there from opening to closing, by the dates that are set', async () => {
    const { at, window } = newYear()
    const organiser = await api.user()
    const dates = [
      ['Whole', at(1), at(30)],
      ['Opening', at(2), null],
      ['Closing', null, at(40)],
      ['Undated', null, null],
    ] as const
    for (const [name, opensAt, closesAt] of dates) {
      const cup = await makeTournament(api, organiser, { name })
      const reply = await api.put(`/tournaments/${cup.guid}/qualifier`, organiser, { opensAt, closesAt })
      expect(reply.status, reply.text).toBe(200)
      const [own] = events(await api.get(`/tournaments/${cup.guid}/calendar.ics`))
      expect(own?.startDate.toJSDate().toISOString()).toBe(opensAt ?? closesAt ?? undefined)
    }
    const shown = (await entries(window)).map(({ kind, title, startsAt, endsAt, tournament }) => {
      return [kind, tournament.name, title, startsAt, endsAt]
    })
    expect(shown).toEqual([
      ['qualifier', 'Whole', 'Qualifier', at(1), at(30)],
      ['qualifier', 'Opening', 'Qualifier opens', at(2), null],
      ['qualifier', 'Closing', 'Qualifier closes', at(40), null],
    ])
    // A window inside the qualifier.
    expect(await titles({ from: at(10), to: at(11) })).toEqual(['Qualifier'])
    expect(await titles({ ...window, kinds: 'match' })).toEqual([])
  })

  test('awards are on every platform by their phases, once they are public', async () => {
    const { at, window } = newYear()
    const platform = await makePlatform(api, { contextId: `awards-${size}` })
    const make = async (id: string, status: string, published: Record<'publishAt' | 'publishedAt', string | null>) => {
      const [row] = await api.sql<{ guid: string }>(
        `insert into award_editions (id, title, description, status, nominations_open_at, nominations_close_at,
           voting_opens_at, voting_closes_at, publish_at, published_at, rules)
         values ($1, $2, '', $3, $4, $5, $6, $7, $8, $9, '{}') returning guid`,
        [
          `${id}-${size}`,
          `Awards ${id}`,
          status,
          at(0),
          at(24),
          at(48),
          at(96),
          published.publishAt,
          published.publishedAt,
        ],
      )
      return row?.guid as string
    }
    const edition = await make('shown', 'voting', { publishAt: at(120), publishedAt: null })
    for (const status of ['draft', 'cancelled']) await make(status, status, { publishAt: at(120), publishedAt: null })
    const expected = [
      ['Nominations', at(0), at(24)],
      ['Voting', at(48), at(96)],
      ['Results', at(120), null],
    ]
    const award = { guid: edition, id: `shown-${size}`, title: 'Awards shown' }
    for (const name of ['main', platform.contextId]) {
      const shown = await entries({ ...window, platform: name })
      expect(shown.map(({ title, startsAt, endsAt }) => [title, startsAt, endsAt])).toEqual(expected)
      for (const entry of shown) expect(entry).toMatchObject({ kind: 'award', guid: edition, tournament: null, award })
    }
    const read = await feed({ ...window, kinds: 'award' })
    const { publicUrl } = api.app.config
    const host = new URL(publicUrl).hostname
    expect(read.map(({ uid, summary, component }) => [uid, summary, component.getFirstPropertyValue('url')])).toEqual(
      ['nominations', 'voting', 'results'].map((phase, index) => [
        `award-${phase}-${edition}@${host}`,
        `Awards shown: ${expected[index]?.[0]}`,
        `${publicUrl}/awards/shown-${size}`,
      ]),
    )
    // A window inside the voting, and a list page by page.
    expect(await titles({ from: at(50), to: at(51) })).toEqual(['Voting'])
    const first = await api.get(calendarAddress({ ...window, limit: '1' }))
    const next = await api.get(calendarAddress({ ...window, limit: '2', before: first.body.nextCursor }))
    expect(next.body.entries.map(({ title }: BracketBody) => title)).toEqual(['Voting', 'Results'])
    // Results that are published by hand, before the planned date or without one.
    const early = new Date(Date.parse(at(110)) + hour / 2).toISOString()
    await api.sql(`update award_editions set status = 'published', published_at = $2 where guid = $1`, [edition, early])
    expect((await entries(window)).at(-1)).toMatchObject({ title: 'Results', startsAt: early })
    // Before its dates: what was planned for after the results does not come any more.
    await api.sql(`update award_editions set published_at = $2 where guid = $1`, [edition, at(30)])
    expect(await titles(window)).toEqual(['Nominations', 'Results'])
    await api.sql(
      `update award_editions set status = 'counting', published_at = null, publish_at = null where guid = $1`,
      [edition],
    )
    expect(await titles(window)).toEqual(['Nominations', 'Voting'])
    expect(await titles({ ...window, kinds: 'tournament,match' })).toEqual([])
  })
})
