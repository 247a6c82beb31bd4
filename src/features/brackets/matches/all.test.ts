import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBracket, type BracketBody, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { fillListing } from '../../../../test/calendar.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { makePlatform, makeTournament, remembered, touch } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/** The matches of all listed tournaments, shown with the stream's delay. */

const hour = 3_600_000
const day = 24 * hour

/**
 * Cases for a platform with few tournaments, whose matches are looked up, and for one with many, whose matches are read
 * in order of time.
 */
describe.each(['few', 'many'] as const)('with %s tournaments on the list', (size) => {
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
    return { at, window: { from: `${year}-01-01T00:00:00Z`, to: `${year}-12-31T00:00:00Z` } }
  }

  const address = (query: Record<string, string>) => `/matches?${new URLSearchParams(query)}`
  async function listed(query: Record<string, string>, as: Caller | null = null): Promise<BracketBody[]> {
    const reply = await second.get(address({ limit: '100', ...query }), as)
    expect(reply.status, reply.text).toBe(200)
    return reply.body.matches
  }
  const numbers = async (query: Record<string, string>) => (await listed(query)).map(({ number }) => number)

  /** The GUIDs of all matches, read one a page. `between` is called with the number of those that were read. */
  async function pages(
    query: Record<string, string>,
    between: (count: number) => Promise<unknown> | undefined,
  ): Promise<string[]> {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const before = cursor === '' ? {} : { before: cursor }
      const page: Reply = await api.get(address({ ...query, limit: '1', ...before }))
      expect(page.status, page.text).toBe(200)
      seen.push(...page.body.matches.map(({ guid }: BracketBody) => guid))
      cursor = page.body.nextCursor
      await between(seen.length)
    }
    return seen
  }

  async function schedule(made: MadeBracket, number: number, scheduledAt: string | null): Promise<void> {
    const reply = await api.patch(made.match(number), made.organiser, { scheduledAt })
    expect(reply.status, reply.text).toBe(200)
  }

  /** A bracket of four whose matches are scheduled hour after hour, in the order of their numbers. */
  async function scheduled(at: (hours: number) => string): Promise<MadeBracket> {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    for (const number of [1, 2, 3]) await schedule(made, number, at(number))
    return made
  }

  test('a match is a card with its tournament, division, bracket and sides', async () => {
    const { at, window } = newYear()
    const made = await scheduled(at)
    await api.patch(made.path, made.organiser, { timezone: 'Europe/Berlin' })
    await api.patch(made.match(1), made.organiser, { streamUrl: 'https://stream.example.org/cup' })
    const [first, , final] = await listed(window)
    const record = (await api.get(made.path)).body
    const match = (await api.get(`${made.path}/matches/${first.guid}`)).body
    const divisions = (await api.get(`${made.path}/divisions`)).body
    const { guid, id, name, imageUrl, timezone } = record
    expect(first).toEqual({
      guid: match.guid,
      number: 1,
      tournament: { guid, id, name, imageUrl, timezone },
      division: { guid: divisions[0].guid, id: 'main', name: 'Main' },
      bracket: { guid: made.bracket.guid, name: made.bracket.name },
      section: match.section,
      round: 1,
      roundName: 'Semi-finals',
      status: 'ready',
      outcome: null,
      sides: match.sides,
      bestOf: 3,
      scheduledAt: at(1),
      startedAt: null,
      completedAt: null,
      streamUrl: 'https://stream.example.org/cup',
      vodUrl: null,
    })
    expect(first.sides.map(({ team }: BracketBody) => team.name)).toEqual(['Team 1', 'Team 4'])
    expect(final.sides.map(({ team, from }: BracketBody) => [team, from.number])).toEqual([
      [null, 1],
      [null, 2],
    ])
    expect(final.roundName).toBe('Final')
    await made.win(1, 'team-4')
    const [over] = await listed(window)
    expect([over.status, over.sides.map(({ score }: BracketBody) => score)]).toEqual(['completed', [0, 2]])
  })

  test('in order of time, from several tournaments, in pages that neither skip nor repeat', async () => {
    const { at, window } = newYear()
    const [one, other] = [await scheduled(at), await scheduled((hours) => at(hours + 0.5))]
    // Two at the same time.
    await schedule(other, 3, at(3))
    const whole = await listed(window)
    expect(whole.map(({ tournament, number }) => [tournament.guid === one.cup.guid, number]).slice(0, 4)).toEqual([
      [true, 1],
      [false, 1],
      [true, 2],
      [false, 2],
    ])
    expect(whole.map(({ scheduledAt }) => scheduledAt)).toEqual([1, 1.5, 2, 2.5, 3, 3].map(at))
    // What happens in between neither hides nor repeats a match.
    const seen = await pages(window, (count) => {
      if (count === 2) return one.win(2, 'team-2')
      return count === 3 ? schedule(other, 1, at(0.5)) : undefined
    })
    expect(seen).toEqual(whole.map(({ guid }) => guid))
    // The last in time at the top, also of those at the same time.
    const now = (await listed(window)).map(({ guid }) => guid)
    const newest = { ...window, order: 'newest' }
    expect((await listed(newest)).map(({ guid }) => guid)).toEqual(now.toReversed())
    const backwards = await pages(newest, (count) => (count === 2 ? one.win(1, 'team-1') : undefined))
    expect(backwards).toEqual(now.toReversed())
  })

  test('by status and by time, both ends included', async () => {
    const { at, window } = newYear()
    const made = await scheduled(at)
    await made.win(1, 'team-1')
    expect((await api.post(`${made.match(2)}/start`, made.organiser)).status).toBe(200)
    const cases: [Record<string, string>, number[]][] = [
      [{ status: 'completed' }, [1]],
      [{ status: 'running' }, [2]],
      [{ status: 'waiting,running' }, [2, 3]],
      [{ status: 'cancelled' }, []],
      [{ from: at(2) }, [2, 3]],
      [{ from: at(2.001) }, [3]],
      [{ to: at(2) }, [1, 2]],
      [{ from: at(2), to: at(2) }, [2]],
    ]
    for (const [query, expected] of cases)
      expect(await numbers({ ...window, ...query }), JSON.stringify(query)).toEqual(expected)
  })

  test('without a window: the next 30 days, and what is running, whenever it was to begin', async () => {
    const soon = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
    const made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
    const mine = async (query: Record<string, string> = {}) =>
      (await listed(query)).filter(({ tournament }) => tournament.guid === made.cup.guid).map(({ number }) => number)
    for (const [number, hours] of [
      [1, -48],
      [2, -2],
      [3, 5],
      [4, 29 * 24],
      [5, 31 * 24],
    ] as const) {
      await schedule(made, number, soon(hours))
    }
    expect(await mine()).toEqual([3, 4])
    expect(await mine({ status: 'running' })).toEqual([])
    expect((await api.post(`${made.match(1)}/start`, made.organiser)).status).toBe(200)
    expect(await mine()).toEqual([1, 3, 4])
    expect(await mine({ status: 'running' })).toEqual([1])
    expect(await mine({ status: 'ready' })).toEqual([3, 4])
    // One that begins unscheduled is where it began.
    await schedule(made, 2, null)
    expect((await api.post(`${made.match(2)}/start`, made.organiser)).status).toBe(200)
    expect(await mine()).toEqual([1, 2, 3, 4])
    expect(await mine({ from: soon(-1), to: soon(1) })).toEqual([2])
    // With one end alone the window is open at the other.
    expect(await mine({ from: soon(24) })).toEqual([4, 5])
    await made.win(1, 'team-1')
    expect(await mine({ status: 'running' })).toEqual([2])
  })

  test('of listed tournaments of the platform alone: neither drafts, nor pending, nor cancelled ones', async () => {
    const { at, window } = newYear()
    const shown = await scheduled(at)
    const hidden: MadeBracket[] = []
    for (const status of ['draft', 'approved', 'ongoing'] as const) {
      const made = await makeBracket(api, {
        teams: 2,
        format: 'single_elimination',
        tournament: { status, approved: false },
      })
      await schedule(made, 1, at(1))
      hidden.push(made)
    }
    const before = await api.get(address(window))
    expect(before.body.matches).toHaveLength(3)
    // No insider sees more, and what happens in them changes nothing, not even an ETag.
    for (const made of hidden) {
      expect((await listed(window, made.organiser)).map(({ tournament }) => tournament.guid)).not.toContain(
        made.cup.guid,
      )
      await schedule(made, 1, at(2))
    }
    const after = await api.get(address(window))
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')])
    const page = await api.get(address({ ...window, limit: '3' }))
    expect(page.body.nextCursor).toBeNull()

    const platform = await makePlatform(api)
    expect(await listed({ ...window, platform: platform.contextId })).toEqual([])
    await api.sql(
      `insert into listings (platform_guid, tournament_guid, status, sort_at) values ($1, $2, 'ongoing', to_timestamp(0))`,
      [platform.guid, hidden[2]?.cup.guid],
    )
    await touch(api, platform.guid)
    const there = await listed({ ...window, platform: platform.contextId })
    expect(there.map(({ tournament }) => tournament.guid)).toEqual([hidden[2]?.cup.guid])

    const cancel = await api.post(`${shown.path}/status`, shown.organiser, { status: 'cancelled' })
    expect(cancel.status, cancel.text).toBe(200)
    expect(await listed(window)).toEqual([])
  })

  test('a cached answer shows every change, on every process', async () => {
    const { at, window } = newYear()
    const made = await scheduled(at)
    const other = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const read = async () => {
      const reply = await remembered(second, address(window))
      return reply.body.matches.map(({ tournament, number, status, sides, bracket }: BracketBody) =>
        [
          tournament.name,
          bracket.name,
          number,
          status,
          ...sides.map(({ team }: BracketBody) => team?.name ?? '?'),
        ].join(' '),
      )
    }
    const changes: (() => Promise<unknown>)[] = [
      () => made.win(1, 'team-1'),
      () => schedule(other, 1, at(5)),
      () => api.patch(`/tournaments/${other.cup.id}`, other.organiser, { name: 'Renamed cup' }),
      () => api.patch(`${made.path}/brackets/${made.bracket.guid}`, made.organiser, { name: 'Knockout' }),
      () => api.patch(`${made.path}/teams/team-2`, made.organiser, { name: 'The Second' }),
      () => api.post(`${other.match(1)}/start`, other.organiser),
      () => api.delete(`${made.path}/brackets/${made.bracket.guid}?force=true`, made.organiser),
    ]
    let last = await read()
    for (const change of changes) {
      const told = (await change()) as Reply | undefined
      if (told?.text !== undefined) expect(told.status, told.text).toBeLessThan(300)
      const next = await read()
      expect(next, `${change}`).not.toEqual(last)
      last = next
    }
    expect(last).toHaveLength(1)
  })

  describe('of a tournament whose stream is behind', () => {
    /** Moves all past changes back by this many seconds, as if so much time had passed. */
    async function pass({ cup }: MadeBracket, seconds: number): Promise<void> {
      const by = 'make_interval(secs => $2)'
      const values = [cup.guid, seconds]
      await api.sql(
        `update earlier_rows set since = since - ${by}, until = until - ${by} where tournament_guid = $1`,
        values,
      )
      await api.sql(`update tournaments set stream_delay_from = stream_delay_from - ${by} where guid = $1`, values)
      // The test changes the time without an event, so it clears the caches itself.
      await touch(api, cup.guid)
    }

    test('nothing tells of a result, a start or a new time before the stream does', async () => {
      const { at, window } = newYear()
      const made = await scheduled(at)
      expect((await api.patch(made.path, made.organiser, { streamDelaySeconds: 600 })).status).toBe(200)
      await pass(made, 700)
      const asked = [window, { ...window, status: 'ready' }, { ...window, status: 'completed' }, { status: 'running' }]
      const first = address({ ...window, limit: '1' })
      const bytes = async () => {
        const replies = await Promise.all([...asked.map(address), first].map((path) => api.get(path)))
        return replies.map(({ text, headers }) => [text, headers.get('etag')])
      }
      const then = await bytes()
      expect(await numbers(window)).toEqual([1, 2, 3])
      expect((await api.post(`${made.match(2)}/start`, made.organiser)).status).toBe(200)
      await made.win(1, 'team-4')
      await schedule(made, 3, at(0.5))
      expect(await bytes()).toEqual(then)
      // Nor do those of the organiser, who could ask for the tournament's own matches.
      expect(await listed({ ...window, status: 'completed' }, made.organiser)).toEqual([])
      await pass(made, 590)
      expect(await bytes()).toEqual(then)
      await pass(made, 20)
      expect(await numbers(window)).toEqual([3, 1, 2])
      expect(await numbers({ ...window, status: 'completed' })).toEqual([1])
      expect(await numbers({ status: 'running', ...window })).toEqual([2])
      const after = await bytes()
      for (const [index, answer] of then.entries()) expect(after[index], `${index}`).not.toEqual(answer)
    })

    test('what was cached is told anew when the stream has come so far, without anything happening', async () => {
      const { at, window } = newYear()
      const made = await scheduled(at)
      expect((await api.patch(made.path, made.organiser, { streamDelaySeconds: 1 })).status).toBe(200)
      await made.win(1, 'team-1')
      const path = address({ ...window, status: 'completed' })
      expect((await api.get(path)).body.matches).toEqual([])
      await expect.poll(async () => (await api.get(path)).body.matches.length, { interval: 50, timeout: 8_000 }).toBe(1)
    })
  })

  test.each([
    ['status=', 400, 'match.status_unknown'],
    ['status=running,lost', 400, 'match.status_unknown'],
    ['from=2019-12-31T23:59:59Z', 400, 'request.invalid'],
    ['from=2026-05-02T00:00:00Z&to=2026-05-01T00:00:00Z', 400, 'match.window_invalid'],
    ['platform=nowhere', 404, 'platform.unknown'],
    ['platform=%C3%A4', 404, 'platform.unknown'],
    ['limit=101', 400, 'request.invalid'],
    ['order=latest', 400, 'request.invalid'],
    ['before=AAAA', 400, 'cursor.invalid'],
  ])('refuses %s', async (query, status, code) => {
    expect(outcome(await api.get(`/matches?${query}`))).toEqual([status, code])
  })

  test('refuses cursors that it never gave out', async () => {
    const cursorOf = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')
    const [at, guid] = ['2026-05-01T18:00:00.000Z', '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11']
    expect((await api.get(`/matches?before=${cursorOf('matches:all', at, guid)}`)).status).toBe(200)
    const newest = cursorOf('matches:all:newest', at, guid)
    expect((await api.get(`/matches?order=newest&before=${newest}`)).status).toBe(200)
    const never = [
      ['matches:all:newest', at, guid],
      ['matches', at, guid],
      ['matches:all', 'soon', guid],
      ['matches:all', '2026-05-01', guid],
      ['matches:all', at, 'x'],
      ['matches:all', at],
      ['matches:all', at, guid, 1],
    ]
    for (const position of never) {
      expect(outcome(await api.get(`/matches?before=${cursorOf(...position)}`))).toEqual([400, 'cursor.invalid'])
    }
  })

  test('rounds have the names that their brackets give them, of every format', async () => {
    for (const format of ['double_elimination', 'round_robin'] as const) {
      const { at, window } = newYear()
      const made = await makeBracket(api, { teams: 4, format })
      const { matches } = made.bracket
      for (const { number } of matches) await schedule(made, number, at(number))
      const names = new Map(
        made.bracket.rounds.flatMap(({ name, matchGuids }: BracketBody) =>
          matchGuids.map((guid: string) => [guid, name]),
        ),
      )
      const found = await listed(window)
      expect(found.length).toBe(matches.length)
      for (const { guid, roundName } of found) expect(roundName, format).toBe(names.get(guid))
    }
  })

  test('followers of it get what changes, also of tournaments that it did not show, and nothing of others', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const draft = await makeBracket(api, {
      teams: 2,
      format: 'single_elimination',
      tournament: { status: 'ongoing', approved: false },
    })
    const topic = '/matches?status=running'
    await using socket = await openSocket(second, { as: null })
    const snapshot = await socket.ask({ type: 'subscribe', topic })
    expect(snapshot).toMatchObject({ type: 'snapshot' })
    expect((await api.post(`${draft.match(1)}/start`, draft.organiser)).status).toBe(200)
    expect((await api.post(`${made.match(1)}/start`, made.organiser)).status).toBe(200)
    const holds = (text: string) => JSON.stringify(socket.copies.of(topic).body).includes(text)
    await socket.copies.until(() => holds(made.cup.guid), 'the match that began')
    await made.win(1, 'team-1')
    await socket.copies.until(() => !holds(made.cup.guid), 'its end')
    expect(JSON.stringify(socket.copies.packets)).not.toContain(draft.cup.guid)
  })
})

