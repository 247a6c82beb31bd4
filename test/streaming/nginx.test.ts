import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpClient, type HttpClient } from '../../src/infra/clients/http.ts'
import { createMediaServersClient } from '../../src/infra/clients/media-servers/media-servers.ts'
import type { HookQuestion, Verdict } from '../../src/infra/clients/media-servers/types.ts'
import { type Encoder, startEncoder, watchByRtmp } from './encoder.ts'
import { type HookService, startHookService } from './hook-service.ts'
import { type RealNginx, startNginx } from './nginx.ts'
import { streamingProvisionMs } from './provide.ts'

/** The adapter for nginx against the real server, with the published configuration. */

const secret = 'a secret of the test'
const server: string = randomUUID()
const [alice, bob, carol, dave]: string[] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
if (alice === undefined || bob === undefined || carol === undefined || dave === undefined)
  throw new Error('four are made')
const owners: Readonly<Record<string, string>> = {
  'sk-alice': alice,
  'sk-bob': bob,
  'sk-carol': carol,
  'sk-dave': dave,
}
/** The fields that an encoder sends have the same form as those of the server. */
const pretending = `sk-wrong?app=&flashver=ngx-local-relay&call=play&name=${alice}&clientid=1`
/** The users whose streams require a token. */
const hidden = new Set([bob])
const isRate = (kbps: unknown) => kbps === null || typeof kbps === 'number'

function judge(question: HookQuestion): Verdict {
  const refused = { allowed: false, reason: 'No.' } as const
  if (question.action === 'publish') {
    const userGuid = owners[question.key]
    return userGuid === undefined ? refused : { allowed: true, userGuid, lifetimeMs: 0 }
  }
  if (question.action !== 'read' || question.userGuid === null) return refused
  const isAllowed = !hidden.has(question.userGuid) || question.view === 'token'
  return isAllowed ? { allowed: true, userGuid: question.userGuid, lifetimeMs: 0 } : refused
}

let service: HookService
let nginx: RealNginx
let http: HttpClient
const encoders: Encoder[] = []
const publish = async (key: string) => {
  const encoder = await startEncoder(`${nginx.rtmpUrl}/${key}`)
  encoders.push(encoder)
  return encoder
}

/** Slow steps are started together, and the tests check them one after the other. */
let streams: { readonly alice: Encoder; readonly bob: Encoder; readonly stranger: Encoder }

beforeAll(async () => {
  service = await startHookService({ kind: 'nginx-rtmp', server, secret, judge })
  nginx = await startNginx({ baseUrl: service.baseUrl, server, secret: encodeURIComponent(secret) })
  http = createHttpClient({ userAgent: 'test', timeoutMs: 4_000, maxBodyBytes: 4 * 1024 * 1024, connections: 4 })
  const [first, second, stranger] = await Promise.all(['sk-alice', 'sk-bob', pretending].map(publish))
  if (first === undefined || second === undefined || stranger === undefined) throw new Error('three were started')
  streams = { alice: first, bob: second, stranger }
}, streamingProvisionMs)

afterAll(async () => {
  await Promise.all(encoders.map((encoder) => encoder.kill()))
  await nginx.stop()
  await http.close()
  await service.close()
})

const client = () => createMediaServersClient(http)
const control = () => ({ url: nginx.controlUrl, user: null, password: null, vhost: null, app: null })
const list = () => client().list('nginx-rtmp', control())
const live = async () => (await list()).map(({ userGuid }) => userGuid)
const cut = (userGuid: string, clientId: string | null) =>
  client().cut('nginx-rtmp', control(), { userGuid, clientId, path: `live/${userGuid}`, protocol: 'rtmp' })

test('a stream is live under its user’s GUID, and nowhere under its key', async () => {
  await expect.poll(live, { interval: 50 }).toEqual(expect.arrayContaining([alice, bob]))
  const published = service.of('publish').find(({ key }) => key === 'sk-alice')
  expect(published).toEqual({
    action: 'publish',
    key: 'sk-alice',
    claimed: null,
    protocol: 'rtmp',
    address: '127.0.0.1',
    clientId: expect.stringMatching(/^\d+$/),
  })
  await expect
    .poll(async () => (await list()).find(({ userGuid }) => userGuid === alice), { interval: 100 })
    .toEqual({
      userGuid: alice,
      path: `live/${alice}`,
      clientId: published?.clientId,
      protocol: 'rtmp',
      width: 320,
      height: 180,
      fps: 10,
      // It measures them over ten seconds.
      videoKbps: expect.toSatisfy(isRate),
      audioKbps: expect.toSatisfy(isRate),
      readers: 0,
    })
  const stat = await http.request({ method: 'GET', url: `${nginx.controlUrl}/stat` })
  expect(stat.text).toContain(alice)
  expect(stat.text).not.toContain('sk-')
})

