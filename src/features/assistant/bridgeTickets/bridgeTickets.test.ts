import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyRanking } from '../../../../test/assistant.ts'
import { eventsSince, lastEvent, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness, startOn } from '../../../../test/harness.ts'
import { roleHolder, touch } from '../../../../test/make.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'
import { bridgeTicketsJobs } from './jobs.ts'
import { bridgeTicketsPersonalData } from './store.ts'

/** Tickets by which a player's game reports on a match without a sign-in. (AS30) */

let api: Harness
let made: MadeBracket
let referee: Caller
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 16, format: 'single_elimination' })
  referee = await roleHolder(api, made.cup, 'role:referee')
})
afterAll(() => api[Symbol.asyncDispose]())

async function captainsOf(number: number, of: MadeBracket = made): Promise<readonly [Caller, Caller]> {
  const { sides } = await of.readMatch(number)
  return sides.map(({ team }: { team: { guid: string } }) => {
    return of.captains[of.teams.findIndex(({ guid }) => guid === team.guid)]
  }) as [Caller, Caller]
}

const makePath = (number: number) => `${made.match(number)}/bridgeTickets`

async function ticketOf(number: number, user: Caller, as: Caller = referee): Promise<string> {
  const reply = await api.post(makePath(number), as, { user: user.guid })
  expect(outcome(reply)).toEqual([201, null])
  return reply.body.ticket
}

const open = (ticket: unknown) => api.post('/bridgeTickets/open', null, { ticket })
const live = (ticket: unknown, value: unknown = { score: 5 }) =>
  api.post('/bridgeTickets/live', null, { ticket, value })
const hash = 'ab'.repeat(20)
const song = (more: object = {}) => ({
  source: 'status',
  platformId: null,
  hash,
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  name: 'A song',
  maxScore: 1_000_000,
  score: 900_000,
  accuracy: 0.9,
  misses: 2,
  goodCuts: 800,
  maxCombo: 300,
  completion: 'passed',
  endTime: 180,
  ...more,
})
const finish = (ticket: unknown, more: object = {}) =>
  api.post('/bridgeTickets/finish', null, { ticket, ...song(more) })

/** The outcomes of the three operations that take a ticket. */
async function uses(ticket: unknown): Promise<(readonly [number, string | null])[]> {
  return (await Promise.all([open(ticket), live(ticket), finish(ticket)])).map(outcome)
}
const invalid = [401, 'bridge.ticket_invalid']

async function follow(number: number): Promise<Socket & { readonly topic: string }> {
  const { guid } = await made.readMatch(number)
  const viewer = await openSocket(api)
  const topic = `/tournaments/${made.cup.guid}/matches/${guid}/live`
  await viewer.ask({ type: 'subscribe', topic, rate: 10 })
  return Object.assign(viewer, { topic })
}

/** The values of a user's key that a follower of the topic receives. */
// biome-ignore lint/suspicious/noExplicitAny: live values; a test reads those that it checks.
const received = ({ copies }: Socket, { guid }: Caller): any[] =>
  copies.packets.flatMap(({ states }) => states?.[`player:${guid}`] ?? [])

const proposalsOf = async (number: number) => (await api.get(`${made.match(number)}/proposals`, referee)).body.proposals

