import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FakeChatWebhooks, type FakeWebhook, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import type { FakeAnswer, SeenRequest } from '../../../../test/fakes/server.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { type Env, type Service, startService } from '../../../../test/kernel/service.ts'
import {
  type Api,
  announce,
  type Channel,
  contents,
  delivery,
  edit,
  expectWhole,
  longText,
  makeChannel,
  remove,
  removed,
  setWebhook,
} from '../../../../test/updates.ts'

/** The service is killed during deliveries and started again. */

let chat: FakeChatWebhooks
let harness: Harness
let pool: pg.Pool
let env: Env
let channels: Channel[]
let url = ''
let service: Service | null = null

/** Sends a request to the current process. */
const ask = async (method: string, path: string, as: Caller | null | undefined, body?: unknown) => {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${as?.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text }
}
const api: Api = {
  get: (path, as) => ask('GET', path, as),
  post: (path, as, body) => ask('POST', path, as, body),
  patch: (path, as, body) => ask('PATCH', path, as, body),
  delete: (path, as, body) => ask('DELETE', path, as, body),
  sql: async <T extends object>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as T[],
}

beforeAll(async () => {
  chat = await startFakeChatWebhooks()
  harness = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = harness.app.config
  pool = new pg.Pool({ connectionString: databaseUrl as string })
  pool.on('error', () => {})
  env = {
    DATABASE_URL: databaseUrl as string,
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    DISCORD_API_URL: chat.apiUrl,
    LOG_LEVEL: 'warn',
  }
  channels = await Promise.all(Array.from({ length: 16 }, () => makeChannel(harness, chat)))
  // The separate process replaces the harness's own one, so that only it runs the jobs.
  await harness.app.close()
})
afterAll(async () => {
  await pool.end()
  await harness[Symbol.asyncDispose]()
  await chat.close()
})
afterEach(() => service?.[Symbol.asyncDispose]())

async function begin(): Promise<void> {
  service = await startService({ ...env, PORT: String(await freePort()) })
  url = service.url
}

async function kill(): Promise<void> {
  service?.signal('SIGKILL')
  expect((await service?.exit)?.signal).toBe('SIGKILL')
}

