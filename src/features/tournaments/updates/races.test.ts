import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { atRest } from '../../../../test/emails.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import {
  type Channel,
  chatWebhookConfig,
  edit,
  hasten,
  listed,
  longText,
  lostAtGateway,
  makeChannel,
  misbehave,
  publish,
  remove,
  retry,
} from '../../../../test/updates.ts'

/** Deliveries in several processes, with random faults and concurrent changes by users. */

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

test('whatever fails and whoever acts meanwhile, the chat ends up as the list says', async () => {
  chat.knowsNonces = true
  chat.bucket = { requests: 5, windowMs: 250 }
  await using sibling = await api.sibling()
  const processes = [api, sibling]
  const behave = misbehave(chat, /./, async (request, proper) => {
    const dice = randomInt(12)
    if (dice === 0) return { status: 500 }
    if (dice === 1) return lostAtGateway(request, proper)
    if (dice === 2) return { status: 429, body: { retry_after: 0.05, global: false } }
    await wait(randomInt(15))
    return proper()
  })
  const channels = [channel, await makeChannel(api, chat), await makeChannel(api, chat)]
  const statuses = new Set<number>()
  const live = async (of: Channel, process: Harness) => {
    const guid = randomUUID()
    const body = { guid, content: `${guid} ${longText(1 + randomInt(3))}`, sendToChat: true }
    statuses.add((await publish(process, of, body)).status)
    for (let turn = 0; turn < 6; turn++) {
      await wait(randomInt(120))
      const { updatedAt = null } = (await listed(process, of, guid)) ?? {}
      const content = `${guid} edited ${turn} ${longText(1 + randomInt(3))}`
      const acts = [
        () => edit(process, of, guid, { content, expectedUpdatedAt: updatedAt }),
        () => edit(process, of, guid, { content, expectedUpdatedAt: updatedAt }),
        () => retry(process, of, guid),
        () => (turn > 3 ? remove(process, of, guid, updatedAt) : publish(process, of, body)),
      ]
      statuses.add((await (acts[randomInt(acts.length)] as (typeof acts)[number])()).status)
    }
  }
  await Promise.all(channels.flatMap((of) => processes.flatMap((process) => [live(of, process), live(of, process)])))
  behave()
  chat.bucket = null
  await api.sql('update chat_channels set paused_until = null')
  expect([...statuses].filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([])

  const unfinished = () =>
    api.sql<{ guid: string; status: string }>(`select guid, status from chat_deliveries where status <> 'delivered'`)
  for (const of of channels) {
    const { body } = await api.get(`/tournaments/${of.tournament.guid}/updates?limit=50`, of.organiser)
    for (const { guid, delivery: now } of body.updates) if (now.status === 'failed') await retry(api, of, guid)
  }
  await expect
    .poll(
      async () => {
        await hasten(api)
        return (await unfinished()).length
      },
      { interval: 100 },
    )
    .toBe(0)
  for (const of of channels) {
    const { body } = await api.get(`/tournaments/${of.tournament.guid}/updates?limit=50`, of.organiser)
    const expected = body.updates.flatMap(
      (update: { content: string; delivery: { parts: { messageId: string }[] } }) => {
        const texts = update.delivery.parts.map(
          ({ messageId }) => of.webhook.messages.find(({ id }) => id === messageId)?.content,
        )
        expect(texts.join('\n\n')).toBe(update.content)
        return update.delivery.parts.map(({ messageId }) => messageId)
      },
    )
    expect(of.webhook.messages.map(({ id }) => id).sort()).toEqual(expected.sort())
  }
})
