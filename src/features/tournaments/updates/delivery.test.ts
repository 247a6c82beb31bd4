import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atRest } from '../../../../test/emails.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import {
  announce,
  chatWebhookConfig,
  contents,
  delivery,
  edit,
  listed,
  longText,
  makeChannel,
  publish,
  remove,
  removed,
  retry,
  setWebhook,
} from '../../../../test/updates.ts'

/** The chat announcement of an update, on a chat platform without faults. */

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

/** The requests with this method, from index `since` on. */
const asked = (method: string, since = 0) => chat.requests.slice(since).filter((request) => request.method === method)

describe('publishing', () => {
  test('sends title, text and cards, and tells the staff how it went', async () => {
    const channel = await makeChannel(api, chat)
    const reply = await publish(api, channel, {
      title: 'Finals *moved*',
      content: 'To **Sunday**, @everyone.',
      sendToChat: true,
      changes: [{ title: 'Grand final', before: 'Saturday', after: 'Sunday' }],
    })
    expect(outcome(reply)).toEqual([201, null])
    expect(reply.body.delivery).toEqual({
      status: 'pending',
      parts: [{ index: 0, status: 'pending', messageId: null }],
      attempts: 0,
      lastError: null,
      updatedAt: instant,
    })
    const status = await delivery(api, channel, reply.body.update.guid)
    expect(channel.webhook.messages).toEqual([
      expect.objectContaining({
        content: '**Finals \\*moved\\***\nTo **Sunday**, @everyone.',
        embeds: [
          {
            title: 'Grand final',
            fields: [
              { name: 'Before', value: 'Saturday', inline: true },
              { name: 'After', value: 'Sunday', inline: true },
            ],
          },
        ],
      }),
    ])
    expect(status).toEqual({
      status: 'delivered',
      attempts: 1,
      lastError: null,
      updatedAt: instant,
      parts: [{ index: 0, status: 'delivered', messageId: channel.webhook.messages[0]?.id }],
    })
    expect(JSON.parse(chat.requests.at(-1)?.body ?? '').allowed_mentions).toEqual({ parse: [] })
  })

  test('sends what is too long in parts, and knows each before it sends the next', async () => {
    const channel = await makeChannel(api, chat)
    const stored: unknown[] = []
    const behave = chat.misbehave(/POST/, async (_request, proper) => {
      stored.push(await api.sql('select status, message_id as id from chat_parts order by index'))
      return proper()
    })
    await api.sql('delete from chat_deliveries')
    const guid = await announce(api, channel, { title: 'Long', content: longText(3) })
    const status = await delivery(api, channel, guid)
    behave()
    const [first, second, third] = channel.webhook.messages.map(({ id }) => id)
    const [pending, sending] = [
      { status: 'pending', id: null },
      { status: 'sending', id: null },
    ]
    expect(stored).toEqual([
      [sending, pending, pending],
      [{ status: 'delivered', id: first }, sending, pending],
      [{ status: 'delivered', id: first }, { status: 'delivered', id: second }, sending],
    ])
    expect(status.parts.map(({ messageId }: { messageId: string }) => messageId)).toEqual([first, second, third])
    const texts = contents(channel.webhook)
    expect(texts.join('\n\n')).toBe(`**Long**\n${longText(3)}`)
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(2_000)
  })

  test('again with the same GUID sends nothing twice, and is answered as it was at first', async () => {
    const channel = await makeChannel(api, chat)
    const body = { guid: crypto.randomUUID(), content: longText(2), sendToChat: true }
    const first = await publish(api, channel, body)
    const atOnce = await Promise.all([publish(api, channel, body), publish(api, channel, body)])
    await delivery(api, channel, body.guid)
    const late = await publish(api, channel, body)
    for (const reply of [...atOnce, late]) expect([reply.status, reply.text]).toEqual([201, first.text])
    // The same publication again, after the webhook was removed.
    await setWebhook(api, channel.tournament, null)
    expect((await publish(api, channel, body)).text).toBe(first.text)
    expect(outcome(await publish(api, channel, { ...body, sendToChat: false }))).toEqual([409, 'update.guid_reused'])
    await atRest(api)
    expect(channel.webhook.made).toHaveLength(2)
  })

  test('of several updates at once keeps their parts together', async () => {
    const channel = await makeChannel(api, chat)
    const guids = await Promise.all([1, 2].map((n) => announce(api, channel, { content: `${n}${longText(3)}` })))
    for (const guid of guids) await delivery(api, channel, guid)
    const order = channel.webhook.messages.map(({ id }) => id)
    const places = await Promise.all(
      guids.map(async (guid) =>
        (await listed(api, channel, guid)).delivery.parts.map((part: { messageId: string }) =>
          order.indexOf(part.messageId),
        ),
      ),
    )
    for (const [first, second, third] of places) expect([second, third]).toEqual([first + 1, first + 2])
    expect(places.flat().sort((a, b) => a - b)).toEqual([...Array(6).keys()])
  })

  test('by several processes at once sends each part once', async () => {
    await using sibling = await api.sibling()
    const channels = await Promise.all([1, 2, 3, 4, 5, 6].map(() => makeChannel(api, chat)))
    const guids = await Promise.all(
      channels.map((channel, n) => announce(n % 2 ? api : sibling, channel, { content: longText(4) })),
    )
    for (const [n, channel] of channels.entries()) {
      const status = await delivery(api, channel, guids[n] as string)
      expect(channel.webhook.made.map(({ id }) => id)).toEqual(
        status.parts.map(({ messageId }: { messageId: string }) => messageId),
      )
      expect(contents(channel.webhook).join('\n\n')).toBe(longText(4))
    }
    await atRest(api)
  })
})

