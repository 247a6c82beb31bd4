import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atRest } from '../../../../test/emails.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import {
  announce,
  chatWebhookConfig,
  contents,
  delivery,
  edit,
  hasten,
  hastenUntil,
  listed,
  longText,
  makeChannel,
  publish,
  remove,
  removed,
  retry,
  setWebhook,
} from '../../../../test/updates.ts'

/** What happens to an announcement when its update is deleted, and when its webhook is. */

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

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Holds requests back until the returned function is called. */
function hold(): () => void {
  const gate = Promise.withResolvers<void>()
  const behave = chat.misbehave(/POST/, async (_request, proper) => {
    await gate.promise
    return proper()
  })
  return () => {
    behave()
    gate.resolve()
  }
}

describe('deleting', () => {
  test('removes every message', async () => {
    const channel = await makeChannel(api, chat)
    const guid = await announce(api, channel, { content: longText(3) })
    const { parts } = await delivery(api, channel, guid)
    const reply = await remove(api, channel, guid)
    expect(outcome(reply)).toEqual([200, null])
    expect(reply.body).toEqual({
      status: 'removing',
      attempts: 2,
      lastError: null,
      updatedAt: instant,
      parts: parts.map((part: object) => ({ ...part, status: 'removing' })),
    })
    expect(await listed(api, channel, guid)).toBeUndefined()
    await removed(api, guid)
    expect([channel.webhook.messages, channel.webhook.made.length]).toEqual([[], 3])
    expect(outcome(await remove(api, channel, guid))).toEqual([404, 'update.unknown'])
  })

  test('takes messages that somebody has deleted already for removed', async () => {
    const channel = await makeChannel(api, chat)
    const guid = await announce(api, channel, { content: longText(2) })
    await delivery(api, channel, guid)
    channel.webhook.deleteMessage(channel.webhook.messages[0]?.id as string)
    await remove(api, channel, guid)
    await removed(api, guid)
    expect(channel.webhook.messages).toEqual([])
  })

  test('that fails is kept, tried again by itself, and at once when it is asked for again', async () => {
    const channel = await makeChannel(api, chat)
    const guid = await announce(api, channel, { content: longText(2) })
    await delivery(api, channel, guid)
    const behave = chat.misbehave(/DELETE/, { status: 500 })
    await remove(api, channel, guid)
    const stored = () =>
      api.sql<{ status: string; next: Date | null }>(
        'select status, next_attempt_at as next from chat_deliveries where guid = $1',
        [guid],
      )
    await expect.poll(async () => (await stored())[0]?.status).toBe('removal_failed')
    expect((await stored())[0]?.next).not.toBeNull()
    // Only users who may post see the state of the removal; for all others the update does not exist any more.
    const outsider = await api.user()
    const path = `/tournaments/${channel.tournament.guid}/updates/${guid}`
    const body = { expectedUpdatedAt: null }
    expect(outcome(await api.delete(path, outsider, body))).toEqual([404, 'update.unknown'])
    expect(outcome(await edit(api, channel, guid, { content: 'x', ...body }))).toEqual([404, 'update.unknown'])
    expect(outcome(await retry(api, channel, guid))).toEqual([404, 'update.unknown'])
    expect(outcome(await remove(api, channel, guid, '2026-05-01T18:00:00Z'))).toEqual([409, 'update.stale'])

    const again = await api.delete(path, await roleHolder(api, channel.tournament, 'role:staff'), body)
    expect([again.status, again.body.status]).toEqual([200, 'removing'])
    expect(again.body.lastError).toMatch(/^The chat platform gives no usable answer \(status 500\)\.$/)
    await expect.poll(async () => (await stored())[0]?.status).toBe('removal_failed')
    behave()
    await hasten(api)
    await removed(api, guid)
    expect(channel.webhook.messages).toEqual([])
    expect(outcome(await remove(api, channel, guid))).toEqual([404, 'update.unknown'])
    const events = await api.sql(`select from event_log where subject = $1 and type = 'update.deleted'`, [guid])
    expect(events).toHaveLength(1)
  })

  test('of what never came into the chat is done at once', async () => {
    const channel = await makeChannel(api, chat)
    channel.webhook.delete()
    const guid = await announce(api, channel)
    await delivery(api, channel, guid, 'failed')
    const since = chat.requests.length
    expect((await remove(api, channel, guid)).body.status).toBe('none')
    await atRest(api)
    expect(chat.requests.length).toBe(since)
  })
})

