import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakeChatWebhooks, type FakeWebhook, startFakeChatWebhooks } from '../../../test/fakes/chat-webhook.ts'
import type { Misbehaviour } from '../../../test/fakes/server.ts'
import { type ChatWebhookClient, ChatWebhookError, createChatWebhookClient } from './chat-webhooks.ts'
import { createHttpClient, type HttpClient } from './http.ts'

let fake: FakeChatWebhooks
let webhook: FakeWebhook
let http: HttpClient
let client: ChatWebhookClient

beforeEach(async () => {
  fake = await startFakeChatWebhooks()
  webhook = fake.addWebhook()
  http = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: 400, maxBodyBytes: 100_000, connections: 4 })
  client = createChatWebhookClient(http)
})

afterEach(async () => {
  await http.close()
  await fake.close()
})

const message = { content: 'Hello @everyone', embeds: [{ title: 'Card', fields: [{ name: 'Before', value: 'x' }] }] }
const send = () => client.send(webhook.url, message, 'nonce-1')

/** The error that a call rejects with. */
async function faultOf(call: Promise<unknown>): Promise<ChatWebhookError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ChatWebhookError)) throw error ?? new Error('it did not fail')
  return error
}

describe('a message', () => {
  it('is sent, and answered with its ID', async () => {
    const { messageId, pauseMs } = await send()
    expect(webhook.messages).toEqual([expect.objectContaining({ id: messageId, ...message })])
    expect(pauseMs).toBe(0)
  })

  it('is waited for, pings nobody, and says how to tell it from another', async () => {
    await send()
    const [request] = fake.requests
    expect([request?.method, request?.query.get('wait')]).toEqual(['POST', 'true'])
    expect(JSON.parse(request?.body ?? '')).toEqual({
      ...message,
      nonce: 'nonce-1',
      enforce_nonce: true,
      allowed_mentions: { parse: [] },
    })
    expect(request?.headers['user-agent']).toBe('Downbeat test')
  })

  it('stays in the thread that the address names: sent, changed and removed', async () => {
    const thread = `${webhook.url}?thread_id=987654321098765432`
    const { messageId } = await client.send(thread, message, 'nonce-1')
    await client.edit(thread, messageId, { content: 'Other', embeds: [] })
    await client.remove(thread, messageId)
    const asked = fake.requests.map(({ method, query }) => [method, query.get('thread_id'), query.get('wait')])
    expect(asked).toEqual([
      ['POST', '987654321098765432', 'true'],
      ['PATCH', '987654321098765432', null],
      ['DELETE', '987654321098765432', null],
    ])
    expect(webhook.messages).toEqual([])
  })

  it('is changed as a whole, without pinging anybody', async () => {
    const { messageId } = await send()
    await client.edit(webhook.url, messageId, { content: 'Other', embeds: [] })
    expect(webhook.messages).toEqual([expect.objectContaining({ id: messageId, content: 'Other', embeds: [] })])
    expect(JSON.parse(fake.requests.at(-1)?.body ?? '').allowed_mentions).toEqual({ parse: [] })
  })

  it('is removed', async () => {
    const { messageId } = await send()
    await client.remove(webhook.url, messageId)
    expect([webhook.messages, webhook.made.length]).toEqual([[], 1])
  })

  it('sent again is the same one where the platform knows the nonce, and tells that', async () => {
    expect((await send()).knowsNonce).toBe(false)
    fake.knowsNonces = true
    const first = await send()
    expect(await send()).toEqual({ ...first, knowsNonce: true })
    expect(webhook.messages).toHaveLength(2)
  })
})

describe('limits', () => {
  it('that are about to be reached are told with the answer', async () => {
    fake.bucket = { requests: 2, windowMs: 60_000 }
    const { messageId, pauseMs } = await send()
    expect(pauseMs).toBe(0)
    const edited = await client.edit(webhook.url, messageId, message)
    expect(edited.pauseMs).toBeGreaterThan(50_000)
    expect(edited.pauseMs).toBeLessThanOrEqual(60_000)
  })

  it.each<[string, Misbehaviour, number | null, boolean]>([
    ['in the body', { limitedS: 1.25 }, 1_250, false],
    ['nowhere', { limitedS: null }, null, false],
    ['in the header', { status: 429, headers: { 'retry-after': '3' } }, 3_000, false],
    ['for everything', { status: 429, body: { message: '…', retry_after: 0.5, global: true } }, 500, true],
    [
      'for everything, by a header',
      { status: 429, headers: { 'retry-after': '3', 'x-ratelimit-scope': 'global' } },
      ...([3_000, true] as const),
    ],
  ])('are told %s', async (_where, how, retryAfterMs, isGlobal) => {
    fake.misbehave(/POST/, how)
    expect(await faultOf(send())).toMatchObject({ fault: 'limited', retryAfterMs, isGlobal, mayBeDone: false })
  })
})

