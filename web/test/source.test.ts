import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeServer } from '../../client/test/server.ts'
import { snapshot } from '../../client/test/setup.ts'
import { ServiceSource } from '../overlay/service-source.ts'
import type { Listener } from '../overlay/source.ts'

/** The requests of the page to the service, and how it handles the answers. (OV16, OV17) */

const token = `ovt_${'a'.repeat(43)}`
const found = { guid: 'o', name: 'Main', tournament: { guid: 't', id: 'cup' } }
const path = '/tournaments/t/overlays/o'

let server: FakeServer
let stop: () => void = () => {}
beforeEach(async () => {
  server = await FakeServer.start()
})
afterEach(async () => {
  stop()
  await server[Symbol.asyncDispose]()
})

function open(isDelayed = false) {
  const told: unknown[] = []
  const asked: [string, unknown][] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push([address, init.headers])
    return answers.shift() ?? Response.json(found)
  })
  const answers: Response[] = []
  const source = new ServiceSource({
    key: { kind: 'token', token },
    isDelayed,
    url: server.url,
    apiUrl: 'http://service/api',
  })
  const listener: Listener = {
    document: (document) => told.push(['document', document]),
    control: (control) => told.push(['control', control]),
    data: (data) => told.push(['data', data]),
    live: (values) => told.push(['live', values]),
    connected: () => {},
    ended: () => told.push('ended'),
  }
  return {
    told,
    asked,
    answers,
    begin() {
      stop = source.listen(listener)
    },
  }
}
afterEach(() => vi.unstubAllGlobals())

type Asked = { readonly topic: string; readonly delayed?: boolean; readonly id: number }

/** The next connection, authenticated by the token, with its four subscriptions. */
async function arrive() {
  const peer = await server.next()
  const known = await peer.take('authenticate')
  expect(known).toMatchObject({ viewToken: token })
  peer.send({ type: 'authenticated', id: known.id, user: null, scopes: [], expiresAt: null })
  const topics: Asked[] = []
  for (let count = 0; count < 4; count++) topics.push(await peer.take('subscribe'))
  const of = (name: string) => topics.find(({ topic }) => topic.startsWith(`${path}/${name}`)) as Asked
  return {
    peer,
    topics,
    answer: (name: string, body: object) => peer.send(snapshot(of(name).topic, '1', body, { id: of(name).id })),
    refuse: (name: string, status: number, code: string, asked = of(name)) =>
      peer.send({ type: 'error', id: asked.id, status, code, message: 'No.', requestId: 'r' }),
  }
}

test('it learns which overlay its token is for, and follows its four parts', async () => {
  const { told, asked, begin } = open()
  begin()
  const { peer, topics, answer } = await arrive()
  expect(asked.slice(0, 1)).toEqual([['http://service/api/overlays/@token', { authorization: `Bearer ${token}` }]])
  expect(topics.map(({ topic, delayed }) => [topic, delayed])).toEqual(
    ['published', 'control', 'data', 'live'].map((name) => [`${path}/${name}`, undefined]),
  )
  answer('published', { version: 1, document: { scenes: {} } })
  answer('control', { revision: 1 })
  answer('data', { sides: [] })
  await expect.poll(() => told).toHaveLength(3)
  expect(told).toEqual([
    ['document', { scenes: {} }],
    ['control', { revision: 1 }],
    ['data', { sides: [] }],
  ])
  peer.close(4103)
  await expect.poll(() => told.at(-1)).toBe('ended')
  // The token is checked at the start, and once more after the connection was accepted.
  expect([asked.length, server.handshakes]).toEqual([2, 1])
})

test('delayed is what can be, all else is told as it is', async () => {
  const { told, begin } = open(true)
  begin()
  const { peer, topics, answer, refuse } = await arrive()
  expect(topics.map(({ topic, delayed }) => [topic.slice(path.length + 1), delayed])).toEqual([
    ['published', undefined],
    ['control', true],
    ['data', true],
    ['live', true],
  ])
  refuse('control', 400, 'topic.not_delayed')
  const again = await peer.take('subscribe')
  expect([again.topic, again.delayed]).toEqual([`${path}/control`, undefined])
  answer('data', { sides: [] })
  await expect.poll(() => told).toContainEqual(['data', { sides: [] }])
  expect(told).not.toContain('ended')
})

test('what is not published yet is asked for again when something is shown, and scores that are kept from it end nothing', async () => {
  const { told, begin } = open()
  begin()
  const { peer, answer, refuse } = await arrive()
  refuse('live', 403, 'role.missing')
  refuse('published', 404, 'topic.unknown')
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  answer('control', { scene: 'scene0001' })
  const again = await peer.take('subscribe')
  expect(again.topic).toBe(`${path}/published`)
  peer.send(snapshot(again.topic, '1', { version: 1, document: { scenes: {} } }, { id: again.id }))
  await expect.poll(() => told).toContainEqual(['document', { scenes: {} }])
  expect(told).not.toContain('ended')
})

test.each([
  ['topic.unknown', 404],
  ['topic.forbidden', 403],
])('an overlay that is not to be seen any more (%s) is not', async (code, status) => {
  const { told, begin } = open()
  begin()
  const { refuse } = await arrive()
  refuse('data', status, code)
  await expect.poll(() => told.at(-1)).toBe('ended')
  expect(server.handshakes).toBe(1)
})

test('whoever comes back with a token that was revoked meanwhile sees nothing, even of a public overlay', async () => {
  const { told, answers, asked, begin } = open()
  begin()
  const { peer } = await arrive()
  await expect.poll(() => asked).toHaveLength(2)
  answers.push(new Response(null, { status: 404 }))
  peer.close(4001)
  const again = await server.next()
  const known = await again.take('authenticate')
  again.send({ type: 'error', id: known.id, status: 401, code: 'token.invalid', message: 'No.', requestId: 'r' })
  await vi.waitFor(() => expect(told.at(-1)).toBe('ended'), { timeout: 10_000 })
  expect(asked.length).toBe(3)
})

test('whoever comes with a token that is revoked before it is shown sees nothing, even of a public overlay', async () => {
  const { told, answers, asked, begin } = open()
  begin()
  const peer = await server.next()
  answers.push(new Response(null, { status: 404 }))
  const known = await peer.take('authenticate')
  peer.send({ type: 'error', id: known.id, status: 401, code: 'token.invalid', message: 'No.', requestId: 'r' })
  await vi.waitFor(() => expect(told.at(-1)).toBe('ended'), { timeout: 10_000 })
  expect(asked.length).toBe(2)
})

test('a token that is good for nothing shows nothing, and asks no more', async () => {
  const { told, asked, answers, begin } = open()
  answers.push(new Response(null, { status: 404 }))
  begin()
  await expect.poll(() => told).toEqual(['ended'])
  expect([asked.length, server.handshakes]).toEqual([1, 0])
})

test('a service that is not there yet is asked again', async () => {
  const { asked, answers, begin } = open()
  answers.push(new Response(null, { status: 503 }))
  begin()
  await server.next()
  expect(asked.length).toBe(2)
})