test('operators make it for a player of the match, and it is told once, with where to open it', async () => {
  const [player, opponent] = await captainsOf(1)
  const before = await lastEvent(api)
  const reply = await api.post(makePath(1), referee, { user: player.chatPlatformId })
  expect(outcome(reply)).toEqual([201, null])
  const { ticket, address, user, expiresAt } = reply.body
  expect(ticket).toMatch(/^[\w-]{43}$/)
  expect(address).toBe(`${api.app.config.publicUrl}/bridge#ticket=${ticket}`)
  expect(user).toMatchObject({ guid: player.guid, username: player.username })
  const hours = (new Date(expiresAt).getTime() - Date.now()) / 3_600_000
  expect([hours > 11.9, hours <= 12]).toEqual([true, true])
  const [event, ...others] = await eventsSince(api, made.cup, before)
  const { guid: match } = await made.readMatch(1)
  expect(others).toEqual([])
  expect(event).toMatchObject({
    type: 'assistant.bridge_ticket_made',
    actor: referee.guid,
    before: null,
    after: { match, user: player.guid, expiresAt },
  })
  const audit = await api.get(`${made.path}/audit`, made.organiser)
  expect(audit.text).toContain('assistant.bridge_ticket_made')
  expect(audit.text).not.toContain(ticket)
  // Only operators may make a ticket, and only for a player of the match.
  const coordinator = await roleHolder(api, made.cup, 'role:coordinator')
  for (const as of [coordinator, made.organiser]) {
    expect(outcome(await api.post(makePath(1), as, { user: opponent.guid }))).toEqual([201, null])
  }
  const caster = await roleHolder(api, made.cup, 'role:caster')
  for (const as of [caster, player, await api.user()]) {
    expect(outcome(await api.post(makePath(1), as, { user: player.guid }))).toEqual([403, 'role.missing'])
    expect(outcome(await api.delete(`${makePath(1)}/${player.guid}`, as))).toEqual([403, 'role.missing'])
  }
  expect((await api.post(makePath(1), null, { user: player.guid })).status).toBe(401)
  const narrow = (scope: 'assistant' | 'rest:read') => api.token(referee, [scope])
  const by = async (token: string) =>
    (await api.call('POST', makePath(1), { token, body: { user: opponent.guid } })).status
  expect([await by(await narrow('assistant')), await by(await narrow('rest:read'))]).toEqual([201, 401])
  const [elsewhere] = await captainsOf(2)
  for (const [user, expected] of [
    [elsewhere.guid, [400, 'live.player_unknown']],
    [referee.guid, [400, 'live.player_unknown']],
    ['3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42', [404, 'user.unknown']],
  ] as const) {
    expect(outcome(await api.post(makePath(1), referee, { user }))).toEqual(expected)
  }
  expect((await open(ticket)).status, 'the other’s replaced nothing of it').toBe(200)
})

test('it opens what the page needs, and tells live scores and results in the name of its player', async () => {
  const [player, opponent] = await captainsOf(2)
  const accounts = [await verifyRanking(api, player), await verifyRanking(api, player, 'ranking-b')]
  await api.sql(
    `insert into identities (user_guid, platform, external_id) values ($1, 'streaming', 'quaver')
     on conflict do nothing`,
    [player.guid],
  )
  const match = await made.readMatch(2)
  const ticket = await ticketOf(2, player)
  const opened = await open(ticket)
  expect(outcome(opened)).toEqual([200, null])
  expect(opened.body).toEqual({
    user: { guid: player.guid, preferredName: player.username },
    accounts,
    tournament: { guid: made.cup.guid, id: made.cup.id, name: expect.any(String) },
    match: {
      guid: match.guid,
      number: 2,
      sides: match.sides.map(({ team }: { team: { name: string } }) => ({ team: { name: team.name } })),
    },
    expiresAt: expect.stringMatching(/Z$/),
  })
  expect(opened.headers.get('cache-control')).toContain('no-store')
  await using viewer = await follow(2)
  const before = await api.sql('select count(*)::int as count from event_log')
  expect((await live(ticket, { score: 123_456, accuracy: 0.97, state: 'playing' })).status).toBe(204)
  await viewer.copies.until(() => received(viewer, player).length > 0, 'the value')
  expect(received(viewer, player)[0]).toMatchObject({
    score: 123_456,
    accuracy: 0.97,
    state: 'playing',
    source: 'game',
    combo: null,
  })
  expect(await api.sql('select count(*)::int as count from event_log'), 'nothing is written').toEqual(before)
  expect((await live(ticket, null)).status).toBe(204)
  await viewer.copies.until(
    ({ packets }) => packets.some(({ gone }) => gone?.includes(`player:${player.guid}`)),
    'that it is gone',
  )
  expect((await live(ticket, { accuracy: 2.1 })).status).toBe(400)
  expect((await api.post('/bridgeTickets/live', null, { ticket })).status).toBe(400)
  // The same song reported twice, and once with the opponent's ticket.
  const first = await finish(ticket)
  expect(first.body).toMatchObject({ status: 'collecting', game: 1, players: [{ userGuid: player.guid, side: 1 }] })
  expect((await finish(ticket)).body).toEqual(first.body)
  const second = await finish(await ticketOf(2, opponent), { score: 850_000 })
  expect(second.body).toMatchObject({ status: 'proposed', players: [{ score: 900_000 }, { score: 850_000 }] })
  const [proposal, ...others] = await proposalsOf(2)
  expect(others).toEqual([])
  expect(proposal).toMatchObject({ guid: first.body.proposal, source: 'game', winner: 1, acceptAt: null })
  expect(proposal.warnings).toContainEqual({ code: 'unverified', user: null })
  // The same refusals as `live.finish`.
  expect(outcome(await finish(ticket, { source: 'bsplus', platformId: '1' }))).toEqual([403, 'game.player_mismatch'])
  expect((await finish(ticket, { score: -1 })).status).toBe(400)
  const own = await api.post(`${made.match(2)}/live/${player.guid}/finish`, player, song())
  expect([own.status, own.body.proposal]).toEqual([200, first.body.proposal])
})