describe('while it is being sent', () => {
  test('an update is neither edited nor deleted, and a retry answers where it stands', async () => {
    const channel = await makeChannel(api, chat)
    const release = hold()
    const guid = await announce(api, channel)
    const before = chat.requests.length
    expect((await delivery(api, channel, guid, 'sending')).parts).toEqual([
      { index: 0, status: 'sending', messageId: null },
    ])
    expect(outcome(await edit(api, channel, guid, { content: 'x', expectedUpdatedAt: null }))).toEqual([
      ...[409, 'update.delivery_active'],
    ])
    expect(outcome(await remove(api, channel, guid))).toEqual([409, 'update.delivery_active'])
    // A stale edit is reported before an active delivery.
    const expectedUpdatedAt = '2026-05-01T18:00:00Z'
    expect(outcome(await edit(api, channel, guid, { content: 'x', expectedUpdatedAt }))).toEqual([409, 'update.stale'])
    const retried = await retry(api, channel, guid)
    expect([retried.status, retried.body.status]).toEqual([200, 'sending'])
    release()
    await delivery(api, channel, guid)
    await atRest(api)
    expect(asked('POST', before).length).toBeLessThanOrEqual(1)
    expect([channel.webhook.made.length, (await listed(api, channel, guid)).content]).toEqual([
      ...[1, 'The finals take place on **Sunday**.'],
    ])
  })

  test('a tournament may be deleted', async () => {
    const channel = await makeChannel(api, chat, { status: 'draft' })
    const release = hold()
    const guid = await announce(api, channel, { content: longText(2) })
    await delivery(api, channel, guid, 'sending')
    expect((await api.delete(`/tournaments/${channel.tournament.guid}`, channel.organiser)).status).toBe(204)
    release()
    await atRest(api)
    expect(channel.webhook.made).toHaveLength(1)
  })
})

describe('editing', () => {
  test('changes the messages that differ, sends what is new and removes what is too much', async () => {
    const channel = await makeChannel(api, chat)
    const guid = await announce(api, channel, { content: longText(2), changes: [{ title: 'A' }] })
    await delivery(api, channel, guid)
    const [first, second] = channel.webhook.messages
    let since = chat.requests.length
    const longer = await edit(api, channel, guid, { content: longText(4), expectedUpdatedAt: null })
    expect(outcome(longer)).toEqual([200, null])
    expect(longer.body.delivery).toMatchObject({ status: 'pending', attempts: 1 })
    expect(longer.body.delivery.parts.map(({ status }: { status: string }) => status)).toEqual([
      ...['delivered', 'pending', 'pending', 'pending'],
    ])
    await delivery(api, channel, guid)
    expect([asked('PATCH', since).length, asked('POST', since).length]).toEqual([1, 2])
    expect(contents(channel.webhook).join('\n\n')).toBe(longText(4))
    expect(channel.webhook.messages.map(({ id }) => id).slice(0, 2)).toEqual([first?.id, second?.id])
    expect(channel.webhook.messages.map(({ embeds }) => embeds.length)).toEqual([0, 0, 0, 1])

    since = chat.requests.length
    const { updatedAt: expectedUpdatedAt } = longer.body.update
    await edit(api, channel, guid, { content: 'Short.', changes: [], expectedUpdatedAt })
    const status = await delivery(api, channel, guid)
    expect([asked('PATCH', since).length, asked('DELETE', since).length, asked('POST', since).length]).toEqual([
      1, 3, 0,
    ])
    expect(channel.webhook.messages).toEqual([
      expect.objectContaining({ id: first?.id, content: 'Short.', embeds: [] }),
    ])
    expect(status.parts).toEqual([{ index: 0, status: 'delivered', messageId: first?.id }])
  })

  test('that changes nothing in the chat asks it for nothing', async () => {
    const channel = await makeChannel(api, chat)
    const guid = await announce(api, channel)
    await delivery(api, channel, guid)
    const since = chat.requests.length
    const same = { content: 'The finals take place on **Sunday**.', expectedUpdatedAt: null }
    const reply = await edit(api, channel, guid, same)
    expect([reply.body.delivery.status, reply.body.update.updatedAt]).toEqual(['delivered', instant])
    await atRest(api)
    expect(chat.requests.length).toBe(since)
  })

  test('sends a message anew that somebody has deleted in the chat', async () => {
    const channel = await makeChannel(api, chat)
    const guid = await announce(api, channel, { content: longText(2) })
    await delivery(api, channel, guid)
    const [first, second] = channel.webhook.messages
    channel.webhook.deleteMessage(first?.id as string)
    await edit(api, channel, guid, { content: `New. ${longText(2)}`, expectedUpdatedAt: null })
    const { parts } = await delivery(api, channel, guid)
    expect(channel.webhook.messages.map(({ id }) => id)).toEqual([second?.id, parts[0].messageId])
    expect(channel.webhook.messages[1]?.content).toMatch(/^New\. Part 1/)
  })

  test('goes through the webhook that the message came through, and new parts through the present one', async () => {
    const channel = await makeChannel(api, chat)
    const guid = await announce(api, channel)
    await delivery(api, channel, guid)
    const other = chat.addWebhook()
    await setWebhook(api, channel.tournament, other)
    await edit(api, channel, guid, { content: longText(2), expectedUpdatedAt: null })
    await delivery(api, channel, guid)
    expect(contents(channel.webhook)).toEqual([longText(2).split('\n\n')[0]])
    expect(contents(other)).toEqual([longText(2).split('\n\n')[1]])
    const { updatedAt } = await listed(api, channel, guid)
    await remove(api, channel, guid, updatedAt)
    await removed(api, guid)
    expect([channel.webhook.messages, other.messages]).toEqual([[], []])
  })
})
