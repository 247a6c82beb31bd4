import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeMediaServer } from '../../../../test/fakes/media-servers/media-server.ts'
import { startFakeMediaMtx } from '../../../../test/fakes/media-servers/mediamtx.ts'
import { startFakeOvenMediaEngine } from '../../../../test/fakes/media-servers/ovenmediaengine.ts'
import { startFakeSrs } from '../../../../test/fakes/media-servers/srs.ts'
import { type HookService, startHookService } from '../../../../test/streaming/hook-service.ts'
import { createHttpClient, type HttpClient, Unreachable } from '../http.ts'
import { mediaServerKinds } from './kinds.ts'
import { createMediaServersClient, type MediaServersClient } from './media-servers.ts'
import type { HookQuestion, ServedStream, Verdict } from './types.ts'

/** The client and the formats of hooks against the fakes, which behave like the public sources of the real servers. */

const key = 'sk-of-alice'
const [alice, bob]: readonly string[] = [randomUUID(), randomUUID()]
if (alice === undefined || bob === undefined) throw new Error('two are made')
const secret = 'what the server proves itself with'
const server: string = randomUUID()

function judge(question: HookQuestion): Verdict {
  const isPublishing = question.action === 'publish' && question.key === key
  const isWatching = question.action === 'read' && question.userGuid === alice && question.view !== 'wrong'
  const allowed = isPublishing || isWatching
  return allowed ? { allowed, userGuid: alice as string, lifetimeMs: 0 } : { allowed: false, reason: 'No.' }
}

let http: HttpClient
let client: MediaServersClient
beforeAll(() => {
  http = createHttpClient({ userAgent: 'test', timeoutMs: 1_000, maxBodyBytes: 100_000, connections: 4 })
  client = createMediaServersClient(http)
})
afterAll(() => http.close())

const none: ServedStream = {
  userGuid: alice,
  path: `live/${alice}`,
  clientId: null,
  protocol: 'rtmp',
  width: 1280,
  height: 720,
  fps: null,
  videoKbps: null,
  audioKbps: null,
  readers: null,
}