/** Call after a kill: unlocks the jobs of the dead process, which would otherwise take some seconds. */
async function letTimePass(): Promise<void> {
  await api.sql(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker._private_jobs
     where locked_by is not null having count(*) > 0`,
  )
  await api.sql('update chat_channels set held_until = now() where held_until is not null')
}

function takeChannel(webhook?: FakeWebhook): Channel {
  const channel = channels.pop()
  if (channel === undefined) throw new Error('make more channels')
  return webhook === undefined ? channel : { ...channel, webhook }
}

/**
 * The moment of the kill: the request with this number to a webhook is never answered. The promise resolves when the
 * request arrives.
 */
function stopAt(webhook: FakeWebhook, number: number, when: 'before' | 'after', method = 'POST'): Promise<void> {
  const come = Promise.withResolvers<void>()
  let count = 0
  const path = new RegExp(`^${method} ${new URL(webhook.url).pathname}`)
  chat.misbehave(path, async (_request: SeenRequest, proper: () => FakeAnswer) => {
    if (++count !== number) return proper()
    if (when === 'after') proper()
    come.resolve()
    return new Promise<never>(() => {})
  })
  return come.promise
}

test('killed while it waits for answers, it sends what is left, and what was never answered again', async () => {
  const unmade = takeChannel()
  const made = takeChannel()
  const known = takeChannel(chat.addWebhook({ knowsNonces: true }))
  const going = takeChannel()
  await setWebhook(api, known.tournament, known.webhook)
  await begin()
  const gone = await announce(api, going, { content: longText(3) })
  await delivery(api, going, gone)

  const stops = [
    stopAt(unmade.webhook, 2, 'before'),
    stopAt(made.webhook, 2, 'after'),
    stopAt(known.webhook, 2, 'after'),
    stopAt(going.webhook, 2, 'after', 'DELETE'),
  ]
  const guids = []
  for (const channel of [unmade, made, known]) guids.push(await announce(api, channel, { content: longText(3) }))
  await remove(api, going, gone)
  await Promise.all(stops)
  const stored = await api.sql<{ statuses: string[] }>(
    'select array_agg(status order by index) as statuses from chat_parts where delivery_guid = any($1) group by delivery_guid',
    [guids],
  )
  expect(stored.map(({ statuses }) => statuses)).toEqual(Array(3).fill(['delivered', 'sending', 'pending']))
  await kill()
  const killedAt = performance.now()
  await begin()
  // Waits for the automatic retry; nothing is sped up here.
  const [first, second, third] = [
    await settle(unmade, guids[0] as string),
    await settle(made, guids[1] as string),
    await settle(known, guids[2] as string),
  ]
  await removed(api, gone)
  expect(performance.now() - killedAt).toBeLessThan(30_000)

  const unconfirmed = [undefined, true, undefined]
  // The service cannot know that the request was never carried out.
  expect([unmade.webhook.made.length, first]).toEqual([3, unconfirmed])
  // This platform ignores the nonce: the part is in the chat twice, and the record says that it may be.
  expect([made.webhook.made.length, second]).toEqual([4, unconfirmed])
  const [one, two, three] = longText(3).split('\n\n')
  expect(contents(made.webhook)).toEqual([one, two, two, three])
  // This platform respects the nonce: the part is in the chat once, and the record says so.
  expect([known.webhook.made.length, third]).toEqual([3, [undefined, undefined, undefined]])
  await expectWhole(api, known, guids[2] as string, longText(3))
  expect(going.webhook.messages).toEqual([])
})

/** For each part of the delivered update: true if its result is uncertain. */
async function settle(channel: Channel, guid: string): Promise<(true | undefined)[]> {
  await expect
    .poll(
      async () =>
        (await api.sql<{ status: string }>('select status from chat_deliveries where guid = $1', [guid]))[0]?.status,
      { interval: 50 },
    )
    .toBe('delivered')
  const { parts } = await delivery(api, channel, guid)
  return parts.map(({ unconfirmed }: { unconfirmed?: true }) => unconfirmed)
}

test('killed while it changes messages, waits or has not begun, it does each thing once', async () => {
  const edited = takeChannel()
  const limited = takeChannel()
  const busy = [takeChannel(), takeChannel(), takeChannel()]
  const queued = takeChannel()
  await begin()
  const toEdit = await announce(api, edited, { content: longText(2) })
  await delivery(api, edited, toEdit)
  let asked = 0
  chat.misbehave(new RegExp(`^POST ${new URL(limited.webhook.url).pathname}`), async (_request, proper) =>
    ++asked === 2 ? { status: 429, body: { message: '', retry_after: 4, global: false } } : proper(),
  )
  const toWait = await announce(api, limited, { content: longText(3) })
  await expect
    .poll(() => api.sql('select from chat_deliveries where guid = $1 and next_attempt_at is not null', [toWait]))
    .toHaveLength(1)
  const stops = [
    stopAt(edited.webhook, 1, 'after', 'PATCH'),
    ...busy.map(({ webhook }) => stopAt(webhook, 1, 'before')),
  ]
  await edit(api, edited, toEdit, { content: longText(3).replace('Part 1', 'Changed'), expectedUpdatedAt: null })
  const guids = []
  for (const channel of busy) guids.push(await announce(api, channel))
  await Promise.all(stops)
  // All workers wait for an answer, so this job is not started.
  const toBegin = await announce(api, queued, { content: longText(2) })
  await wait(100)
  expect(queued.webhook.made).toEqual([])
  await kill()
  await letTimePass()
  await begin()
  expect(await settle(edited, toEdit)).toEqual([undefined, undefined, undefined])
  await expectWhole(api, edited, toEdit, longText(3).replace('Part 1', 'Changed'))
  await settle(limited, toWait)
  await expectWhole(api, limited, toWait, longText(3))
  await settle(queued, toBegin)
  await expectWhole(api, queued, toBegin, longText(2))
  for (const [index, channel] of busy.entries()) {
    expect(await settle(channel, guids[index] as string)).toEqual([true])
    expect(channel.webhook.made).toHaveLength(1)
  }
})

test('killed at any moment, time and again, it loses nothing, and repeats nothing without saying so', async () => {
  const busy = Array.from({ length: 6 }, () => takeChannel())
  chat.misbehave(/POST/, async (_request, proper) => {
    await wait(randomInt(10))
    const answer = proper()
    await wait(randomInt(10))
    return answer
  })
  await begin()
  const guids: string[] = []
  for (const channel of busy) guids.push(await announce(api, channel, { content: longText(8) }))
  const kills = 3
  for (let round = 0; round < kills; round++) {
    await wait(30 + randomInt(120))
    await kill()
    await letTimePass()
    await begin()
  }
  let uncertain = 0
  for (const [index, channel] of busy.entries()) {
    const unconfirmed = await settle(channel, guids[index] as string)
    const texts = channel.webhook.made.map(({ content }) => content)
    for (const [part, text] of longText(8).split('\n\n').entries()) {
      const times = texts.filter((made) => made === text).length
      expect(times).toBeGreaterThanOrEqual(1)
      if (unconfirmed[part] === undefined) expect(times).toBe(1)
      else uncertain++
    }
    expect([...new Set(texts)]).toEqual(longText(8).split('\n\n'))
  }
  // Each kill leaves at most as many uncertain parts as there are workers.
  expect(uncertain).toBeLessThanOrEqual(kills * 4)
})
