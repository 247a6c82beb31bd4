import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBracket, type BracketBody, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament, remembered, roleHolder } from '../../../../test/make.ts'

let api: Harness
let made: MadeBracket
/** A match of the second division, `b`, between the same two teams. */
let other: BracketBody
let referee: Caller
let stranger: Caller

beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 4, format: 'double_elimination' })
  referee = await roleHolder(api, made.cup, 'role:referee')
  stranger = await api.user()
  await api.post(`${made.path}/divisions`, made.organiser, { name: 'B', id: 'b' })
  other = await addBracket(api, { ...made, teams: made.teams.slice(0, 2) }, { division: 'b', format: 'round_robin' })
  await api.patch(`${made.match(1)}?division=main`, made.organiser, {
    scheduledAt: '2026-05-01T18:00:00Z',
    officials: [{ user: referee.guid, role: 'role:referee' }],
    notes: 'Bring the spare headset.',
  })
  await api.patch(`${made.match(2)}?division=main`, made.organiser, { scheduledAt: '2026-05-02T18:00:00Z' })
  await api.put(`${made.match(1)}/result?division=main`, made.organiser, { outcome: 'score', scores: [2, 1] })
})
afterAll(() => api[Symbol.asyncDispose]())

const list = (query = '', as: Caller | null = null) => api.get(`${made.path}/matches${query}`, as)
const lines = ({ body }: Reply) =>
  body.matches.map(({ division, number }: BracketBody) => `${division === made.bracket.division ? 'a' : 'b'}${number}`)
const inMain = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']