describe.each<[string, () => Promise<FakeMediaServer>, Partial<ServedStream>]>([
  ['mediamtx', () => startFakeMediaMtx(), { readers: 1 }],
  ['ovenmediaengine', startFakeOvenMediaEngine, { fps: 30, videoKbps: 2_500, audioKbps: 128, readers: 3 }],
  ['srs', startFakeSrs, { videoKbps: 2_628, readers: 2 }],
])('%s', (_name, start, told) => {
  let fake: FakeMediaServer
  let service: HookService
  beforeAll(async () => {
    fake = await start()
    service = await startHookService({ kind: fake.kind, server, secret, judge })
    fake.asks({ baseUrl: service.baseUrl, server, secret })
  })
  afterAll(async () => {
    await fake.close()
    await service.close()
  })
  const { list, cut } = {
    list: () => client.list(fake.kind, fake.control),
    cut: (userGuid: string, clientId: string | null) =>
      client.cut(fake.kind, fake.control, { userGuid, clientId, path: `live/${userGuid}`, protocol: 'rtmp' }),
  }
  const reasonOf = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => (error instanceof Unreachable ? error.reason : error),
    )

  test('lets in whom we let in, shows it under the public path, and is told of whom we refuse', async () => {
    const stream = await fake.publish({ key, userGuid: alice as string })
    expect(stream).toMatchObject({ allowed: true, path: `live/${alice}`, isLive: true })
    expect(await fake.publish({ key: 'sk-wrong', userGuid: bob as string })).toMatchObject({
      allowed: false,
      path: null,
    })
    expect(fake.live()).toEqual([`live/${alice}`])
    const [listed, ...others] = await list()
    expect(others).toEqual([])
    const clientId = fake.kind === 'ovenmediaengine' ? null : stream.clientId
    expect(listed).toEqual({ ...none, ...told, clientId })
    expect(service.of('publish').map((question) => question.clientId)).toContain(stream.clientId)
    const watching = ['right', undefined, 'wrong'].map((view) => fake.read(`live/${alice}`, view))
    expect(await Promise.all(watching)).toEqual([true, true, false])
    expect(await fake.read(`live/${bob}`)).toBe(false)
    await stream.end()
    expect([stream.isLive, await list()]).toEqual([false, []])
  })

  test('tells of an end by what the connection is known by, where it tells at all', async () => {
    const before = service.of('done').length
    const stream = await fake.publish({ key, userGuid: alice as string })
    await stream.end()
    const ends = service.of('done').slice(before)
    const end = { action: 'done', key, userGuid: alice, clientId: stream.clientId }
    expect(ends).toEqual(fake.kind === 'mediamtx' ? [] : [end])
    fake.losesReports = true
    await (await fake.publish({ key, userGuid: alice as string })).end()
    fake.losesReports = false
    expect(service.of('done')).toHaveLength(before + ends.length)
  })

  test('cuts a connection by its name, or without it by the user’s, and what is gone is not found', async () => {
    const first = await fake.publish({ key, userGuid: alice as string })
    expect(await cut(alice as string, fake.kind === 'ovenmediaengine' ? null : first.clientId)).toBe(true)
    expect(first.isLive).toBe(false)
    expect(await cut(alice as string, first.clientId)).toBe(false)
    const second = await fake.publish({ key, userGuid: alice as string })
    expect(await cut(alice as string, null)).toBe(true)
    expect(second.isLive).toBe(false)
    expect(await cut(bob as string, null)).toBe(false)
  })

  test('a second publisher takes the place of the first, or is refused by the server, as its kind says', async () => {
    const first = await fake.publish({ key, userGuid: alice as string })
    const second = await fake.publish({ key, userGuid: alice as string })
    const { takesNewer } = mediaServerKinds[fake.kind]
    expect([first.isLive, second.isLive]).toEqual([!takesNewer, takesNewer])
    await first.end()
    await second.end()
  })

  test('gives no usable answer while it is slow, down, without our credentials, or says something else', async () => {
    const back = fake.down()
    expect(await reasonOf(list())).toBe('reset')
    back()
    const quick = fake.slow(1_500)
    expect(await Promise.all([reasonOf(list()), reasonOf(cut(bob as string, null))])).toEqual(['timeout', 'timeout'])
    quick()
    for (const body of ['{}', '[]', 'null', '<rtmp/>', '{"code":0,"streams":[{}],"items":[{}],"response":[{}]}']) {
      const properly = fake.misbehave(/^GET/, { status: 200, body })
      expect(await reasonOf(list())).toBe('invalid_answer')
      properly()
    }
    const stranger = { ...fake.control, user: null, password: null }
    const error = await client.list(fake.kind, stranger).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ reason: 'failing', status: 401 })
    expect(String(error)).not.toContain('/')
    expect(await list()).toEqual([])
  })

  test('whoever does not know the secret asks in vain', async () => {
    const { unread } = service
    fake.asks({ baseUrl: service.baseUrl, server, secret: 'another' })
    expect(await fake.publish({ key, userGuid: alice as string })).toMatchObject({ allowed: false })
    fake.asks({ baseUrl: service.baseUrl, server, secret })
    expect(service.unread).toBeGreaterThan(unread)
  })
})

test('connections of MediaMTX are kicked from the list of their protocol, of which the hook does not tell all', async () => {
  await using fake = await startFakeMediaMtx()
  await using service = await startHookService({ kind: 'mediamtx', server, secret, judge })
  fake.asks({ baseUrl: service.baseUrl, server, secret })
  for (const [protocol, told] of [
    ['rtmp', 'rtmp'],
    ['rtmps', 'rtmp'],
    ['srt', 'srt'],
    ['whip', 'whip'],
    ['rtsp', 'rtsp'],
  ] as const) {
    const stream = await fake.publish({ key, userGuid: alice as string, protocol })
    expect(service.of('publish').at(-1)?.protocol).toBe(told)
    expect(await client.list('mediamtx', fake.control)).toMatchObject([{ protocol, clientId: stream.clientId }])
    const { clientId } = stream
    const cut = { userGuid: alice as string, path: `live/${alice}`, clientId, protocol: told }
    expect(await client.cut('mediamtx', fake.control, cut)).toBe(true)
    expect(stream.isLive).toBe(false)
  }
  // For WebRTC and RTSP it asked without credentials first.
  expect(service.of('bare')).toHaveLength(2)
})

test('OvenMediaEngine ends a stream after the time that it was given', async () => {
  const soon = (question: HookQuestion): Verdict =>
    question.action === 'publish' ? { allowed: true, userGuid: alice as string, lifetimeMs: 20 } : judge(question)
  await using fake = await startFakeOvenMediaEngine()
  await using service = await startHookService({ kind: 'ovenmediaengine', server, secret, judge: soon })
  fake.asks({ baseUrl: service.baseUrl, server, secret })
  const stream = await fake.publish({ key, userGuid: alice as string })
  await expect.poll(() => stream.isLive, { interval: 5 }).toBe(false)
  await expect.poll(() => service.of('done').length, { interval: 5 }).toBe(1)
})
