import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkBody, type MadeAssistantPlay, makeAssistantPlay } from '../../../test/assistant.ts'
import { type Left, leaveToProcesses } from '../../../test/assistant-process.ts'
import { startFakeAssistant } from '../../../test/fakes/assistant/assistant.ts'
import type { FakeAssistant } from '../../../test/fakes/assistant/types.ts'
import { startFakeBeatLeaderSignIn, startFakeScoreSaberSignIn } from '../../../test/fakes/game-proof.ts'
import { type FakeReceiver, startFakeReceiver } from '../../../test/fakes/receiver.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../../test/harness.ts'
import { type Service, startService } from '../../../test/kernel/service.ts'
import { openSocket, type Socket } from '../../../test/realtime/sockets.ts'
import { Told, tablesWith, tellingPart } from '../../../test/secret-search.ts'
import { type Subscriber, subscribe } from '../../../test/webhooks.ts'

/**
 * No token, password or secret appears in any answer, event, log, metric or table, except in the answers whose purpose
 * is to return it. (assistant: What proves it, 15)
 */

const patient = { timeout: 60_000, interval: 50 }
const secretOf = (what: string) => `${what}-${randomUUID()}`

const secrets = {
  password: secretOf('password'),
  wrongPassword: secretOf('wrong-password'),
  refusedToken: secretOf('refused-token'),
  unsentToken: secretOf('unsent-token'),
  hookSecret: secretOf('hook-secret'),
  /** Sent in bodies that are refused. */
  misplaced: secretOf('misplaced'),
  nonce: secretOf('nonce'),
  ticket: secretOf('ticket'),
}

/** One tournament for each kind of link. */
const kinds = ['own', 'bot', 'readonly', 'wrongPassword', 'refusedToken', 'unreachable'] as const
type Kind = (typeof kinds)[number]

interface World {
  readonly left: Left
  readonly fake: FakeAssistant
  readonly botToken: string
  readonly plays: Readonly<Record<Kind, MadeAssistantPlay>>
  readonly receiver: FakeReceiver
  readonly subscriber: Subscriber
  readonly service: Service
  readonly socket: Socket
}

let world: World
const searched = new Told()
/** Secrets that an answer returned during the test. */
const given: string[] = []
const opened = new AsyncDisposableStack()

beforeAll(async () => {
  const harness = opened.use(await startHarness({ webhookAllowPrivate: true }))
  const { publicKey } = (await harness.get('/requestPublicSignature')).body
  const fake = opened.use(await startFakeAssistant({ keys: [publicKey], password: secrets.password }))
  const [a, b] = [opened.use(await startFakeScoreSaberSignIn()), opened.use(await startFakeBeatLeaderSignIn())]
  const player = { id: '76561198000000001', name: 'Ada', avatar: '' }
  a.proofs.set(secrets.nonce, player)
  b.proofs.set(`steamTicket:${secrets.ticket}`, player)
  const receiver = opened.use(await startFakeReceiver())
  const subscriber = await subscribe(harness, receiver)
  const plays = await arrange(harness, fake)
  const left = opened.use(await leaveToProcesses(harness))
  const socketPort = String(await freePort())
  const service = opened.use(
    await startService({
      ...left.env,
      LOG_LEVEL: 'trace',
      SOCKET_PORT: socketPort,
      SCORESABER_API_URL: a.url,
      SCORESABER_GAME_URL: a.url,
      BEATLEADER_API_URL: b.url,
    }),
  )
  const at = { app: { socketAddress: `ws://127.0.0.1:${socketPort}` } }
  const socket = opened.use(await openSocket(at, { as: plays.own.organiser }))
  world = { left, fake, botToken: fake.bot('A bot'), plays, receiver, subscriber, service, socket }
})
afterAll(() => opened.disposeAsync())

async function arrange(api: Harness, fake: FakeAssistant): Promise<World['plays']> {
  const made = kinds.map(async (kind) => {
    return [kind, await makeAssistantPlay({ api, fake, [Symbol.asyncDispose]: fake.close })] as const
  })
  return Object.fromEntries(await Promise.all(made)) as World['plays']
}