describe('the webhook', () => {
  test('that is gone fails the delivery at once; another one takes it up with what is left', async () => {
    const channel = await makeChannel(api, chat)
    const guid = await announce(api, channel, { content: longText(3) })
    const [whole] = [await delivery(api, channel, guid)]
    expect(whole.attempts).toBe(1)
    const late = await announce(api, channel, { content: longText(1) })
    await delivery(api, channel, late)
    channel.webhook.delete()
    const lost = await announce(api, channel, { content: longText(2) })
    const failed = await delivery(api, channel, lost, 'failed')
    expect(failed).toMatchObject({
      attempts: 1,
      lastError: 'The chat webhook does not exist any more (code 10015).',
      parts: [
        { status: 'failed', messageId: null },
        { status: 'pending', messageId: null },
      ],
    })
    const other = chat.addWebhook()
    await setWebhook(api, channel.tournament, other)
    const retried = await retry(api, channel, lost)
    expect([outcome(retried), retried.body.status]).toEqual([[200, null], 'pending'])
    expect((await delivery(api, channel, lost)).attempts).toBe(2)
    expect(contents(other).join('\n\n')).toBe(longText(2))
  })

  test('that was taken back after the publication is told of', async () => {
    const channel = await makeChannel(api, chat)
    const release = hold()
    const guid = await announce(api, channel, { content: longText(2) })
    await delivery(api, channel, guid, 'sending')
    await setWebhook(api, channel.tournament, null)
    release()
    const failed = await delivery(api, channel, guid, 'failed')
    expect(failed.lastError).toMatch(/no chat webhook/)
    expect(failed.parts.map(({ status }: { status: string }) => status)).toEqual(['delivered', 'failed'])
    expect((await retry(api, channel, guid)).status).toBe(200)
    expect((await hastenUntil(api, channel, guid, 'failed')).lastError).toMatch(/no chat webhook/)
    await setWebhook(api, channel.tournament, channel.webhook)
    await retry(api, channel, guid)
    await delivery(api, channel, guid)
    expect(contents(channel.webhook).join('\n\n')).toBe(longText(2))
  })

  test('that is not the platform’s own is never asked', async () => {
    const elsewhere = await startFakeChatWebhooks()
    const channel = await makeChannel(api, chat)
    const release = hold()
    const guid = await announce(api, channel, { content: longText(2) })
    await delivery(api, channel, guid, 'sending')
    await setWebhook(api, channel.tournament, elsewhere.addWebhook())
    release()
    expect((await delivery(api, channel, guid, 'failed')).lastError).toMatch(/no chat webhook that can be used/)
    expect(elsewhere.requests).toEqual([])
    expect(outcome(await publish(api, channel, { sendToChat: true }))).toEqual([400, 'update.chat_missing'])
    await elsewhere.close()
  })

  test('is told nowhere', async () => {
    const channel = await makeChannel(api, chat)
    const behave = chat.misbehave(/DELETE/, { status: 400, body: { code: 50_013, message: channel.webhook.url } })
    const guid = await announce(api, channel, { content: longText(2) })
    await delivery(api, channel, guid)
    const replies = [
      await api.get(`/tournaments/${channel.tournament.guid}/updates`, channel.organiser),
      await edit(api, channel, guid, { content: 'x', expectedUpdatedAt: null }),
      await retry(api, channel, guid),
    ]
    expect((await delivery(api, channel, guid, 'failed')).lastError).toMatch(/refuses the message \(code 50013\)/)
    behave()
    replies.push(await retry(api, channel, guid))
    const { updatedAt } = await listed(api, channel, guid)
    await delivery(api, channel, guid)
    replies.push(await remove(api, channel, guid, updatedAt))
    await removed(api, guid)
    const secret = new URL(channel.webhook.url).pathname.split('/').at(-1) as string
    const events = await api.sql<{ line: string }>('select event_log::text as line from event_log')
    const jobs = await api.sql<{ line: string }>(
      `select payload::text || coalesce(last_error, '') as line from graphile_worker._private_jobs`,
    )
    const written = [...replies.map(({ text }) => text), ...[...events, ...jobs].map(({ line }) => line)].join('\n')
    expect(written).toContain(guid)
    expect(written).not.toContain(secret)
  })
})
