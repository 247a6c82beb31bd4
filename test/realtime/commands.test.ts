import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import type { Operation } from '../../src/core/operation.ts'
import { exampleGuid } from '../../src/core/schema.ts'
import { exampleOf } from '../../src/infra/http/examples.ts'
import { keysOf } from '../assistant.ts'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { startFakeAssistant } from '../fakes/assistant/assistant.ts'
import type { FakeAssistant } from '../fakes/assistant/types.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { roleHolder } from '../make.ts'
import { makeStage, type Request } from '../tournament-commands.ts'
import { addressOf, makeWorld, type World } from '../world.ts'
import type { Packet } from './copies.ts'
import { openSocket, type Socket } from './sockets.ts'

/** Commands over a socket have the same results as over HTTP. (RT17, RT23, RT25) */

let services: readonly [Harness, Harness, Harness]
let api: Harness
let fake: FakeAssistant
beforeAll(async () => {
  api = await startHarness({ webhookAllowPrivate: true })
  fake = await startFakeAssistant({ keys: keysOf(api) })
  services = [api, await api.sibling(), await api.sibling()]
})
afterAll(async () => {
  for (const service of services.toReversed()) await service[Symbol.asyncDispose]()
  await fake.close()
})

const marked = operations.filter((operation) => operation.kind === 'command' && operation.socket === true)

/** The result of a call, over a socket or HTTP. */
interface Outcome {
  readonly status: number
  readonly code?: string
  readonly message?: string
  readonly data?: unknown
  readonly body?: unknown
}

async function overHttp(operation: Operation, address: string, as: Caller | null, body: unknown): Promise<Outcome> {
  const headers = { accept: 'application/json' }
  const reply = await api.call(operation.method, address, { as, headers, ...(body === undefined ? {} : { body }) })
  if (reply.status < 400) return { status: reply.status, body: reply.text === '' ? null : reply.body }
  const { error, message = error, ...data } = reply.body
  const code = reply.headers.get('problem-code') ?? ''
  return { status: reply.status, code, message, data }
}

async function overSocket(socket: Socket, name: string, params: object, body: unknown): Promise<Outcome> {
  const answer = await socket.ask({ type: 'command', name, params, ...(body === undefined ? {} : { body }) })
  const { status, code, message, data = {} } = answer
  return answer.type === 'result' ? { status, body: answer.body } : { status, code, message, data }
}

/** The path parameters of the operation in an address. */
function paramsIn({ path }: Operation, address: string): Record<string, string> {
  const parts = address.split('?')[0]?.split('/') ?? []
  return Object.fromEntries(
    path.split('/').flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), parts[index] as string]] : [])),
  )
}

/** The body with a new GUID for the caller's record each time. */
function fresh(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body).replaceAll(exampleGuid, randomUUID()))
}

/** A value that is equal for two similar worlds: GUIDs are replaced by their order, and times are removed. */
function substance(value: unknown): unknown {
  const seen = new Map<string, number>()
  const text = JSON.stringify(value ?? null)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (guid) => {
      if (!seen.has(guid)) seen.set(guid, seen.size)
      return `guid ${seen.get(guid)}`
    })
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replace(/\b(player|(?:cup|team)-\d+-|avatars\/)\d+/g, '$1 of some number')
    .replace(/"(chatPlatformId|rankingIdB)":"\d+"/g, '"$1":0')
    .replace(/"(hash|key|commitment|seed)":"[0-9a-f]+"/g, '"$1":"some"')
    .replace(/\bSong \d+/g, 'Song')
    // The order of maps that were created together.
    .replace(/("hash":"|"Map )\d+/g, '$1')
  return JSON.parse(text)
}

test('there is one record for each name, and none that changes rights', () => {
  expect(marked.length).toBeGreaterThan(15)
  for (const { name, scope } of marked)
    expect([name, scope]).toEqual([name, expect.stringMatching(/^rest:|^assistant$/)])
})

