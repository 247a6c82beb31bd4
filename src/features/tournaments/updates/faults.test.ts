import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { atRest } from '../../../../test/emails.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import type { FakeAnswer, Misbehaviour } from '../../../../test/fakes/server.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import {
  announce,
  type Channel,
  chatWebhookConfig,
  contents,
  delivery,
  edit,
  expectWhole,
  hasten,
  hastenUntil,
  listed,
  longText,
  lostAtGateway,
  makeChannel,
  misbehave,
  misbehaveAt,
  remove,
  removed,
  retry,
  trouble,
} from '../../../../test/updates.ts'

/** The chat announcement of an update, on a chat platform with every kind of fault. */

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

describe('a platform that', () => {
  test.each<[string, FakeAnswer]>([
    ['fails', { status: 500, body: 'Oops' }],
    ['is overloaded', { status: 503 }],
    ['turns us away at its edge', { status: 403, body: { code: 40_333, message: 'blocked' } }],
  ])('%s is asked again, and gets each part once', async (_what, how) => {
    misbehaveAt(chat, 2, how)
    const guid = await announce(api, channel, { content: longText(3) })
    await hastenUntil(api, channel, guid, 'delivered')
    await expectWhole(api, channel, guid, longText(3))
    expect((await listed(api, channel, guid)).delivery.attempts).toBe(2)
  })

  test('goes on failing is asked four times; a retry sends what is left', async () => {
    const since = chat.requests.length
    let count = 0
    const behave = misbehave(chat, /POST/, async (_request, proper) =>
      ++count === 1 ? proper() : { status: 500, body: 'Secret' },
    )
    const guid = await announce(api, channel, { content: longText(3) })
    const failed = await hastenUntil(api, channel, guid, 'failed')
    expect(failed).toMatchObject({
      attempts: 4,
      lastError: 'The chat platform gives no usable answer (status 500).',
      parts: [
        { status: 'delivered', messageId: channel.webhook.messages[0]?.id },
        { status: 'failed', messageId: null },
        { status: 'pending', messageId: null },
      ],
    })
    expect(chat.requests.length - since).toBe(5)
    await atRest(api)
    expect(chat.requests.length - since).toBe(5)
    behave()
    // A failed delivery is no longer active, so the update may be edited too.
    expect((await retry(api, channel, guid)).body.status).toBe('pending')
    await expectWhole(api, channel, guid, longText(3))
  })

  test('refuses a part is not asked again, and gets the parts behind it in their order once it is edited', async () => {
    misbehaveAt(chat, 2, { status: 400, body: { code: 50_035, message: 'Invalid Form Body' } })
    const guid = await announce(api, channel, { content: longText(3) })
    expect(await delivery(api, channel, guid, 'failed')).toMatchObject({
      attempts: 1,
      lastError: 'The chat platform refuses the message (code 50035).',
    })
    const text = longText(3).replace('Part 2.', 'Second part.')
    expect((await edit(api, channel, guid, { content: text, expectedUpdatedAt: null })).status).toBe(200)
    await expectWhole(api, channel, guid, text)
  })

  test('answers late is waited for', async () => {
    misbehave(chat, /POST/, { slowMs: 700 })
    const guid = await announce(api, channel, { content: longText(2) })
    await expectWhole(api, channel, guid, longText(2))
  })
})