describe('a fault', () => {
  const failure = (status: number, code: number): Misbehaviour => ({ status, body: { message: 'Secret words', code } })

  it.each<[string, Misbehaviour, string, boolean]>([
    ['a webhook that was deleted', failure(404, 10_015), 'webhook_gone', false],
    ['a channel that was deleted', failure(404, 10_003), 'webhook_gone', false],
    ['a token that is not good', failure(401, 50_027), 'webhook_gone', false],
    ['no webhook at all', { status: 404, body: 'Not Found' }, 'webhook_gone', false],
    ['a body that is refused', failure(400, 50_035), 'refused', false],
    ['something that is not allowed', failure(403, 50_013), 'refused', false],
    ['the edge in front of it', failure(403, 40_333), 'unreachable', false],
    ['its own failure', { status: 500, body: 'Oops' }, 'unreachable', false],
    ['being overloaded', { status: 503 }, 'unreachable', false],
    ['a gateway that lost the answer', { status: 502 }, 'unreachable', true],
    ['a gateway that did not wait', { status: 504 }, 'unreachable', true],
    ['an edge that lost the answer', { status: 520 }, 'unreachable', true],
    ['being moved', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unreachable', false],
    ['no message in the answer', { status: 204 }, 'unreachable', true],
    ['another kind of answer', { status: 200, body: { id: '../../1' } }, 'unreachable', true],
    ['half an answer', 'malformed', 'unreachable', true],
    ['a broken connection', 'reset', 'unreachable', true],
    ['taking too long', { slowMs: 2_000 }, 'unreachable', true],
  ])('by %s is told apart', async (_what, how, fault, mayBeDone) => {
    fake.misbehave(/POST/, how)
    expect(await faultOf(send())).toMatchObject({ fault, mayBeDone })
  })

  it('by nobody listening is one in which nothing was asked for', async () => {
    await fake.close()
    expect(await faultOf(send())).toMatchObject({ fault: 'unreachable', mayBeDone: false, detail: 'refused' })
  })

  it.each<[string, Misbehaviour | null, string]>([
    ['a message that was deleted', null, 'message_gone'],
    ['no message at all', { status: 404, body: 'Not Found' }, 'message_gone'],
    ['a webhook that was deleted', failure(404, 10_015), 'webhook_gone'],
    ['a token that is not good', failure(401, 50_027), 'webhook_gone'],
    ['too many edits', failure(400, 30_046), 'refused'],
  ])('in changing and removing by %s is told apart', async (_what, how, fault) => {
    if (how !== null) fake.misbehave(/PATCH|DELETE/, how)
    expect((await faultOf(client.edit(webhook.url, '123', message))).fault).toBe(fault)
    expect((await faultOf(client.remove(webhook.url, '123'))).fault).toBe(fault)
  })

  it('of a message that was deleted while it was sent again is told apart', async () => {
    fake.knowsNonces = true
    const { messageId } = await send()
    webhook.deleteMessage(messageId)
    expect((await faultOf(send())).fault).toBe('message_gone')
  })

  it('tells nothing of the address, the message or the answer', async () => {
    const secrets = [webhook.url, new URL(webhook.url).pathname.split('/').at(-1) ?? '', 'Hello', 'Secret words']
    const faults: Misbehaviour[] = [failure(400, 50_035), failure(401, 50_027), 'reset', { slowMs: 1_000 }, 'malformed']
    for (const how of faults) {
      const behave = fake.misbehave(/POST/, how)
      const error = await faultOf(send())
      behave()
      const told = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`
      for (const secret of secrets) expect(told).not.toContain(secret)
    }
  })
})