describe('the list', () => {
  test('has all matches, bracket after bracket, by number', async () => {
    const reply = await list()
    expect(reply.status).toBe(200)
    expect(lines(reply)).toEqual([...inMain, 'b1'])
    expect(reply.body.nextCursor).toBeNull()
  })

  test('pages neither skip nor repeat, whatever is reported in between', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Reply = await list(`?limit=3${cursor === '' ? '' : `&before=${cursor}`}`)
      seen.push(...lines(page))
      cursor = page.body.nextCursor
      await api.patch(`${made.match(2)}?division=main`, made.organiser, { notes: `Read ${seen.length}.` })
    }
    expect(seen).toEqual([...inMain, 'b1'])
  })

  test('a page that ends with the list has no cursor', async () => {
    const whole = await list('?limit=8')
    expect([lines(whole).length, whole.body.nextCursor]).toEqual([8, null])
  })

  const filters: readonly [string, () => string, readonly string[]][] = [
    ['division by short id', () => 'division=b', ['b1']],
    ['division by short id in any case', () => 'division=MAIN', inMain],
    ['division by GUID', () => `division=${made.bracket.division.toUpperCase()}`, inMain],
    ['bracket', () => `bracket=${other.guid}`, ['b1']],
    ['bracket, GUID in upper case', () => `bracket=${made.bracket.guid.toUpperCase()}`, inMain],
    ['one status', () => 'status=completed', ['a1']],
    ['several statuses', () => 'status=completed,%20ready', ['a1', 'a2', 'b1']],
    ['a status that no match has', () => 'status=cancelled', []],
    ['team by short id', () => 'team=team-1', ['a1', 'a3', 'b1']],
    ['team by GUID', () => `team=${made.teams[0]?.guid.toUpperCase()}`, ['a1', 'a3', 'b1']],
    ['team that plays nowhere else', () => 'team=team-3', ['a2']],
    ['from this instant', () => 'from=2026-05-01T18:00:00Z', ['a1', 'a2']],
    ['from later', () => 'from=2026-05-01T18:00:00.001Z', ['a2']],
    ['to this instant', () => 'to=2026-05-01T20:00:00%2B02:00', ['a1']],
    ['from and to', () => 'from=2026-05-01T19:00:00Z&to=2026-05-02T17:00:00Z', []],
    ['the epoch, which unsets', () => 'from=1970-01-01T00:00:00Z', [...inMain, 'b1']],
    ['several at once', () => 'division=main&status=ready&team=team-2', ['a2']],
  ]
  test.each(filters)('by %s', async (_, query, expected) => {
    const reply = await list(`?${query()}`)
    expect([reply.status, lines(reply)]).toEqual([200, expected])
  })

  test('by official, under every identifier that a user has', async () => {
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values
         ($1, 'ranking-a', '76561190000000042', now()), ($1, 'ranking-b', '424242', now())`,
      [referee.guid],
    )
    const names = [referee.guid, referee.guid.toUpperCase(), referee.chatPlatformId, '76561190000000042', '424242']
    for (const name of names) expect(lines(await list(`?official=${name}`))).toEqual(['a1'])
    expect(lines(await list('?official=@me', referee))).toEqual(['a1'])
    expect(lines(await list(`?official=${stranger.guid}`))).toEqual([])
    expect(lines(await list('?official=@me', stranger))).toEqual([])
    expect(outcome(await list('?official=@me'))).toEqual([404, 'user.unknown'])
  })

  test('a match of a group says which', async () => {
    const { body } = await list(`?bracket=${other.guid}`)
    expect(body.matches[0]).toMatchObject({ section: 'group', groupIndex: 0, number: 1, division: other.division })
  })

  test.each([
    ['division=nope', 404, 'division.unknown'],
    ['division=%C3%A4', 404, 'division.unknown'],
    ['bracket=nope', 404, 'bracket.unknown'],
    ['bracket=7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11', 404, 'bracket.unknown'],
    ['team=nope', 404, 'team.unknown'],
    ['official=nobody', 404, 'user.unknown'],
    ['status=', 400, 'match.status_unknown'],
    ['status=ready,lost', 400, 'match.status_unknown'],
    ['from=yesterday', 400, 'match.instant_invalid'],
    ['from=2026-05-01T18:00:00', 400, 'match.instant_invalid'],
    ['to=2019-12-31T23:59:59Z', 400, 'match.instant_invalid'],
    ['limit=0', 400, 'request.invalid'],
    ['limit=101', 400, 'request.invalid'],
    ['before=AAAA', 400, 'cursor.invalid'],
    ['team=%00', 400, 'request.invalid'],
  ])('refuses %s', async (query, status, code) => {
    expect(outcome(await list(`?${query}`))).toEqual([status, code])
  })

  test('refuses cursors that it never gave out', async () => {
    const cursorOf = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')
    const guid = made.bracket.guid
    const at = '2026-05-01T18:00:00.000Z'
    for (const position of [
      ['teams', at, 1, guid],
      ['matches', at, 2 ** 31, guid],
      ['matches', at, -1, guid],
      ['matches', at, '1', guid],
      ['matches', 'soon', 1, guid],
      ['matches', '2026-05-01', 1, guid],
      ['matches', at, 1, 'x'],
      ['matches', at, 1, guid, 1],
      ['matches', at, 1],
    ]) {
      expect(outcome(await list(`?before=${cursorOf(...position)}`))).toEqual([400, 'cursor.invalid'])
    }
  })

  test('a bracket of another tournament is unknown here', async () => {
    const elsewhere = await makeTournament(api, made.organiser)
    const reply = await api.get(`/tournaments/${elsewhere.id}/matches?bracket=${made.bracket.guid}`)
    expect(outcome(reply)).toEqual([404, 'bracket.unknown'])
  })
})

describe('one match', () => {
  const read = (address: string, as: Caller | null = null) => api.get(`${made.path}/matches/${address}`, as)

  test('has everything of a match', async () => {
    const { body } = await read('1?division=main')
    const [first, , , last] = made.teams
    const guidOf = (number: number) => made.bracket.matches[number - 1].guid
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const ref = (team: typeof first) => ({
      guid: team?.guid,
      id: team?.id,
      name: team?.name,
      imageUrl: null,
      color: null,
    })
    expect(body).toEqual({
      guid: guidOf(1),
      number: 1,
      calledAt: null,
      division: made.bracket.division,
      bracket: made.bracket.guid,
      section: 'upper',
      round: 1,
      groupIndex: null,
      status: 'completed',
      outcome: 'score',
      sides: [
        { team: ref(first), from: null, bye: false, score: 2, result: 'win' },
        { team: ref(last), from: null, bye: false, score: 1, result: 'loss' },
      ],
      bestOf: 3,
      winsNeeded: 2,
      games: [],
      conditional: false,
      pairing: null,
      nextMatchGuid: guidOf(3),
      loserMatchGuid: guidOf(4),
      scheduledAt: '2026-05-01T18:00:00.000Z',
      startedAt: instant,
      completedAt: instant,
      streamUrl: null,
      vodUrl: null,
      officials: [{ user: expect.objectContaining({ guid: referee.guid }), role: 'role:referee' }],
      pool: null,
      notes: null,
      revision: expect.any(Number),
      updatedAt: instant,
    })
  })

  test('whose team is not known yet says where it comes from', async () => {
    const { body } = await read('3?division=main')
    expect(body).toMatchObject({ status: 'waiting', outcome: null, startedAt: null, completedAt: null })
    expect(body.sides[1]).toEqual({
      team: null,
      bye: false,
      score: null,
      result: null,
      from: { matchGuid: made.bracket.matches[1].guid, number: 2, outcome: 'winner' },
    })
    expect(body.sides[0]).toMatchObject({ team: { id: 'team-1' }, from: { number: 1, outcome: 'winner' } })
  })

  test('is found by GUID in any case, with or without a division', async () => {
    const { guid } = made.bracket.matches[0]
    for (const address of [guid, guid.toUpperCase(), `${guid}?division=main`]) {
      expect((await read(address)).body).toMatchObject({ guid, number: 1 })
    }
  })

  test('is found by number within a division, by its short id or GUID', async () => {
    for (const [division, bracket] of [
      ['main', made.bracket.guid],
      ['B', other.guid],
      [made.bracket.division, made.bracket.guid],
      [other.division.toUpperCase(), other.guid],
    ]) {
      expect((await read(`1?division=${division}`)).body).toMatchObject({ number: 1, bracket })
    }
  })

  test('is found by number alone where no other division has it', async () => {
    expect((await read('7')).body).toMatchObject({ number: 7, conditional: true })
    expect(outcome(await read('1'))).toEqual([409, 'match.ambiguous'])
  })

  test.each([
    '8',
    '0',
    '01',
    '-1',
    '1.0',
    '1e0',
    '9999999',
    'final',
    '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11',
    '1?division=c',
    '2?division=b',
    '1?division=%00',
    '1?division=%F0%9F%8E%A7',
    `1?division=${'a'.repeat(500)}`,
    '1?division=7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11',
  ])('is unknown as %s', async (address) => {
    expect(outcome(await read(address))).toEqual([404, 'match.unknown'])
  })

  test('a match of another tournament is unknown here', async () => {
    const elsewhere = await makeTournament(api, made.organiser)
    const reply = await api.get(`/tournaments/${elsewhere.id}/matches/${made.bracket.matches[0].guid}`)
    expect(outcome(reply)).toEqual([404, 'match.unknown'])
  })
})

test('a draft’s matches do not exist for others', async () => {
  const draft = await makeBracket(api, { teams: 2, format: 'round_robin', tournament: { status: 'draft' } })
  const addresses = [`${draft.path}/matches`, draft.match(1), `${draft.path}/matches/${draft.bracket.matches[0].guid}`]
  for (const address of addresses) {
    expect(outcome(await api.get(address))).toEqual([404, 'tournament.unknown'])
    expect(outcome(await api.get(address, stranger))).toEqual([404, 'tournament.unknown'])
    expect((await api.get(address, draft.organiser)).status).toBe(200)
  }
  expect(outcome(await api.put(`${draft.match(1)}/result`, stranger, {}))).toEqual([404, 'tournament.unknown'])
})

describe('notes', () => {
  const secret = 'spare headset'
  const everywhere = () => [
    `${made.path}/matches`,
    `${made.match(1)}?division=main`,
    `${made.path}/brackets/${made.bracket.guid}`,
    `${made.path}?include=matches,divisions`,
  ]

  test('are shown to the staff', async () => {
    const caster = await roleHolder(api, made.cup, 'role:caster')
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    for (const viewer of [made.organiser, referee, caster, manager]) {
      const seen = await Promise.all(everywhere().map(async (address) => (await api.get(address, viewer)).text))
      expect(seen.map((text) => text.includes(secret))).toEqual([true, true, true, true])
    }
  })

  test('and to nobody else, the captains of its teams among them', async () => {
    for (const viewer of [null, stranger, made.captains[0] as Caller]) {
      const seen = await Promise.all(everywhere().map((address) => api.get(address, viewer)))
      expect(seen.map(({ status, text }) => [status, text.includes(secret)])).toEqual(Array(4).fill([200, false]))
    }
  })

  test('nor do they stand in the log or the audit list', async () => {
    const rows = await api.sql<{ text: string }>(
      `select coalesce(before::text, '') || coalesce(after::text, '') as text from event_log`,
    )
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([])
    const { text } = await api.get(`${made.path}/audit?limit=100`, made.organiser)
    expect(text).toContain('match.updated')
    expect(text).not.toContain(secret)
  })

  test('a refusal shows them to whoever may report, who is staff', async () => {
    const put = (as: Caller | null) =>
      api.put(`${made.match(1)}/result?division=main`, as, { outcome: 'walkover', winner: 2 })
    expect((await put(referee)).body.match.notes).toContain(secret)
    for (const viewer of [null, stranger, made.captains[0] as Caller]) {
      expect((await put(viewer)).text).not.toContain(secret)
    }
  })
})

test('the tournament’s record includes matches in the order of the list', async () => {
  const { body } = await api.get(`${made.path}?include=matches`)
  expect(body.matches).toEqual((await list()).body.matches)
})

describe('caching', () => {
  const addresses = () => [
    `${made.match(2)}?division=main`,
    `${made.path}/matches?division=main`,
    `${made.path}/matches?official=${referee.guid}`,
  ]

  test('everybody gets an entity tag, and 304 for it', async () => {
    for (const address of addresses()) {
      const first = await remembered(api, address)
      const etag = first.headers.get('etag') as string
      expect(etag).toMatch(/^"/)
      expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      const again = await api.get(address, null, { 'if-none-match': etag })
      expect([again.status, again.text]).toEqual([304, ''])
      const own = await api.get(address, referee)
      expect(own.headers.get('cache-control')).toBe('private, no-store')
      expect((await api.get(address, referee, { 'if-none-match': own.headers.get('etag') as string })).status).toBe(304)
    }
  })

  test('what is remembered never outlives a report, a change or the name of an official', async () => {
    const [match, all, official] = addresses() as [string, string, string]
    for (const address of addresses()) await remembered(api, address)
    await api.put(`${made.match(2)}/games/1?division=main`, referee, { sides: [{ score: 2 }, { score: 1 }] })
    expect((await api.get(match)).body).toMatchObject({ status: 'running', games: [{ winner: 1 }] })
    expect((await api.get(all)).body.matches[1]).toMatchObject({ status: 'running', games: [{ winner: 1 }] })
    for (const address of addresses()) await remembered(api, address)
    const officials = [{ user: referee.guid, role: 'role:coordinator' }]
    await api.patch(`${made.match(2)}?division=main`, made.organiser, { officials })
    expect((await api.get(match)).body.officials).toMatchObject([{ role: 'role:coordinator' }])
    expect(lines(await api.get(official))).toEqual(['a1', 'a2'])
    for (const address of addresses()) await remembered(api, address)
    await api.post('/updateUserSettings', referee, { pronouns: 'she/her' })
    for (const address of addresses()) expect((await api.get(address)).text).toContain('she/her')
  })

  test('nobody is given what was made for the staff', async () => {
    const address = `${made.match(1)}?division=main`
    await api.get(address, made.organiser)
    expect((await api.get(address)).body.notes).toBeNull()
    await grantRole(api, made.cup, stranger, 'role:host')
    expect((await api.get(address, stranger)).body.notes).not.toBeNull()
  })
})
