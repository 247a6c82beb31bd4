import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChatWebhookError, createChatWebhookClient } from '../src/infra/clients/chat-webhooks.ts'
import { createHttpClient } from '../src/infra/clients/http.ts'
import { chatConfig } from '../test/chat-sign-in.ts'
import { startFakeChat } from '../test/fakes/chat.ts'
import { type Harness, startHarness } from '../test/harness.ts'
import { makePlatform, makeTournament } from '../test/make.ts'

/** The chat channels of a local installation, in the formats of the chat platform. (domain: 8.4) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const standIn = '/auth/stand-in'
let sequence = 0

function newWebhook(token = 'a-token') {
  const id = String(1_184_720_934_812_345_000n + BigInt(++sequence))
  const path = `${standIn}/webhooks/${id}/${token}`
  return {
    id,
    path,
    url: `${api.url}/api${path}`,
    send: (body: unknown) => api.post(`${path}?wait=true`, null, body),
    page: async () => (await api.get(`${standIn}/channels/${id}`)).text,
  }
}

const errorOf = ({ status, body }: { status: number; body: { code?: number } }) => [status, body.code]
const wireTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)

describe('a webhook', () => {
  test('answers with the message where that is waited for, else with nothing', async () => {
    const { id, path, send, page } = newWebhook()
    const embed = { title: 'Final', fields: [{ name: 'Before', value: 'Saturday', inline: true }] }
    const reply = await send({ content: 'Hello **all**', embeds: [embed], allowed_mentions: { parse: [] }, nonce: 'x' })
    expect([reply.status, reply.body]).toEqual([
      200,
      expect.objectContaining({
        id: expect.stringMatching(/^\d{17,20}$/),
        type: 0,
        channel_id: id,
        webhook_id: id,
        content: 'Hello **all**',
        embeds: [{ type: 'rich', ...embed }],
        timestamp: wireTime,
        edited_timestamp: null,
      }),
    ])
    for (const query of ['', '?wait=false']) {
      const silent = await api.post(`${path}${query}`, null, { content: 'quiet' })
      expect([silent.status, silent.text]).toEqual([204, ''])
    }
    expect((await page()).split('quiet')).toHaveLength(3)
  })

  test('edits what is given and keeps the rest, and removes', async () => {
    const { path, send, page } = newWebhook()
    const { body: sent } = await send({ content: 'first', embeds: [{ description: 'kept' }] })
    const message = `${path}/messages/${sent.id}`
    const edited = await api.patch(message, null, { content: 'second' })
    expect([edited.status, edited.body]).toEqual([200, { ...sent, content: 'second', edited_timestamp: wireTime }])
    expect(await page()).toContain('edited')
    expect(errorOf(await api.patch(message, null, { content: '', embeds: [] }))).toEqual([400, 50_006])
    const gone = await api.delete(message, null)
    expect([gone.status, gone.text]).toEqual([204, ''])
    for (const late of [await api.delete(message, null), await api.patch(message, null, { content: 'x' })]) {
      expect([late.status, late.body]).toEqual([404, { code: 10_008, message: 'Unknown Message' }])
    }
    expect(await page()).toContain('Nothing stands here yet')
  })

  test('has the platform’s limits', async () => {
    const { send } = newWebhook()
    const embeds = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `${index}` }))
    const fields = (count: number) => Array.from({ length: count }, () => ({ name: 'n', value: 'v' }))
    const long = (length: number) => 'x'.repeat(length)
    const taken: object[] = [
      { content: long(2_000) },
      { embeds: embeds(10) },
      { content: null, embeds: [{ title: long(256), description: long(4_096) }] },
      { embeds: [{ fields: fields(25) }] },
    ]
    for (const body of taken) expect((await send(body)).status).toBe(200)
    const refused: unknown[] = [
      { content: long(2_001) },
      { content: `${long(1_999)}😀` },
      { embeds: embeds(11) },
      { embeds: [{ title: long(257) }] },
      { embeds: [{ description: long(4_097) }] },
      { embeds: [{ fields: fields(26) }] },
      { embeds: [{ fields: [{ name: '', value: 'v' }] }] },
      { embeds: [{ fields: [{ name: 'n', value: long(1_025) }] }] },
      { embeds: [{}] },
      { embeds: [{ description: long(4_000) }, { description: long(2_001) }] },
      { content: 1 },
      { embeds: 'x' },
      [],
    ]
    for (const body of refused) {
      const reply = await send(body)
      expect([JSON.stringify(body).slice(0, 60), ...errorOf(reply)]).toEqual([
        JSON.stringify(body).slice(0, 60),
        400,
        50_035,
      ])
      expect(reply.body.message).toBe('Invalid Form Body')
    }
    for (const body of [{}, { content: ' ' }, { embeds: [] }]) expect(errorOf(await send(body))).toEqual([400, 50_006])
  })

  test('is written to with the token that it was first used with, alone', async () => {
    const { id, path, send } = newWebhook()
    const { body } = await send({ content: 'mine' })
    const other = path.replace('a-token', 'b-token')
    const answers = [
      await api.post(other, null, { content: 'theirs' }),
      await api.patch(`${other}/messages/${body.id}`, null, { content: 'theirs' }),
      await api.delete(`${other}/messages/${body.id}`, null),
    ]
    for (const answer of answers) expect(errorOf(answer)).toEqual([401, 50_027])
    for (const name of [`${standIn}/webhooks/${id}/a%20b`, `${standIn}/webhooks/${'1'.repeat(101)}/t`]) {
      expect(errorOf(await api.post(name, null, { content: 'x' }))).toEqual([404, 10_015])
    }
  })

  test('keeps the newest 200 messages, in their order', async () => {
    const { path, send, page } = newWebhook()
    const { body: first } = await send({ content: 'number 0.' })
    for (let number = 1; number <= 200; number++) await api.post(path, null, { content: `number ${number}.` })
    const shown = [...(await page()).matchAll(/number (\d+)\./g)].map(([, number]) => Number(number))
    expect(shown).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    expect(errorOf(await api.delete(`${path}/messages/${first.id}`, null))).toEqual([404, 10_008])
  })

  test('is forgotten when 50 others have been written to since', async () => {
    const [old, used] = [newWebhook(), newWebhook()]
    for (const { send } of [old, used]) await send({ content: 'long ago' })
    for (let count = 0; count < 49; count++) await newWebhook().send({ content: 'x' })
    await used.send({ content: 'again' })
    await newWebhook().send({ content: 'x' })
    expect(await old.page()).toContain('Nothing stands here yet')
    expect(await used.page()).toContain('long ago')
  })

  test('cannot be used by the pages of other websites', async () => {
    const { path, page } = newWebhook()
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      for (const [method, at] of [
        ['POST', path],
        ['PATCH', `${path}/messages/1`],
        ['DELETE', `${path}/messages/1`],
      ] as const) {
        const reply = await api.call(method, at, {
          headers,
          ...(method === 'DELETE' ? {} : { body: { content: 'x' } }),
        })
        expect([reply.status, reply.headers.get('problem-code')]).toEqual([403, 'request.cross_site'])
      }
    }
    expect(await page()).toContain('Nothing stands here yet')
  })

  test('is one to the very client that deliveries use', async () => {
    const http = createHttpClient({ userAgent: 'test', timeoutMs: 5_000, maxBodyBytes: 100_000, connections: 1 })
    const client = createChatWebhookClient(http)
    const { url, page } = newWebhook()
    const sent = await client.send(url, { content: 'early', embeds: [] }, 'nonce')
    await client.edit(url, sent.messageId, { content: 'late', embeds: [{ title: 'card' }] })
    const shown = await page()
    expect([shown.includes('late'), shown.includes('card'), shown.includes('early')]).toEqual([true, true, false])
    await client.remove(url, sent.messageId)
    const fault = await client.remove(url, sent.messageId).catch((error: ChatWebhookError) => error.fault)
    expect(fault).toBe('message_gone')
    await http.close()
  })
})

describe('the page of a channel', () => {
  test('shows hostile content as text, and runs and loads nothing', async () => {
    const { send, id } = newWebhook()
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)> [go](javascript:alert(1))'
    await send({
      content: evil,
      embeds: [{ title: `${evil}"'`, description: evil, fields: [{ name: evil, value: evil }] }],
    })
    const reply = await api.get(`${standIn}/channels/${id}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(reply.text).not.toMatch(/<script|<img|href="javascript/i)
    expect(reply.text.split('&lt;script&gt;')).toHaveLength(6)
  })

  test('is there for every channel, whatever its name, and never shows the token', async () => {
    const { send, page } = newWebhook('very-secret')
    await send({ content: '**bold**\nand more' })
    expect(await page()).toMatch(/<strong>bold<\/strong><br \/>\s*and more/)
    expect(await page()).not.toContain('very-secret')
    const strange = await api.get(`${standIn}/channels/%3Cscript%3E`)
    expect([strange.status, strange.text.includes('<script')]).toEqual([200, false])
  })
})

test('tournaments and platforms take the address of such a webhook as their chat webhook', async () => {
  const { url } = newWebhook()
  const [organiser, owner] = [await api.user(), await api.user({ globalRoles: ['role:owner'] })]
  const { guid } = await makeTournament(api, organiser)
  const { contextId } = await makePlatform(api)
  const set = async (chatWebhookUrl: string) => [
    (await api.patch(`/tournaments/${guid}`, organiser, { chatWebhookUrl })).status,
    (await api.put(`/tournament-platforms/${contextId}/settings`, owner, { chatWebhookUrl })).status,
  ]
  expect(await set(url)).toEqual([200, 200])
  for (const wrong of [`${url}/messages/1`, `${url}?wait=true`, 'https://discord.com/api/webhooks/1/t']) {
    expect([wrong, ...(await set(wrong))]).toEqual([wrong, 400, 400])
  }
  const reply = await api.patch(`/tournaments/${guid}`, organiser, { chatWebhookUrl: 'nonsense' })
  expect(reply.text).toContain(`${api.url}/api/auth/stand-in/webhooks/{id}/{token}`)
})

test('the channels exist in the local environment without chat credentials alone', async () => {
  const chat = await startFakeChat()
  const path = `${standIn}/webhooks/1/t`
  const statuses = async (service: Harness) => [
    (await service.post(path, null, { content: 'x' })).status,
    (await service.patch(`${path}/messages/1`, null, { content: 'x' })).status,
    (await service.get(`${standIn}/channels/1`)).status,
  ]
  expect(await statuses(api)).toEqual([204, 404, 200])
  for (const environment of ['local', 'production'] as const) {
    await using outside = await startHarness({ chat: chatConfig(chat), environment })
    expect(await statuses(outside)).toEqual([404, 404, 404])
    const here = `${outside.url}/api${path}`
    const organiser = await outside.user()
    const { guid } = await makeTournament(outside, organiser)
    expect((await outside.patch(`/tournaments/${guid}`, organiser, { chatWebhookUrl: here })).status).toBe(400)
  }
  await chat.close()
})
