import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../harness.ts'
import { grantRole, makeTournament, roleHolder } from '../make.ts'
import { formOf, picture } from '../media.ts'
import { openSocket } from '../realtime/sockets.ts'
import { documentWith } from '../scene-documents.ts'

/** A command that is repeated with its key runs once. (RT25) */

let api: Harness
let sibling: Harness
let made: MadeBracket
let referee: Caller
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  made = await makeBracket(api, { teams: 10, format: 'round_robin' })
  referee = await roleHolder(api, made.cup, 'role:referee')
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

let lastMatch = 0
/** A match that no other test uses. */
const nextMatch = () => made.match(++lastMatch)
const won = { outcome: 'score', winner: 1, scores: [2, 0] }

interface Sent {
  readonly method?: string
  readonly path: string
  readonly key: string
  readonly body?: object
  readonly as?: Caller
}

function send(service: Harness, { method = 'PUT', path, key, body, as = referee }: Sent): Promise<Reply> {
  return service.call(method, path, { as, body, headers: { 'idempotency-key': key } })
}

const isReplayed = (reply: Reply) => reply.headers.get('idempotent-replayed') === 'true'
const eventsOf = (type: string) =>
  api.sql('select from event_log where type = $1 and tournament = $2', [type, made.cup.guid])

describe('a command that is sent again', () => {
  test('fifty times at once, to two processes, is carried out once and answered alike', async () => {
    const before = (await eventsOf('match.completed')).length
    const sent = { path: `${nextMatch()}/result`, key: randomUUID(), body: won }
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(index % 2 === 0 ? api : sibling, sent)),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1)
    expect(await eventsOf('match.completed')).toHaveLength(before + 1)
    // Without a key it is another command, which comes too late.
    expect((await api.put(sent.path, referee, won)).status).toBe(409)
  })

  test('is the same however its members are ordered, and another one with any other content', async () => {
    const path = nextMatch()
    const key = randomUUID()
    const first = await send(api, { path: `${path}/result`, key, body: won })
    expect([first.status, isReplayed(first)]).toEqual([200, false])
    const turned = await send(api, {
      path: `${path}/result`,
      key,
      body: { scores: [2, 0], winner: 1, outcome: 'score' },
    })
    expect([turned.status, turned.text, isReplayed(turned)]).toEqual([200, first.text, true])
    const others: Sent[] = [
      { path: `${path}/result`, key, body: { ...won, scores: [2, 1] } },
      { path: `${nextMatch()}/result`, key, body: won },
      { method: 'POST', path: `${path}/start`, key },
      { path: `${path}/games/1`, key, body: { sides: [{ score: 1 }, { score: 0 }] } },
    ]
    for (const other of others) expect(outcome(await send(sibling, other))).toEqual([409, 'command.key_reused'])
    expect(await made.readMatch(lastMatch)).toMatchObject({ status: 'ready' })
  })

  test('is another one with the same key of somebody else', async () => {
    const second = await roleHolder(api, made.cup, 'role:referee')
    const sent = { method: 'POST', path: `${nextMatch()}/start`, key: 'the-same' }
    expect(outcome(await send(api, sent))).toEqual([200, null])
    const reply = await send(api, { ...sent, as: second })
    expect([...outcome(reply), isReplayed(reply)]).toEqual([409, 'match.running', false])
  })

  test('is told the same after a day no more', async () => {
    const sent = { method: 'POST', path: `${nextMatch()}/start`, key: randomUUID() }
    expect(outcome(await send(api, sent))).toEqual([200, null])
    const age = (hours: number) =>
      api.sql(`update command_results set created_at = now() - $2 * interval '1 hour' where key = $1`, [
        sent.key,
        hours,
      ])
    await age(23.9)
    expect(isReplayed(await send(api, sent))).toBe(true)
    await age(24.1)
    const late = await send(api, sent)
    expect([...outcome(late), isReplayed(late)]).toEqual([409, 'match.running', false])
    const later = await send(api, sent)
    expect([later.status, later.text, isReplayed(later)]).toEqual([409, late.text, true])
  })
})

