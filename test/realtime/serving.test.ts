import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness, startOn } from '../harness.ts'
import { makeTournament } from '../make.ts'
import { openSocket } from './sockets.ts'

/** Processes that each serve a part. (RT33) */

let api: Harness
let gateway: Harness
beforeAll(async () => {
  api = await startHarness({ serve: new Set(['api']) })
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  gateway = await startOn({ databaseUrl, dataDir, publicUrl, serve: new Set(['gateway']) })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

test('a gateway holds sockets, and what an API process changes reaches them', async () => {
  expect(api.app.socketAddress).toBe(null)
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
  expect((await fetch(`${gateway.url}/api/tournaments`)).status).toBe(404)

  const organiser = await api.user()
  const path = `/tournaments/${(await makeTournament(api, organiser, { status: 'ongoing' })).guid}`
  await using socket = await openSocket(gateway, { as: organiser })
  await socket.ask({ type: 'subscribe', topic: path })
  expect((await api.patch(path, organiser, { summary: 'Changed elsewhere.' })).status).toBe(200)
  await socket.copies.until(
    (held) => (held.of(path).body as { summary: string }).summary === 'Changed elsewhere.',
    'the change',
  )
  expect(socket.copies.of(path).body).toEqual((await api.get(path, organiser)).body)

  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  expect(text).toContain('realtime_connections{door="socket"} 1')
  expect(text).toContain('realtime_subscriptions{pattern="/tournaments/:tournament"} 1')
  expect(text).not.toContain(path)
})