test('whatever is wrong with it, the answer is the same', async () => {
  const [player, opponent] = await captainsOf(3)
  const [replaced, ended] = [await ticketOf(3, player), await ticketOf(3, opponent)]
  const good = await ticketOf(3, player)
  expect((await open(good)).status).toBe(200)
  const before = await lastEvent(api)
  expect((await api.delete(`${makePath(3)}/${opponent.chatPlatformId}`, referee)).status).toBe(204)
  expect((await api.delete(`${makePath(3)}/${opponent.guid}`, referee)).status, 'there is none').toBe(204)
  const { guid: match } = await made.readMatch(3)
  expect(await eventsSince(api, made.cup, before)).toMatchObject([
    { type: 'assistant.bridge_ticket_ended', actor: referee.guid, before: { match, user: opponent.guid }, after: null },
  ])
  const wrong = ['x', 'ü'.repeat(40), 'a'.repeat(43), good.toUpperCase(), `${good}x`, replaced, ended]
  const answers = await Promise.all(wrong.flatMap((ticket) => [open(ticket), live(ticket), finish(ticket)]))
  const seen = ({ status, headers, text }: Reply) =>
    JSON.stringify([status, text, headers.get('problem-code'), headers.get('www-authenticate'), [...headers.keys()]])
  expect(new Set(answers.map(seen)).size).toBe(1)
  expect(answers.map(outcome)).toEqual(answers.map(() => invalid))
  // Expired, of a banned user, and ended tickets.
  await api.sql(`update bridge_tickets set expires_at = now() where match_guid = $1`, [match])
  expect(seen(await open(good))).toBe(answers.map(seen)[0])
  expect(await uses(good)).toEqual([invalid, invalid, invalid])
  await api.sql(`update bridge_tickets set expires_at = now() + interval '1 hour' where match_guid = $1`, [match])
  expect((await open(good)).status).toBe(200)
  const owner = await api.user({ globalRoles: ['role:owner'] })
  expect((await api.patch(`/admin/users/${player.guid}`, owner, { banned: true })).status).toBe(200)
  expect(await uses(good)).toEqual([invalid, invalid, invalid])
  expect((await api.patch(`/admin/users/${player.guid}`, owner, { banned: false })).status).toBe(200)
  expect((await open(good)).status).toBe(200)
  await api.sql('update users set anonymised_at = now() where guid = $1', [player.guid])
  expect(await uses(good)).toEqual([invalid, invalid, invalid])
  await api.sql('update users set anonymised_at = null where guid = $1', [player.guid])
  expect(await proposalsOf(3)).toEqual([])
})