interface Asking {
  readonly body?: object
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Records the answer and its headers, unless the answer's purpose is to return a secret. */
async function ask(method: string, path: string, as: Caller | null, asking: Asking = {}, gives = false) {
  const { body, headers } = asking
  const raw = asking.raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const reply = await fetch(`${world.service.url}${path.startsWith('//') ? path.slice(1) : `/api${path}`}`, {
    method,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
      ...(raw === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(raw === undefined ? {} : { body: raw }),
  })
  const text = await reply.text()
  if (!gives) searched.add(`${method} ${path}`, `${text} ${JSON.stringify([...reply.headers])}`)
  const isJson = /[/+]json\b/.test(reply.headers.get('content-type') ?? '')
  return { status: reply.status, body: isJson && text !== '' ? JSON.parse(text) : text }
}

async function expectStatus(wanted: number, call: ReturnType<typeof ask>) {
  const { status, body } = await call
  expect([status, status === wanted ? '' : body]).toEqual([wanted, ''])
  return body
}

/** Sets the links; some lead nowhere or are refused by the server. */
async function setLinks({ fake, plays, botToken }: World): Promise<void> {
  const { password, wrongPassword, hookSecret, refusedToken, unsentToken, misplaced } = secrets
  const links: Readonly<Record<Kind, object>> = {
    own: { password, hookSecret },
    bot: { tokenKind: 'bot', token: botToken, password, hookSecret },
    readonly: { tokenKind: 'readonly', password },
    wrongPassword: { password: wrongPassword },
    refusedToken: { tokenKind: 'bot', token: refusedToken, password },
    unreachable: { tokenKind: 'bot', token: unsentToken, password, port: 1 },
  }
  for (const [kind, link] of Object.entries(links)) {
    const made = plays[kind as Kind]
    const path = `${made.path}/assistant`
    const body = { ...linkBody(fake), ...link }
    const put = (more: object) => ask('PUT', path, made.organiser, { body: { ...body, ...more } })
    await expectStatus(200, put({}))
    await expectStatus(400, put({ password: misplaced, certficate: misplaced }))
    await expectStatus(400, put({ token: misplaced.repeat(200) }))
    await expectStatus(400, put({ host: `${misplaced}/x`, hookSecret: misplaced }))
    await expectStatus(400, ask('PUT', path, made.organiser, { raw: `{"token":"${misplaced}` }))
    await expectStatus(200, ask('GET', path, made.organiser))
    const { ok, error } = await expectStatus(200, ask('POST', `${path}/test`, made.organiser))
    expect([kind, ok, error?.code]).toEqual([kind, ...outcomes[kind as Kind]])
  }
}

const outcomes: Readonly<Record<Kind, [ok: boolean, code: string | undefined]>> = {
  own: [true, undefined],
  bot: [true, undefined],
  readonly: [true, undefined],
  wrongPassword: [false, 'assistant.password'],
  refusedToken: [false, 'assistant.unauthorised'],
  unreachable: [false, 'assistant.unreachable'],
}

async function follow({ socket, plays: { own } }: World): Promise<string> {
  const cup = `/tournaments/${own.cup.guid}`
  const { guid } = await expectStatus(200, ask('GET', own.first, own.organiser))
  const match = `${cup}/matches/${guid}`
  const durable = [cup, `${cup}/assistant`, `${cup}/assistant/sessions`, `${cup}/audit`, match]
  for (const topic of [...durable, `${match}/assistant`, `${match}/proposals`]) {
    expect(await socket.ask({ type: 'subscribe', topic, facts: true })).toMatchObject({ type: 'snapshot' })
  }
  for (const topic of [`${match}/live`, `${match}/live/staff`]) {
    expect(await socket.ask({ type: 'subscribe', topic, rate: 10 })).toMatchObject({ type: 'state' })
  }
  return match
}

/**
 * Opens sessions by every link that can have some. A session that cannot connect is watched until it shows its error.
 */
async function openSessions({ plays }: World): Promise<void> {
  for (const kind of ['own', 'bot', 'wrongPassword', 'refusedToken', 'unreachable'] as const) {
    const { first, organiser } = plays[kind]
    await expectStatus(201, ask('POST', `${first}/assistant`, organiser))
    const isThere = async () => {
      const { phase, lastError } = (await ask('GET', `${first}/assistant`, organiser)).body
      return phase === 'ready' || lastError?.code
    }
    await expect.poll(isThere, patient).toBe(outcomes[kind][1] ?? true)
  }
  const { first, organiser } = plays.readonly
  await expectStatus(409, ask('POST', `${first}/assistant`, organiser))
}

async function playSong({ plays: { own, bot } }: World): Promise<void> {
  for (const { first, organiser, hashes, referee } of [own, bot]) {
    const path = `${first}/assistant`
    const map = { hash: hashes[0], characteristic: 'Standard', difficulty: 'ExpertPlus' }
    const key = { 'idempotency-key': randomUUID() }
    await expectStatus(200, ask('PUT', `${path}/map`, organiser, { body: map, headers: key }))
    await expectStatus(200, ask('POST', `${path}/load`, organiser))
    await expectStatus(200, ask('POST', `${path}/play`, organiser, { headers: { 'idempotency-key': randomUUID() } }))
    const newest = async () => (await ask('GET', `${first}/proposals`, organiser)).body.proposals[0]
    await expect.poll(async () => (await newest())?.status, patient).toBe('proposed')
    await expectStatus(200, ask('POST', `${first}/proposals/${(await newest()).guid}/accept`, organiser))
    // Makes a new connection, which needs a new token.
    await expectStatus(200, ask('POST', `${path}/resync`, organiser))
    await expectStatus(409, ask('POST', `${path}/control`, referee, { body: { action: 'renew' } }))
  }
}

async function takeTokens({ plays: { own } }: World): Promise<void> {
  const { organiser } = own
  for (let count = 0; count < 2; count++) {
    given.push((await expectStatus(201, ask('POST', '/assistant/token', organiser, {}, true))).token)
  }
  const named = { platform: 'scoresaber', platformId: '76561198000000001', platformUsername: 'Ada' }
  const byNonce = { ...named, proofProvider: 'scoresaber', proofPlayerId: named.platformId, proofNonce: secrets.nonce }
  for (const body of [byNonce, { provider: 'steamTicket', ticket: secrets.ticket }]) {
    given.push((await expectStatus(200, ask('POST', '/game/requestAuthToken', null, { body }, true))).token)
    await expectStatus(401, ask('POST', '/game/requestAuthToken', null, { body }))
  }
  const misused = { ...organiser, token: given[0] ?? '' }
  await expectStatus(401, ask('GET', '/users/@me', misused))
}

async function sendHooks({ fake, plays: { own } }: World): Promise<void> {
  const send = (at: number, secret: string) => {
    const raw = JSON.stringify({ id: randomUUID(), timestamp: at, tournamentId: fake.tournament.guid, data: {} })
    const signature = createHmac('sha256', secret).update(raw).digest('hex')
    return ask('POST', `${own.path}/assistant/hooks`, null, {
      raw,
      headers: { 'x-ta-signature-256': `sha256=${signature}`, 'x-ta-webhook-delivery': randomUUID() },
    })
  }
  await expectStatus(204, send(Date.now(), secrets.hookSecret))
  await expectStatus(400, send(Date.now() - 3_600_000, secrets.hookSecret))
  await expectStatus(401, send(Date.now(), secrets.misplaced))
}

/** Causes internal errors while secrets are parameters of statements. */
async function failInside({ left, fake, plays: { own, bot } }: World): Promise<void> {
  const body = { ...linkBody(fake), tokenKind: 'bot', token: secrets.misplaced, password: secrets.misplaced }
  for (const [table, call] of [
    ['assistant_links', () => ask('PUT', `${bot.path}/assistant`, bot.organiser, { body })],
    ['assistant_token_days', () => ask('POST', '/assistant/token', own.organiser)],
  ] as const) {
    await left.sql(`alter table ${table} rename to gone`)
    expect((await call()).status).toBe(500)
    await left.sql(`alter table gone rename to ${table}`)
  }
}

/** Reads everything that describes what was done. */
async function readAll({ plays, receiver, subscriber }: World): Promise<void> {
  const { own } = plays
  for (const { path, organiser, first } of Object.values(plays)) {
    for (const address of [
      `${path}/audit?limit=100`,
      `${path}/assistant/sessions`,
      `${path}/access`,
      `${first}/proposals`,
    ]) {
      await expectStatus(200, ask('GET', address, organiser))
    }
    const { held } = await expectStatus(200, ask('GET', '/users/@me/export', organiser))
    expect(Object.keys(held)).toEqual(expect.arrayContaining(['assistantLinks', 'assistantCommands']))
  }
  const player = own.players[0]?.[0]?.user as Caller
  await expectStatus(200, ask('GET', '/users/@me/export', player))
  for (const address of ['/users/@me/notifications', '/users/@me/sessions']) {
    await expectStatus(200, ask('GET', address, own.organiser))
  }
  const metrics = await expectStatus(200, ask('GET', '//metrics', null))
  expect(metrics).toContain('assistant.play')
  const members = `/tournament-platforms/${subscriber.contextId}/members`
  const member = { userIdentifier: own.organiser.guid, role: 'reviewer' }
  await expectStatus(200, ask('POST', members, subscriber.admin, { body: member }))
  await expect.poll(() => receiver.at(subscriber.paths.custom).length, patient).toBeGreaterThan(0)
  for (const { body, headers } of receiver.requests) searched.add('a webhook', `${body} ${JSON.stringify(headers)}`)
}

/** Points the link to another server, and closes the sessions. */
async function leave({ fake, plays: { own, bot, ...others } }: World): Promise<void> {
  for (const { first, organiser } of [own, bot]) await expectStatus(204, ask('DELETE', `${first}/assistant`, organiser))
  const body = { ...linkBody(fake), port: 2 }
  expect(await expectStatus(200, ask('PUT', `${own.path}/assistant`, own.organiser, { body }))).toMatchObject({
    token: { configured: false },
    password: { configured: false },
    hookSecret: { configured: true },
  })
  await expectStatus(204, ask('DELETE', `${bot.path}/assistant`, bot.organiser))
  await expectStatus(204, ask('DELETE', `${others.readonly.path}/assistant`, others.readonly.organiser))
}

test('no secret is where it does not belong, whatever was done with the assistant', async () => {
  const { left, fake, botToken, plays, socket, service } = world
  await setLinks(world)
  const match = await follow(world)
  await openSessions(world)
  await playSong(world)
  // Breaks the connections. Each new connection gets a new token.
  fake.faults.garbage()
  fake.faults.unauthorise()
  await takeTokens(world)
  await sendHooks(world)
  await failInside(world)
  // Sessions and link tests mint a token of their own for each connection.
  const minted = () => [...fake.tokens].filter((token) => token.split('.').length === 3)
  await expect.poll(() => minted().length, patient).toBeGreaterThan(4)
  await readAll(world)

  const users = Object.values(plays).map(({ organiser }) => organiser.token)
  const sent = [...fake.tokens].filter((token) => token !== '' && token !== 'readonly')
  expect(sent).toEqual(expect.arrayContaining([botToken, secrets.refusedToken]))
  expect(sent).not.toContain(secrets.unsentToken)
  const wanted = [...Object.values(secrets), botToken, ...[...sent, ...given, ...users].map(tellingPart)]

  // Checks while the links exist and after they are deleted.
  expect(await tablesWith(left, wanted)).toEqual([])
  await leave(world)
  await socket.copies.until(({ packets }) => packets.some(({ topic }) => topic === `${match}/live`), 'live values')
  await socket.close()
  for (const packet of socket.copies.packets) searched.add(`a packet of ${packet.topic}`, JSON.stringify(packet))
  service.signal('SIGTERM')
  const { stdout, stderr } = await service.exit
  searched.add('the log', stdout + stderr)
  for (const name of ['assistant.update', 'assistant.play', 'assistant.issueToken', 'gameTokens.request']) {
    expect(stdout).toContain(`"op":"${name}"`)
  }
  expect(stdout.match(/"status":500/g)).toHaveLength(2)
  expect(searched.find(wanted)).toEqual([])
  expect(await tablesWith(left, wanted)).toEqual([])
  expect(searched.size).toBeGreaterThan(150)

  // Proves that the search finds each secret where one is planted.
  for (const secret of wanted) {
    const planted = new Told()
    planted.add('here', `"message":"it was ${secret}."`)
    expect(planted.find(wanted)).toEqual(['here'])
  }
  const [secret = ''] = wanted
  await left.sql('begin')
  await left.sql(`update assistant_links set last_error = jsonb_build_object('message', $1::text)`, [`not ${secret}`])
  await left.sql('insert into game_proofs (digest, at) values ($1, now())', [Buffer.from(`\0${secret}`)])
  await left.sql('insert into graphile_worker._private_known_crontabs (identifier, known_since) values ($1, now())', [
    ...[secret],
  ])
  expect((await tablesWith(left, wanted)).toSorted()).toEqual([
    ...['graphile_worker._private_known_crontabs', 'public.assistant_links', 'public.game_proofs'],
  ])
  await left.sql('rollback')
})
