import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { atRest } from '../../../../test/emails.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import type { FakeAnswer } from '../../../../test/fakes/server.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import {
  announce,
  type Channel,
  chatWebhookConfig,
  contents,
  delivery,
  expectWhole,
  hasten,
  hastenUntil,
  listed,
  longText,
  makeChannel,
  misbehave,
  misbehaveAt,
  remove,
  removed,
  retry,
  trouble,
} from '../../../../test/updates.ts'

/** The chat announcement of an update, on a chat platform that limits the rate of requests. */

let chat: FakeChatWebhooks
let api: Harness
beforeAll(async () => {
  chat = await startFakeChatWebhooks()
  api = await startHarness({ chat: chatWebhookConfig(chat) })
})
afterAll(async () => {
  await atRest(api)
  await api[Symbol.asyncDispose]()
  await chat.close()
})
let channel: Channel
beforeEach(async () => {
  chat.knowsNonces = false
  chat.bucket = null
  await api.sql('update chat_channels set paused_until = null')
  channel = await makeChannel(api, chat)
})

describe('limits', () => {
  test('that are told are kept by all processes, so that not one request is too much', async () => {
    chat.bucket = { requests: 2, windowMs: 600 }
    await using sibling = await api.sibling()
    const guids = await Promise.all(
      [api, sibling].map((process) => announce(process, channel, { content: longText(3) })),
    )
    for (const guid of guids) expect((await delivery(api, channel, guid)).attempts).toBe(1)
    expect([chat.excesses, channel.webhook.made.length]).toEqual([0, 6])
    const twice = [...longText(3).split('\n\n'), ...longText(3).split('\n\n')]
    expect(contents(channel.webhook).toSorted()).toEqual(twice.toSorted())
    await atRest(api)
  })

  test('that were not known are waited for as they are told: in the body, in a header or not at all', async () => {
    const ways: [FakeAnswer, number][] = [
      [{ status: 429, body: { message: 'You are being rate limited.', retry_after: 1.2, global: false } }, 1_200],
      [{ status: 429, headers: { 'retry-after': '2' } }, 2_000],
      [{ status: 429, body: 'error code: 1015' }, 2_000],
    ]
    const limited = ways.map(async ([how, ms]) => {
      const here = await makeChannel(api, chat)
      const askedAt: number[] = []
      const path = new RegExp(`POST ${new URL(here.webhook.url).pathname}`)
      misbehave(chat, path, async (_request, proper) => {
        askedAt.push(performance.now())
        return askedAt.length === 2 ? how : proper()
      })
      const guid = await announce(api, here, { content: longText(2) })
      const waiting = await trouble(api, here, guid)
      expect([waiting.status, waiting.lastError, waiting.parts[1]]).toEqual([
        ...['pending', 'The chat platform wants less to be sent (status 429).'],
        { index: 1, status: 'pending', messageId: null },
      ])
      await expectWhole(api, here, guid, longText(2))
      const [, limitedAt = 0, againAt = 0] = askedAt
      expect([againAt - limitedAt >= ms - 20, askedAt.length]).toEqual([true, 3])
    })
    await Promise.all(limited)
  })

  test('of one webhook hold up no other, and those of everything hold up all', async () => {
    const other = await makeChannel(api, chat)
    misbehaveAt(chat, 1, { status: 429, body: { message: '', retry_after: 60, global: false } })
    const held = await announce(api, channel)
    await trouble(api, channel, held)
    await delivery(api, other, await announce(api, other))

    misbehaveAt(chat, 1, { status: 429, body: { message: '', retry_after: 60, global: true } })
    await announce(api, other)
    const since = chat.requests.length
    await expect
      .poll(() => api.sql(`select from chat_channels where scope = 'everywhere' and paused_until > now()`))
      .toHaveLength(1)
    const third = await makeChannel(api, chat)
    const guid = await announce(api, third)
    await atRest(api)
    await wait(200)
    await atRest(api)
    expect([third.webhook.made.length, chat.requests.length - since <= 1]).toEqual([0, true])
    expect((await listed(api, third, guid)).delivery).toMatchObject({ status: 'pending', attempts: 0 })
    await api.sql('update chat_channels set paused_until = null')
    for (const [of, update] of [
      [channel, held],
      [third, guid],
    ] as const) {
      await hastenUntil(api, of, update, 'delivered')
    }
  })

  test('that would hold up an update for long fail it, and a retry obeys them', async () => {
    misbehaveAt(chat, 1, { status: 429, body: { message: '', retry_after: 3_000, global: false } })
    const guid = await announce(api, channel)
    const failed = await delivery(api, channel, guid, 'failed')
    expect(failed.lastError).toMatch(/try again later/)
    const since = chat.requests.length
    await retry(api, channel, guid)
    await hastenUntil(api, channel, guid, 'failed')
    expect(chat.requests.length).toBe(since)
    await api.sql('update chat_channels set paused_until = null')
    await retry(api, channel, guid)
    await expectWhole(api, channel, guid, 'The finals take place on **Sunday**.')
  })

  test('hold up a removal too, for however long', async () => {
    const guid = await announce(api, channel)
    await delivery(api, channel, guid)
    misbehaveAt(chat, 1, { status: 429, body: { message: '', retry_after: 3_000, global: false } }, /DELETE/)
    await remove(api, channel, guid)
    await expect.poll(() => api.sql('select from chat_channels where paused_until > now()')).toHaveLength(1)
    await atRest(api)
    const [row] = await api.sql<{ status: string; waits: boolean }>(
      `select status, next_attempt_at > now() + interval '40 minutes' as waits from chat_deliveries where guid = $1`,
      [guid],
    )
    expect(row).toEqual({ status: 'removing', waits: true })
    await api.sql('update chat_channels set paused_until = null')
    await hasten(api)
    await removed(api, guid)
    expect(channel.webhook.messages).toEqual([])
  })
})