test('whoever is refused over HTTP is refused alike, and whoever is let through is let through', async () => {
  let world: World = await makeWorld(api, { registered: true })
  const kinds = ['anonymous', 'stranger', 'captain', 'referee', 'owner'] as const
  const stranger = await api.user()
  const callerOf = (kind: (typeof kinds)[number]) =>
    kind === 'anonymous' ? null : kind === 'stranger' ? stranger : world[kind]
  const sockets = new Map<string, Socket>()
  const seen = new Map<number, number>()
  const ask = async (kind: (typeof kinds)[number], operation: Operation, body: unknown) => {
    const as = callerOf(kind)
    const params = paramsIn(operation, addressOf(operation, world))
    // An anonymous socket without subscriptions is closed after half a minute, whatever it has sent.
    if (as === null) {
      await using own = await openSocket(services[1])
      return await overSocket(own, operation.name, params, body)
    }
    const socket = sockets.get(as.guid) ?? (await openSocket(services[1], { as }))
    sockets.set(as.guid, socket)
    return overSocket(socket, operation.name, params, body)
  }
  for (const operation of marked) {
    const example = 'body' in operation && operation.body !== undefined ? exampleOf(operation.body as never) : undefined
    for (const kind of kinds) {
      for (const body of kind === 'owner' ? [undefined, example, { nonsense: [1] }] : [example]) {
        const what = `${operation.name} as ${kind} with ${JSON.stringify(body)}`
        const http = await overHttp(operation, addressOf(operation, world), callerOf(kind), fresh(body))
        if (http.status < 400) world = await makeWorld(api, { registered: true })
        const socket = await ask(kind, operation, fresh(body))
        if (http.status < 400) {
          world = await makeWorld(api, { registered: true })
          expect([socket.status, substance(socket.body)], what).toEqual([http.status, substance(http.body)])
        } else expect(socket, what).toEqual(http)
        seen.set(http.status, (seen.get(http.status) ?? 0) + 1)
      }
    }
  }
  for (const socket of sockets.values()) await socket.close()
  // Each kind of result occurred.
  for (const status of [200, 400, 401, 403, 404, 409]) expect([status, seen.get(status) ?? 0]).not.toEqual([status, 0])
})

const membersOf = (body: unknown) => Object.keys(body ?? {}).toSorted()

test('what is carried out answers the same, in worlds of one form', async () => {
  const [byHttp, bySocket] = [await makeStage(api, fake), await makeStage(api, fake)]
  const sockets = new Map<string, Socket>()
  const tried: string[] = []
  const operationOf = ({ name }: Request) => marked.find((operation) => operation.name === name)
  for (const [index, request] of byHttp.requests.entries()) {
    const twin = bySocket.requests[index] as Request
    const operation = operationOf(request)
    if (operation === undefined) {
      for (const stage of [byHttp, bySocket]) {
        const { status, text } = await stage.send(stage.requests[index] as Request)
        expect(status, `${request.name}: ${text}`).toBeLessThan(300)
      }
      continue
    }
    const expected = await overHttp(operation, request.path, request.caller, request.body)
    const { guid } = twin.caller
    const socket = sockets.get(guid) ?? (await openSocket(api, { as: twin.caller }))
    sockets.set(guid, socket)
    const actual = await overSocket(socket, twin.name, paramsIn(operation, twin.path), twin.body)
    expect(expected.status, `${request.name}: ${expected.message}`).toBeLessThan(300)
    // A session at the assistant continues by itself, so its progress differs from moment to moment.
    const compared = request.name.startsWith('assistant.') ? membersOf : substance
    expect([actual.status, compared(actual.body)], request.name).toEqual([expected.status, compared(expected.body)])
    tried.push(request.name)
  }
  for (const socket of sockets.values()) await socket.close()
  const inTournaments = marked.filter(({ path }) => path.startsWith('/tournaments/:tournament'))
  expect(tried.toSorted()).toEqual(inTournaments.map(({ name }) => name).toSorted())
})