describe('a refusal', () => {
  test('is kept, with all that it told and nothing that it had begun', async () => {
    const path = nextMatch()
    const events = async () => (await api.sql('select from event_log where tournament = $1', [made.cup.guid])).length
    const before = await events()
    const sent = { path: `${path}/games/2`, key: randomUUID(), body: { sides: [{ score: 1 }, { score: 0 }] } }
    const refused = await send(api, sent)
    expect([...outcome(refused), isReplayed(refused)]).toEqual([409, 'game.out_of_order', false])
    expect(await events()).toBe(before)
    expect(outcome(await send(api, { ...sent, path: `${path}/games/1`, key: randomUUID() }))).toEqual([200, null])
    // Without the saved refusal it would be accepted by now.
    const again = await send(sibling, sent)
    expect([...outcome(again), again.text, isReplayed(again)]).toEqual([409, 'game.out_of_order', refused.text, true])
    expect(outcome(await send(api, { ...sent, key: randomUUID() }))).toEqual([200, null])
  })

  interface Refusal {
    readonly what: string
    readonly refused: readonly [status: number, code: string]
    readonly sent: () => Promise<Sent>
    /** A change after which the same command would be accepted. */
    readonly change: (sent: Sent) => Promise<unknown>
  }
  const refusals: Refusal[] = [
    {
      what: 'for want of a right',
      refused: [403, 'role.missing'],
      sent: async () => ({
        method: 'POST',
        path: `${nextMatch()}/start`,
        key: randomUUID(),
        as: await api.user(),
      }),
      change: ({ as }) => grantRole(api, made.cup, as as Caller, 'role:referee'),
    },
    {
      what: 'of a record that the caller may not know of',
      refused: [404, 'tournament.unknown'],
      async sent() {
        const { guid } = await makeTournament(api, await api.user(), { status: 'draft' })
        const path = `/tournaments/${guid}/divisions`
        return { method: 'POST', path, key: randomUUID(), body: { name: 'Upper' }, as: await api.user() }
      },
      change: ({ path, as }) =>
        api.sql(
          `insert into tournament_role_holders (tournament_guid, user_guid, role) values ($1, $2, 'role:admin')`,
          [path.split('/')[2], as?.guid],
        ),
    },
  ]

  test.each(refusals)('$what is kept', async ({ refused, sent, change }) => {
    const asked = await sent()
    // The token is cached from now on, so that the request is checked early.
    expect(outcome(await send(api, { ...asked, key: randomUUID() }))).toEqual(refused)
    const first = await send(api, asked)
    expect([...outcome(first), isReplayed(first)]).toEqual([...refused, false])
    await change(asked)
    const again = await send(sibling, asked)
    expect([...outcome(again), again.text, isReplayed(again)]).toEqual([...refused, first.text, true])
    const other = { ...asked, path: asked.path.replace(/\d+\/start$/, '1/start'), body: { name: 'Another' } }
    expect(outcome(await send(api, other))).toEqual([409, 'command.key_reused'])
    expect((await send(api, { ...asked, key: randomUUID() })).status).toBeLessThan(300)
  })

  test('is kept over a socket, and is the same over HTTP', async () => {
    const helper = await api.user()
    const [, , tournament, , match] = nextMatch().split('/')
    const command = { type: 'command', name: 'matches.start', params: { tournament, match }, key: randomUUID() }
    const refused = { type: 'error', status: 403, code: 'role.missing' }
    await using socket = await openSocket(api, { as: helper })
    expect(await socket.ask(command)).toMatchObject(refused)
    await grantRole(api, made.cup, helper, 'role:referee')
    expect(await socket.ask(command)).toMatchObject(refused)
    const path = `/tournaments/${tournament}/matches/${match}/start`
    const reply = await send(sibling, { method: 'POST', path, key: command.key, as: helper })
    expect([...outcome(reply), isReplayed(reply)]).toEqual([403, 'role.missing', true])
    const unreadable = { ...command, name: 'matches.reportResult', key: randomUUID(), body: { outcome: 'nonsense' } }
    expect(await socket.ask(unreadable)).toMatchObject({ status: 400, code: 'request.invalid' })
    const corrected = await socket.ask({ ...unreadable, body: won })
    expect(corrected).toMatchObject({ status: 409, code: 'command.key_reused' })
    expect(await socket.ask({ ...command, key: randomUUID() })).toMatchObject({ type: 'result', status: 200 })
  })

  test.each<[what: string, status: number, headers: Record<string, string>, raw: string]>([
    ['of another form', 400, {}, '{"outcome":"nonsense"}'],
    ['that is no JSON', 400, {}, '{"outcome":'],
    ['of another type', 415, { 'content-type': 'text/plain' }, JSON.stringify(won)],
  ])('of a body %s is kept: the key stands for that body', async (_what, status, headers, raw) => {
    const path = `${nextMatch()}/result`
    const key = randomUUID()
    const sendRaw = () =>
      api.call('PUT', path, {
        as: referee,
        raw,
        headers: { 'content-type': 'application/json', ...headers, 'idempotency-key': key },
      })
    const [first, again] = [await sendRaw(), await sendRaw()]
    expect([first.status, isReplayed(first)]).toEqual([status, false])
    expect([again.status, again.text, isReplayed(again)]).toEqual([status, first.text, true])
    expect(outcome(await send(api, { path, key, body: won }))).toEqual([409, 'command.key_reused'])
  })

  test('is not kept where nobody is known, or the body has not come', async () => {
    const path = `${nextMatch()}/result`
    const sent = { path, key: randomUUID(), body: won }
    const reader = { ...referee, token: await api.token(referee, ['rest:read']) }
    for (const [as, code] of [
      [{ ...referee, token: 'none' }, 'token.invalid'],
      [reader, 'scope.missing'],
    ] as const) {
      expect(outcome(await send(api, { ...sent, as }))).toEqual([401, code])
    }
    const large = { ...won, reason: 'x'.repeat(1_100_000) }
    expect(outcome(await send(api, { ...sent, body: large }))).toEqual([413, 'request.too_large'])
    const reply = await send(api, sent)
    expect([...outcome(reply), isReplayed(reply)]).toEqual([200, null, false])
  })

  test('tells nothing of what the body should be', async () => {
    const stranger = await api.user()
    for (const body of [{ outcome: 'nonsense' }, { ...won, reason: 'x'.repeat(1_100_000) }]) {
      const reply = await send(api, { path: `${made.match(1)}/result`, key: randomUUID(), body, as: stranger })
      expect(outcome(reply)).toEqual([403, 'role.missing'])
    }
  })

  test('that came later does not stand before the first result', async () => {
    const owner = await api.user()
    const { guid } = await makeTournament(api, owner, { status: 'draft' })
    const sent = { method: 'DELETE', path: `/tournaments/${guid}`, key: randomUUID(), as: owner }
    const [first, again] = [await send(api, sent), await send(sibling, sent)]
    expect([first.status, isReplayed(first)]).toEqual([204, false])
    expect([again.status, isReplayed(again)]).toEqual([204, true])
    expect(outcome(await send(api, { ...sent, key: randomUUID() }))).toEqual([404, 'tournament.unknown'])
  })
})