test('it opens nothing else: no topic, no read, no other player and no other match', async () => {
  const [player, opponent] = await captainsOf(4)
  const ticket = await ticketOf(4, player)
  await using viewer = await follow(4)
  await using elsewhere = await follow(5)
  const { guid: other } = await made.readMatch(5)
  const named = { user: opponent.guid, key: `player:${opponent.guid}`, match: other, topic: elsewhere.topic }
  expect((await api.post('/bridgeTickets/live', null, { ticket, value: { score: 9 }, ...named })).status).toBe(204)
  expect(
    (await api.post('/bridgeTickets/finish', null, { ticket, ...song(), ...named, userGuid: opponent.guid })).status,
  ).toBe(200)
  await viewer.copies.until(() => received(viewer, player).length > 0, 'the value')
  expect([received(viewer, opponent), received(elsewhere, player), received(elsewhere, opponent)]).toEqual([[], [], []])
  expect(await proposalsOf(5)).toEqual([])
  expect((await proposalsOf(4))[0].players).toMatchObject([{ userGuid: player.guid }])
  // A ticket is refused as a bearer token and as a socket ticket. Next to a valid token it is ignored.
  for (const [method, path] of [
    ['GET', '/users/@me'],
    ['GET', `${made.match(4)}/proposals`],
    ['PUT', `${made.match(4)}/live/${player.guid}`],
    ['POST', `${made.match(4)}/live/${player.guid}/finish`],
  ] as const) {
    const reply = await api.call(method, path, { token: ticket, ...(method === 'GET' ? {} : { body: song() }) })
    expect(outcome(reply), path).toEqual([401, 'token.invalid'])
  }
  expect((await api.get(`/events?topic=${viewer.topic}&ticket=${ticket}`)).status).toBe(401)
  const beside = await api.post('/bridgeTickets/open', opponent, { ticket })
  expect([beside.status, beside.body.user.guid]).toEqual([200, player.guid])
  expect((await api.post('/bridgeTickets/open', { ...opponent, token: 'none' }, { ticket })).status).toBe(200)
  expect((await api.get(`${makePath(4)}`, referee)).status, 'there is no list').toBe(404)
})