describe('in a bracket', () => {
  let made: MadeBracket
  let referee: Caller
  beforeAll(async () => {
    made = await makeBracket(api, { teams: 16, format: 'round_robin' })
    referee = await roleHolder(api, made.cup, 'role:referee')
  })
  let lastMatch = 0
  const params = () => ({ tournament: made.cup.guid, match: String(++lastMatch) })
  interface Listed {
    readonly matches: readonly { readonly guid: string; readonly revision: number }[]
  }
  const startsOf = () =>
    api.sql(`select from event_log where type = 'match.started' and tournament = $1`, [made.cup.guid])

  test('one key from fifty senders on three processes has one effect, and fifty equal results', async () => {
    const before = (await startsOf()).length
    const named = params()
    const sockets = await Promise.all(
      Array.from({ length: 9 }, (_, index) => openSocket(services[index % 3] as Harness, { as: referee })),
    )
    const key = randomUUID()
    const command = { type: 'command', name: 'matches.start', params: named, key }
    const results: Packet[] = await Promise.all([
      ...Array.from({ length: 45 }, (_, index) => (sockets[index % 9] as Socket).ask(command)),
      ...Array.from({ length: 5 }, (_, index) =>
        (services[index % 3] as Harness)
          .call('POST', `/tournaments/${named.tournament}/matches/${named.match}/start`, {
            as: referee,
            headers: { 'idempotency-key': key },
          })
          .then(({ status, body, headers }) => {
            const replayed = headers.get('idempotent-replayed') === 'true'
            return { type: 'result', status, body, replayed, revision: body.revision }
          }),
      ),
    ])
    expect(new Set(results.map(({ status, body, revision }) => JSON.stringify([status, body, revision]))).size).toBe(1)
    expect([results[0].status, results.filter(({ replayed }) => !replayed).length]).toEqual([200, 1])
    expect((await startsOf()).length).toBe(before + 1)
    const other = await (sockets[0] as Socket).ask({ ...command, params: params() })
    expect(other).toMatchObject({ type: 'error', status: 409, code: 'command.key_reused' })
    for (const socket of sockets) await socket.close()
  })

  test('the result comes behind the packets of what it changed, whatever the pace of the topic', async () => {
    await using socket = await openSocket(services[1], { as: made.organiser })
    const list = `/tournaments/${made.cup.guid}/matches`
    await socket.ask({ type: 'subscribe', topic: list, facts: true })
    for (let turn = 0; turn < 6; turn++) {
      const named = params()
      const result = await socket.ask({ type: 'command', name: 'matches.start', params: named })
      expect(result).toMatchObject({ type: 'result', status: 200 })
      expect(result).not.toHaveProperty('behind')
      const held = socket.copies.of(`${list}?facts=1`).body as unknown as Listed
      expect(held.matches.find(({ guid }) => guid === result.body.guid)?.revision).toBe(result.revision)
      expect(socket.copies.of(`${list}?facts=1`).facts.at(-1)).toMatchObject({ subject: { guid: result.body.guid } })
      expect(result.revision).toBe(result.body.revision)
    }
  })

  test('commands of a connection run one after another, beside the rest', async () => {
    await using socket = await openSocket(api, { as: referee })
    const first = params()
    const order: string[] = []
    const start = { type: 'command', name: 'matches.start' }
    const result = { outcome: 'score', scores: [2, 0] }
    await Promise.all([
      socket.ask({ ...start, params: first }).then(({ status }) => order.push(`start ${status}`)),
      socket
        .ask({ type: 'command', name: 'matches.reportResult', params: first, body: result })
        .then(({ status }) => order.push(`result ${status}`)),
      socket.ask({ ...start, params: first }).then(({ status }) => order.push(`late ${status}`)),
      socket.ask({ type: 'ping' }).then(() => order.push('ping')),
    ])
    expect(order).toEqual(['ping', 'start 200', 'result 200', 'late 409'])
  })

  test('more than 32 that wait are refused, each by itself', async () => {
    await using socket = await openSocket(api, { as: referee })
    const name = 'matches.start'
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => socket.ask({ type: 'command', name, params: { ...params(), match: '1' } })),
    )
    const codes = answers.map(({ type, code }) => (type === 'result' ? 'done' : code))
    expect(codes.filter((code) => code === 'commands.limit').length).toBe(8)
    expect(codes.slice(0, 32)).not.toContain('commands.limit')
    expect(answers.find(({ code }) => code === 'commands.limit')).toMatchObject({ status: 429 })
    expect(await socket.ask({ type: 'command', name, params: params() })).not.toMatchObject({ code: 'commands.limit' })
  })

  test('what is no command is refused, whoever asks', async () => {
    await using socket = await openSocket(api, { as: made.organiser })
    const ask = async (packet: object) => {
      const { type, status, code } = await socket.ask({ type: 'command', ...packet })
      return [type, status, code]
    }
    for (const name of ['tournaments.delete', 'access.grant', 'matches.list', 'constructor', '__proto__', '']) {
      expect([name, ...(await ask({ name }))]).toEqual([name, 'error', 404, 'command.unknown'])
    }
    const start = { name: 'matches.start', params: params() }
    expect(await ask({ ...start, ifMatch: '"1"' })).toEqual(['error', 400, 'command.if_match'])
    expect(await ask({ ...start, key: 'x y' })).toEqual(['error', 400, expect.any(String)])
    expect(await ask({ ...start, params: {} })).toEqual(['error', 404, expect.any(String)])
    const reader = await openSocket(api, {
      as: { ...referee, token: await api.token(referee, ['ws:read', 'rest:write']) },
    })
    const refused = await reader.ask({ type: 'command', ...start })
    expect(refused).toMatchObject({
      type: 'error',
      status: 401,
      code: 'scope.missing',
      message: expect.stringContaining('ws:write'),
    })
    await reader.close()
    const writer = await openSocket(api, { as: { ...referee, token: await api.token(referee, ['ws:write']) } })
    expect(await writer.ask({ type: 'command', ...start })).toMatchObject({ type: 'result', status: 200 })
    await writer.close()
  })
})