test('a stream that is refused ends, and is nowhere', async () => {
  const { code } = await streams.stranger.ended
  expect(code).not.toBe(0)
  expect(await live()).toHaveLength(2)
  // The application for HLS accepts no connections from outside.
  const inner = await startEncoder(`${nginx.rtmpUrl.replace(/live$/, 'hls')}/${alice}`)
  encoders.push(inner)
  expect((await inner.ended).code).not.toBe(0)
  expect(service.of('publish').map(({ key }) => key)).toContain('sk-wrong')
  // A stream that was never published has no end either.
  expect(service.of('done')).toEqual([])
})

test('its HLS is found by the GUID, not by the key, and only by whom it may be watched', async () => {
  const playlist = async (name: string) => {
    const answer = await http.request({ method: 'GET', url: `${nginx.hlsUrl}/live/${name}` })
    return { status: answer.status, text: answer.text }
  }
  const segments = async (name: string) => {
    const { status, text } = await playlist(name)
    return status === 200 ? (text.match(/^[^#\s].*$/gm) ?? []) : []
  }
  await expect.poll(() => segments(`${alice}.m3u8`), { interval: 100 }).not.toEqual([])
  const [segment = ''] = await segments(`${alice}.m3u8`)
  expect(segment).toMatch(new RegExp(`^${alice}-\\d+\\.ts$`))
  expect((await playlist(segment)).status).toBe(200)
  expect((await playlist('sk-alice.m3u8')).status).toBe(404)
  expect((await nginx.files()).filter((name) => name.includes('sk-'))).toEqual([])

  await expect.poll(() => segments(`${bob}.m3u8?view=token`), { interval: 100 }).not.toEqual([])
  expect((await playlist(`${bob}.m3u8`)).status).toBe(403)
  expect((await playlist(`${bob}.m3u8?view=wrong`)).status).toBe(403)
  expect(service.of('read')).toContainEqual({ action: 'read', userGuid: bob, view: 'token' })
})

test('whoever watches by RTMP is asked about, with the token', async () => {
  const watching = [alice, `${bob}?view=token`, bob].map((path) => watchByRtmp(`${nginx.rtmpUrl}/${path}`))
  await expect.poll(async () => (await list()).map(({ readers }) => readers), { interval: 20 }).toEqual([1, 1])
  const codes = (await Promise.all(watching)).map(({ code }) => code)
  expect(codes).toEqual([0, 0, expect.toSatisfy((code) => code !== 0)])
  expect(service.of('read')).toContainEqual({ action: 'read', userGuid: bob, view: null })
})

test('a cut ends one connection, the one that is meant, and its end names the key it came by', async () => {
  const clientId = (await list()).find(({ userGuid }) => userGuid === alice)?.clientId ?? null
  expect(await cut(alice, '999999')).toBe(false)
  expect(await cut(alice, clientId)).toBe(true)
  expect((await streams.alice.ended).code).not.toBe(0)
  await expect
    .poll(() => service.of('done'), { interval: 20 })
    .toEqual([{ action: 'done', key: 'sk-alice', userGuid: null, clientId }])
  expect(await live()).toEqual([bob])
  expect(await cut(alice, clientId)).toBe(false)
  expect(await cut(bob, null)).toBe(true)
  await expect.poll(live, { interval: 20 }).toEqual([])
})

test('a second publisher is refused by the server itself, and an end is told, whether with a goodbye or without', async () => {
  const first = await publish('sk-carol')
  const lost = await publish('sk-dave')
  await expect.poll(live, { interval: 50 }).toEqual(expect.arrayContaining([carol, dave]))
  const second = await publish('sk-carol')
  expect((await second.ended).code).not.toBe(0)
  expect(first.isRunning).toBe(true)
  await lost.kill()
  const { code } = await first.stop()
  expect(code).toBe(0)
  // The refused one had permission, so it has an end of its own too.
  const came = service.of('publish').flatMap(({ key, clientId }) => (/carol|dave/.test(key) ? [{ key, clientId }] : []))
  expect(came).toHaveLength(3)
  const ends = () => service.of('done').map(({ key, clientId }) => ({ key, clientId }))
  await expect.poll(ends, { interval: 20 }).toEqual(expect.arrayContaining(came))
  await expect.poll(live, { interval: 20 }).toEqual([])
})

test('while nobody answers, nobody is let in, and what is live goes on', async () => {
  const running = await publish('sk-carol')
  await expect.poll(live, { interval: 20 }).toEqual([carol])
  await service.close()
  const late = await publish('sk-dave')
  expect((await late.ended).code).not.toBe(0)
  expect([running.isRunning, await live()]).toEqual([true, [carol]])
})

test('it writes neither keys nor the secret into its log', async () => {
  const log = await nginx.log()
  for (const word of ['sk-', secret, encodeURIComponent(secret)]) expect(log).not.toContain(word)
})