test('nothing of it is kept but a digest, and nobody else is told of it', async () => {
  const [player] = await captainsOf(6)
  const sent = await api.call('POST', makePath(6), {
    as: referee,
    body: { user: player.guid },
    headers: { 'idempotency-key': 'ticket-1' },
  })
  const { ticket } = sent.body
  expect([sent.status, (await open(ticket)).status, (await finish(ticket)).status]).toEqual([201, 200, 200])
  await live(ticket)
  const digest = createHash('sha256').update(ticket).digest()
  const [row] = await api.sql<{ digest: Buffer }>('select digest from bridge_tickets where user_guid = $1', [
    player.guid,
  ])
  expect(row?.digest.equals(digest)).toBe(true)
  const tables = await api.sql<{ name: string }>(
    `select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`,
  )
  const hex = Buffer.from(ticket).toString('hex')
  for (const { name } of tables) {
    const [{ found } = { found: -1 }] = await api.sql<{ found: number }>(
      `select count(*)::int as found from ${name} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
      [ticket, hex],
    )
    expect(found, name).toBe(0)
  }
  // No read shows the ticket or its digest.
  const texts = await Promise.all(
    [made.path, made.match(6), `${made.match(6)}/proposals`, `${made.path}/audit`, `/users/${player.guid}`].map(
      async (path) => (await api.get(path, made.organiser)).text,
    ),
  )
  expect(texts.join()).not.toContain(ticket)
  expect(texts.join()).not.toContain(digest.toString('hex'))
  const outsider = await api.get(`${made.path}/audit`, player)
  expect(outsider.status).toBe(403)
})

test('whoever has left both teams tells nothing more, nor anybody of what is cancelled', async () => {
  const [player, opponent] = await captainsOf(7)
  const tickets = [await ticketOf(7, player), await ticketOf(7, opponent)] as const
  await api.sql('delete from team_members where user_guid = $1', [player.guid])
  await touch(api, player.guid)
  const unknown = [400, 'live.player_unknown']
  expect(await uses(tickets[0])).toEqual([[200, null], unknown, unknown])
  const { guid: match } = await made.readMatch(7)
  await api.sql(`update matches set status = 'cancelled' where guid = $1`, [match])
  const gone = [409, 'match.cancelled']
  expect(await uses(tickets[1])).toEqual([gone, gone, gone])
  expect(outcome(await api.post(makePath(7), referee, { user: opponent.guid }))).toEqual(gone)
  expect((await api.delete(`${makePath(7)}/${opponent.guid}`, referee)).status).toBe(204)

  const over = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  const [theirs] = await captainsOf(1, over)
  const address = `${over.match(1)}/bridgeTickets`
  const { ticket } = (await api.post(address, over.organiser, { user: theirs.guid })).body
  expect((await api.post(`${over.path}/status`, over.organiser, { status: 'cancelled' })).status).toBe(200)
  const ended = [409, 'tournament.cancelled']
  expect(await uses(ticket)).toEqual([ended, ended, ended])
  expect(outcome(await api.post(address, over.organiser, { user: theirs.guid }))).toEqual(ended)
})

test('from an operator who has lost the role, or is banned or gone, it is worth nothing at once', async () => {
  const [player] = await captainsOf(2)
  const leaving = await Promise.all([1, 2, 3].map(() => roleHolder(api, made.cup, 'role:referee')))
  const endings = [
    ({ guid }: Caller) => api.sql('delete from tournament_role_holders where user_guid = $1', [guid]),
    ({ guid }: Caller) => api.sql('update users set banned_at = now() where guid = $1', [guid]),
    (who: Caller) => api.delete('/users/@me', who),
  ]
  for (const [index, end] of endings.entries()) {
    const operator = leaving[index] as Caller
    const ticket = await ticketOf(2, player, operator)
    expect(outcome(await live(ticket))).toEqual([204, null])
    await end(operator)
    expect(await uses(ticket)).toEqual([invalid, invalid, invalid])
  }
  // Another operator makes a new ticket.
  expect(outcome(await live(await ticketOf(2, player)))).toEqual([204, null])
})

test('in a draft it works for whoever has it, and is deleted with it', async () => {
  const hidden = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  const [player] = await captainsOf(1, hidden)
  await api.sql(`update tournaments set status = 'draft' where guid = $1`, [hidden.cup.guid])
  await touch(api, hidden.cup.guid)
  const { guid: match } = await hidden.readMatch(1)
  expect((await api.get(hidden.match(1))).status).toBe(404)
  const stranger = await api.user()
  expect((await api.post(`${hidden.match(1)}/bridgeTickets`, stranger, { user: player.guid })).status).toBe(404)
  const { ticket } = (await api.post(`${hidden.match(1)}/bridgeTickets`, hidden.organiser, { user: player.guid })).body
  await using viewer = await openSocket(api, { as: hidden.organiser })
  const topic = `/tournaments/${hidden.cup.guid}/matches/${match}/live`
  expect(await viewer.ask({ type: 'subscribe', topic, rate: 10 })).toMatchObject({ states: {} })
  expect(await uses(ticket)).toEqual([
    [200, null],
    [204, null],
    [200, null],
  ])
  await viewer.copies.until(() => received(viewer, player).length > 0, 'the value')
  const { proposals } = (await api.get(`${hidden.match(1)}/proposals`, hidden.organiser)).body
  expect(proposals).toMatchObject([{ source: 'game', players: [{ userGuid: player.guid }] }])
  await api.sql('delete from tournaments where guid = $1', [hidden.cup.guid])
  expect(await uses(ticket)).toEqual([invalid, invalid, invalid])
})

test('of several that are made at once one is good, and one that is ended while it tells of a song tells nothing', async () => {
  const [player, opponent] = await captainsOf(8)
  const tickets = await Promise.all(Array.from({ length: 8 }, () => ticketOf(8, player)))
  const statuses = await Promise.all(tickets.map(async (ticket) => (await open(ticket)).status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  const rows = await api.sql('select guid from bridge_tickets where user_guid = $1', [player.guid])
  expect(rows).toHaveLength(1)
  for (let round = 0; round < 10; round++) {
    const ticket = await ticketOf(8, opponent)
    const before = (await proposalsOf(8)).length
    await api.sql(`update assistant_finishes set received_at = received_at - interval '3 minutes'`)
    const [result, end] = await Promise.all([
      finish(ticket, { score: 1_000 + round }),
      api.delete(`${makePath(8)}/${opponent.guid}`, referee),
    ])
    expect(end.status).toBe(204)
    expect([200, 401]).toContain(result.status)
    const after = await proposalsOf(8)
    expect(after.length - before).toBe(result.status === 200 ? 1 : 0)
  }
})

test('guesses are counted by address, and uses by ticket', async () => {
  const allowances = { bridge: { calls: 4, seconds: 60 }, 'sign-in': { calls: 3, seconds: 60 } }
  const { databaseUrl, dataDir } = api.app.config
  await using limited = await startOn({ databaseUrl, dataDir, rateLimits: true }, { allowances })
  const [player, opponent] = await captainsOf(5)
  const [one, other] = [await ticketOf(5, player), await ticketOf(5, opponent)]
  const ask = async (ticket: string, what = 'live') =>
    outcome(await limited.call('POST', `/bridgeTickets/${what}`, { body: { ticket, value: { score: 1 } } }))
  for (let use = 0; use < 3; use++) expect(await ask(one)).toEqual([204, null])
  expect(await ask(one, 'open')).toEqual([200, null])
  for (const what of ['open', 'live']) expect(await ask(one, what)).toEqual([429, 'request.limited'])
  expect(await ask(other), 'each by itself').toEqual([204, null])
  for (let guess = 0; guess < 3; guess++) expect(await ask(`guess-${guess}`)).toEqual(invalid)
  expect(await ask('guess-3', 'open')).toEqual([429, 'request.limited'])
  expect(await ask(other), 'good ones are no guesses').toEqual([204, null])
})

test('what is kept of users is theirs to read, goes with them, and goes by itself', async () => {
  const [, opponent] = await captainsOf(4)
  await ticketOf(4, opponent, made.organiser)
  const { sections, forget } = bridgeTicketsPersonalData
  const { db } = api.app.database
  const { guid: match } = await made.readMatch(4)
  const shown = {
    tournamentGuid: made.cup.guid,
    matchGuid: match,
    createdAt: expect.any(Date),
    expiresAt: expect.any(Date),
  }
  expect(await sections.bridgeTickets(db, opponent.guid, 10)).toEqual([shown])
  expect(await sections.bridgeTicketsMade(db, made.organiser.guid, 10)).toContainEqual(shown)
  await api.app.database.transaction((tx) => forget(tx, made.organiser, new Date()))
  expect(await sections.bridgeTicketsMade(db, made.organiser.guid, 10)).toEqual([])
  expect(await sections.bridgeTickets(db, opponent.guid, 10)).toHaveLength(1)
  await api.app.database.transaction((tx) => forget(tx, opponent, new Date()))
  expect(await sections.bridgeTickets(db, opponent.guid, 10)).toEqual([])
  await ticketOf(4, opponent)
  await api.sql('update bridge_tickets set expires_at = now() where match_guid = $1 and user_guid = $2', [
    ...[match, opponent.guid],
  ])
  const [{ count } = { count: 0 }] = await api.sql<{ count: number }>('select count(*)::int from bridge_tickets')
  const { database, services, clients } = api.app
  const before = await lastEvent(api)
  await bridgeTicketsJobs[0]?.run({} as never, { database, services, clients, now: () => new Date() } as never)
  expect(await api.sql('select count(*)::int from bridge_tickets')).toEqual([{ count: count - 1 }])
  expect(await lastEvent(api), 'its time was over before').toBe(before)
})