describe('a key', () => {
  test.each(['', 'x'.repeat(65), 'with space', 'a/b', 'a,b'])('that is none is refused: %j', async (key) => {
    const reply = await send(api, { method: 'POST', path: `${made.match(1)}/start`, key })
    expect(outcome(reply)).toEqual([400, 'command.key_invalid'])
  })

  test('counts for whatever changes something', async () => {
    const organiser = await api.user()
    const body = { name: 'Winter Cup', id: `winter-${process.pid}` }
    const made = { method: 'POST', path: '/tournaments', key: randomUUID(), body, as: organiser }
    const divided = { ...made, path: `/tournaments/${body.id}/divisions`, key: randomUUID(), body: { name: 'Upper' } }
    for (const sent of [made, divided]) {
      const [first, second] = [await send(api, sent), await send(sibling, sent)]
      expect([first.status, isReplayed(first)]).toEqual([201, false])
      expect([second.status, second.text, isReplayed(second)]).toEqual([201, first.text, true])
    }
    expect((await api.get(divided.path, organiser)).body).toHaveLength(1)
  })

  test('of a file is another one with another file', async () => {
    const owner = await api.user()
    const key = randomUUID()
    const [one, other] = await Promise.all([64, 65].map((width) => picture({ width, height: 64 })))
    const upload = async (file = one) => {
      if (file === undefined) throw new Error('there is no picture')
      const { headers, ...form } = formOf(file, { kind: 'avatar' })
      return api.call('POST', '/media', { as: owner, ...form, headers: { ...headers, 'idempotency-key': key } })
    }
    const first = await upload()
    expect(outcome(first)).toEqual([201, null])
    const again = await upload()
    expect([again.status, again.text, isReplayed(again)]).toEqual([201, first.text, true])
    expect(outcome(await upload(other))).toEqual([409, 'command.key_reused'])
  })

  test('of bytes, or with a header that is read, is another one with others', async () => {
    const owner = await api.user({ globalRoles: ['role:owner'] })
    const rows = (label: string) => `user,badge,label\n${owner.guid},none,${label}\n`
    const csv = (raw: string) =>
      api.call('POST', '/badges/import/csv', {
        as: owner,
        raw,
        headers: { 'content-type': 'text/csv', 'idempotency-key': 'rows' },
      })
    const first = await csv(rows('A'))
    const again = await csv(rows('A'))
    expect([again.status, again.text, isReplayed(again)]).toEqual([first.status, first.text, true])
    expect(outcome(await csv(rows('B')))).toEqual([409, 'command.key_reused'])

    const cup = await makeTournament(api, owner)
    const { guid } = (await api.post(`/tournaments/${cup.guid}/overlays`, owner, { name: 'Keyed' })).body
    const draft = (headers: object) =>
      api.call('PUT', `/tournaments/${cup.guid}/overlays/${guid}/scene`, {
        as: owner,
        body: documentWith(),
        headers: { 'idempotency-key': 'draft', ...headers },
      })
    expect((await draft({})).status).toBe(428)
    expect(outcome(await draft({ 'if-match': '"1"' }))).toEqual([409, 'command.key_reused'])
  })

  test('keeps no secret: sent again it says that it was carried out', async () => {
    const owner = await api.user()
    const body = {
      name: 'Board',
      redirectUris: ['https://board.example/back'],
      scopes: ['rest:read'],
      type: 'confidential',
    }
    const sent = { method: 'POST', path: '/oauth/applications', key: randomUUID(), body, as: owner }
    const first = await send(api, sent)
    expect([first.status, typeof first.body.clientSecret]).toEqual([201, 'string'])
    const again = await send(sibling, sent)
    expect([...outcome(again), isReplayed(again)]).toEqual([409, 'command.told_once', true])
    expect((await api.get('/oauth/applications', owner)).body).toHaveLength(1)
    const [kept] = await api.sql('select status, headers, body from command_results where key = $1', [sent.key])
    expect(kept).toEqual({ status: null, headers: null, body: null })
  })

  test('goes after a day, and with the account whose it was', async () => {
    const leaving = await api.user()
    const reply = await send(api, {
      method: 'POST',
      path: '/users/@me/notifications/read',
      key: 'one',
      body: { all: true },
      as: leaving,
    })
    expect(reply.status).toBe(200)
    const held = (guid: string) => api.sql('select key from command_results where user_guid = $1', [guid])
    expect(await held(leaving.guid)).toHaveLength(1)
    await api.sql(`update command_results set created_at = now() - interval '25 hours' where user_guid = $1`, [
      referee.guid,
    ])
    expect((await held(referee.guid)).length).toBeGreaterThan(3)
    const [job] = await api.sql<{ id: string }>(`select (graphile_worker.add_job('idempotency.sweep')).id::text as id`)
    const isDone = async () =>
      (await api.sql('select from graphile_worker._private_jobs where id = $1', [job?.id])).length === 0
    await expect.poll(isDone).toBe(true)
    expect(await held(referee.guid)).toEqual([])
    expect(await held(leaving.guid)).toHaveLength(1)
    const deleted = await api.delete('/users/@me', leaving)
    expect(deleted.status, deleted.text).toBeLessThan(300)
    expect(await held(leaving.guid)).toEqual([])
  })
})
