import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeStreamKey } from '../../../../test/streaming.ts'

/** Concurrent calls on two instances of the service. */

let api: Harness
let sibling: Harness
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const mine = '/users/@me/streamKeys'
const times = <T>(count: number, work: (process: Harness) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index % 2 === 0 ? api : sibling)))
const keysOf = async (user: Caller) =>
  api.sql<{ guid: string; ends: boolean }>(
    'select guid, expires_at is not null as ends from stream_keys where user_guid = $1',
    [user.guid],
  )

test('twenty keys at once make five', async () => {
  const user = await api.user()
  const replies = await times(20, (process) => process.post(mine, user, { label: 'Living room' }))
  expect(replies.map(outcome).sort()).toEqual([
    ...Array.from({ length: 5 }, () => [201, null]),
    ...Array.from({ length: 15 }, () => [409, 'stream_key.limit_reached']),
  ])
  expect(await keysOf(user)).toHaveLength(5)
  const logged = await api.sql(
    `select from event_log where type = 'stream_key.created' and after->>'user' = $1::text`,
    [user.guid],
  )
  expect(logged).toHaveLength(5)
})

test('a key is rotated once, however many rotate it', async () => {
  for (const [graceSeconds, others] of [
    [0, [404, 'stream_key.unknown']],
    [600, [409, 'stream_key.in_grace']],
  ] as const) {
    const user = await api.user()
    const { guid } = await makeStreamKey(api, user)
    const replies = await times(8, (process) => process.post(`${mine}/${guid}/rotate`, user, { graceSeconds }))
    expect(replies.map(outcome).sort()).toEqual([[200, null], ...Array.from({ length: 7 }, () => others)])
    expect((await keysOf(user)).filter(({ ends }) => !ends)).toHaveLength(1)
  }
})

test('a key is rotated or revoked, or one after the other, and never lives on', async () => {
  const rounds = Array.from({ length: 10 }, async (_, round) => {
    const user = await api.user()
    const { guid } = await makeStreamKey(api, user)
    const [rotated, revoked] = await Promise.all([
      api.post(`${mine}/${guid}/rotate`, user, { graceSeconds: round % 2 === 0 ? 0 : 600 }),
      sibling.delete(`${mine}/${guid}`, user),
    ])
    const keys = await keysOf(user)
    expect(keys.map((key) => key.guid)).not.toContain(guid)
    expect(keys).toHaveLength(rotated.status === 200 ? 1 : 0)
    const won = [rotated.status, revoked.status].join()
    expect(round % 2 === 0 ? ['200,404', '404,204'] : ['200,204', '404,204']).toContain(won)
    const ended = await api.sql(`select from event_log where type = 'stream_key.revoked' and subject = $1`, [guid])
    expect(ended).toHaveLength(1)
  })
  await Promise.all(rounds)
})

test('whoever gives up their account keeps no key that is made meanwhile', async () => {
  const rounds = Array.from({ length: 8 }, async (_, round) => {
    const user = await api.user()
    const { guid } = await makeStreamKey(api, user)
    const [left, made] = await Promise.all([
      api.delete('/users/@me', user),
      round % 2 === 0
        ? sibling.post(mine, user, { label: 'Studio' })
        : sibling.post(`${mine}/${guid}/rotate`, user, { graceSeconds: 60 }),
    ])
    expect([left.status, [200, 201, 401, 404].includes(made.status)]).toEqual([204, true])
    expect(await keysOf(user)).toEqual([])
  })
  await Promise.all(rounds)
})
