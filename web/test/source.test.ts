import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeServer } from '../../client/test/server.ts'
import { snapshot } from '../../client/test/setup.ts'
import { ServiceSource } from '../overlay/service-source.ts'
import type { Listener } from '../overlay/source.ts'

/** What the page asks the service for, and what it makes of the answers. (OV16, OV17) */

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

test('it learns which overlay its token is for, and follows its four parts', async () => {
  const { told, asked, begin } = open(true)
  begin()
  const peer = await server.next()
  expect(asked).toEqual([['http://service/api/overlays/@token', { authorization: `Bearer ${token}` }]])
  const known = await peer.take('authenticate')
  expect(known).toMatchObject({ viewToken: token })
  peer.send({ type: 'authenticated', id: known.id, user: null, scopes: [], expiresAt: null })
  const topics: { readonly topic: string; readonly delayed?: boolean; readonly id: number }[] = []
  for (let count = 0; count < 4; count++) topics.push(await peer.take('subscribe'))
  expect(topics.map(({ topic, delayed }) => [topic.split('?')[0], delayed])).toEqual(
    ['published', 'control', 'data', 'live'].map((name) => [`${path}/${name}`, true]),
  )
  const answer = (name: string, body: object) => {
    const asked = topics.find(({ topic }) => topic.startsWith(`${path}/${name}`))
    peer.send(snapshot(asked?.topic ?? '', '1', body, { id: asked?.id }))
  }
  answer('published', { version: 1, document: { scenes: {} } })
  answer('control', { revision: 1 })
  answer('data', { sides: [] })
  await vi.waitFor(() => expect(told).toHaveLength(3))
  expect(told).toEqual([
    ['document', { scenes: {} }],
    ['control', { revision: 1 }],
    ['data', { sides: [] }],
  ])
  peer.close(4103)
  await vi.waitFor(() => expect(told.at(-1)).toBe('ended'))
})

test('a token that is good for nothing shows nothing, and asks no more', async () => {
  const { told, asked, answers, begin } = open()
  answers.push(new Response(null, { status: 404 }))
  begin()
  await vi.waitFor(() => expect(told).toEqual(['ended']))
  expect([asked.length, server.handshakes]).toEqual([1, 0])
})

test('a service that is not there yet is asked again', async () => {
  const { asked, answers, begin } = open()
  answers.push(new Response(null, { status: 503 }))
  begin()
  await server.next()
  expect(asked.length).toBe(2)
})