test('matches of a listed tournament are found among a thousand that are not listed', async () => {
  await using api = await startHarness()
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const crowd = await makeTournament(api, await api.user(), { status: 'ongoing', approved: false })
  await api.post(`${made.path}/divisions`, made.organiser, { name: 'B', id: 'b' })
  await addBracket(api, made, { division: 'b', format: 'round_robin' })
  const from = new Date(Date.now() + day)
  await api.sql(
    `with division as (
       insert into divisions (tournament_guid, id, name, "order") values ($1, 'main', 'Main', 1) returning guid),
     bracket as (
       insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
       select $1, guid, 'Crowd', 1, 'single_elimination', '{}', 'ready', 1 from division returning guid, division_guid)
     insert into matches (tournament_guid, division_guid, bracket_guid, number, section, round, status, sides, best_of, scheduled_at)
     select $1, division_guid, guid, n, 'upper', 1, 'ready', '[]', 3, $2::timestamptz - interval '1 hour'
     from bracket, generate_series(1, 1000) n`,
    [crowd.guid, from],
  )
  await api.patch(`${made.match(1)}?division=main`, made.organiser, { scheduledAt: from.toISOString() })
  const reply = await api.get('/matches?limit=2')
  expect(reply.body.matches.map(({ tournament }: BracketBody) => tournament.guid)).toEqual([made.cup.guid])
  expect(reply.body.nextCursor).toBeNull()
})
