import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, outcome, startHarness } from '../harness.ts'
import { type RedisServer, startRedis } from './redis.ts'

/** Processes with a common Redis count calls together. (RT33) */

let redis: RedisServer | null
let services: Harness[] = []
beforeAll(async () => {
  redis = await startRedis()
  if (redis === null) return
  const limits = { allowances: { read: { calls: 20, seconds: 3_600 } } }
  const api = await startHarness({ rateLimits: true, redisUrl: redis.url }, limits)
  services = [api, await api.sibling()]
})
afterAll(async () => {
  for (const api of services.toReversed()) await api[Symbol.asyncDispose]()
  await redis?.[Symbol.asyncDispose]()
})

test('calls on one process leave less on another', async () => {
  const [first, second] = services
  if (first === undefined || second === undefined) return
  const user = await first.user()
  const left = async (api: Harness) => Number((await api.get('/userRoles', user)).headers.get('x-ratelimit-remaining'))
  expect(await left(first)).toBe(19)
  // The count that the other process has received by then.
  await expect.poll(() => left(second), { interval: 100 }).toBeLessThan(18)
  for (let call = 0; call < 20; call++) await first.get('/userRoles', user)
  // Reading the limit counts too: few enough times that the calls of the other process exceed it.
  const told = async () => {
    await wait(300)
    return outcome(await second.get('/userRoles', user))
  }
  let answer = await told()
  for (let left = 4; left > 0 && answer[0] === 200; left--) answer = await told()
  expect(answer).toEqual([429, 'request.limited'])
  expect((await second.get('/userRoles', await second.user())).status).toBe(200)
})