describe('an answer that is lost', () => {
  test.each<[string, Misbehaviour]>([
    ['with the connection', 'reset'],
    ['in the middle', 'malformed'],
    ['at a gateway', lostAtGateway],
  ])('%s has the part sent again, which the record tells', async (_how, how) => {
    const behave = misbehave(chat, /POST/, how)
    const first = misbehave(chat, /POST/, async (_request, proper) => {
      first()
      return proper()
    })
    const guid = await announce(api, channel, { content: longText(2) })
    // The first part is delivered; the answer to the second is lost, and the delivery records that.
    await expect.poll(async () => (await listed(api, channel, guid)).delivery.parts[1]?.unconfirmed).toBe(true)
    const between = (await listed(api, channel, guid)).delivery
    expect([between.parts[0].status, between.parts[1]]).toEqual([
      'delivered',
      { index: 1, status: 'sending', messageId: null, unconfirmed: true },
    ])
    behave()
    const { parts, lastError } = await hastenUntil(api, channel, guid, 'delivered')
    const ids = channel.webhook.messages.map(({ id }) => id)
    expect([lastError, ids.length >= 3]).toEqual([null, true])
    expect(parts).toEqual([
      { index: 0, status: 'delivered', messageId: ids[0] },
      { index: 1, status: 'delivered', messageId: ids.at(-1), unconfirmed: true },
    ])
    expect(contents(channel.webhook).slice(1)).toEqual(Array(ids.length - 1).fill(longText(2).split('\n\n')[1]))
  })

  test('does no harm where the platform knows the nonce', async () => {
    chat.knowsNonces = true
    const behave = misbehave(chat, /POST/, 'reset')
    const guid = await announce(api, channel, { content: longText(2) })
    expect((await trouble(api, channel, guid)).parts[0]).toMatchObject({ status: 'sending', unconfirmed: true })
    expect(channel.webhook.made).toHaveLength(1)
    behave()
    await hastenUntil(api, channel, guid, 'delivered')
    await expectWhole(api, channel, guid, longText(2))
  })

  test('of a message that was deleted since has the part sent anew', async () => {
    chat.knowsNonces = true
    const behave = misbehave(chat, /POST/, 'reset')
    const guid = await announce(api, channel)
    await trouble(api, channel, guid)
    channel.webhook.deleteMessage(channel.webhook.messages[0]?.id as string)
    behave()
    await hastenUntil(api, channel, guid, 'delivered')
    expect(channel.webhook.messages).toHaveLength(1)
  })

  test('to a change or a removal does no harm', async () => {
    const guid = await announce(api, channel, { content: longText(2) })
    await delivery(api, channel, guid)
    const behave = misbehave(chat, /PATCH|DELETE/, 'reset')
    await edit(api, channel, guid, { content: 'Short.', expectedUpdatedAt: null })
    await trouble(api, channel, guid)
    expect(contents(channel.webhook)[0]).toBe('Short.')
    behave()
    await hastenUntil(api, channel, guid, 'delivered')
    expect(contents(channel.webhook)).toEqual(['Short.'])

    const again = misbehave(chat, /DELETE/, 'reset')
    await remove(api, channel, guid, (await listed(api, channel, guid)).updatedAt)
    await expect.poll(() => channel.webhook.messages.length).toBe(0)
    await expect
      .poll(() => api.sql('select status from chat_deliveries where guid = $1', [guid]))
      .toEqual([{ status: 'removal_failed' }])
    again()
    await hasten(api)
    await removed(api, guid)
  })

  test('that belongs to another part never counts for this one', async () => {
    chat.knowsNonces = true
    misbehaveAt(chat, 2, async () => ({ status: 200, body: channel.webhook.messages[0] }))
    const guid = await announce(api, channel, { content: longText(3) })
    const { parts } = await hastenUntil(api, channel, guid, 'delivered')
    expect(parts.map(({ messageId }: { messageId: string }) => messageId)).toEqual(
      channel.webhook.messages.map(({ id }) => id),
    )
    expect(contents(channel.webhook).join('\n\n')).toBe(longText(3))
  })

  test('cannot be lost by us while the database is away', async () => {
    const { databaseUrl } = api.app.config
    const database = new URL(databaseUrl as string).pathname.slice(1)
    const admin = new pg.Client({ connectionString: (databaseUrl as string).replace(database, 'postgres') })
    await admin.connect()
    const back = Promise.withResolvers<void>()
    misbehaveAt(chat, 2, async (_request, proper) => {
      const answer = proper()
      await admin.query(`alter database ${database} with allow_connections false`)
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
      setTimeout(async () => {
        await admin.query(`alter database ${database} with allow_connections true`)
        await admin.end()
        back.resolve()
      }, 1_200)
      return answer
    })
    const guid = await announce(api, channel, { content: longText(3) })
    await back.promise
    await expect
      .poll(async () => (await listed(api, channel, guid).catch(() => null))?.delivery.status)
      .toBe('delivered')
    await expectWhole(api, channel, guid, longText(3))
  })
})
