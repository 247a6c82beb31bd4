import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atRest } from '../../../../test/emails.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { announce, type Channel, chatWebhookConfig, delivery, longText, makeChannel } from '../../../../test/updates.ts'

/** The preview of an update: what it shows is what the chat then gets. */

let chat: FakeChatWebhooks
let api: Harness
let channel: Channel
beforeAll(async () => {
  chat = await startFakeChatWebhooks()
  api = await startHarness({ chat: chatWebhookConfig(chat) })
  channel = await makeChannel(api, chat)
})
afterAll(async () => {
  await atRest(api)
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const pathOf = ({ tournament }: Pick<Channel, 'tournament'>) => `/tournaments/${tournament.guid}/updates/preview`
const preview = (body: object, as: Caller | null = channel.organiser) => api.post(pathOf(channel), as, body)

/** The messages that were posted to the channel, in their order, with nothing but what a reader sees. */
const postedTo = ({ webhook }: Channel): unknown[] =>
  chat.requests
    .filter(({ method, path }) => method === 'POST' && path === new URL(webhook.url).pathname)
    .map(({ body }) => {
      const { content, embeds } = JSON.parse(body)
      return { content, embeds }
    })

const card = (index: number, length = 20) => ({
  title: `Card ${index} <b>${'*'.repeat(index)}`,
  before: { day: 'Saturday', rooms: ['1', '2'] },
  after: 'é'.repeat(length),
  [`note ${index}`]: ['a', { b: null }],
})

const texts: [string, { content: string; title?: string; changes?: object[] }][] = [
  ['a plain text', { content: 'The finals take place on **Sunday**.' }],
  ['a title full of markup', { title: '*Finals* `moved` <@1> [x](https://a.example) ||no||', content: 'a' }],
  ['forms of the chat platform', { content: '<t:1798761600:F> <@1> <@&2> <#3> <:name:4> </command:5> <3 a < b' }],
  [
    'hostile markup',
    { content: '<script>alert(1)</script>Hi <img src=x onerror=a> [x](javascript:alert(1)) @everyone' },
  ],
  ['a text of several parts', { title: 'Long', content: longText(4) }],
  ['words without an end', { title: 'T'.repeat(120), content: '👩‍👩‍👧‍👦'.repeat(500) }],
  ['code that is cut', { content: `\`\`\`ts\n${'const a = 1 // and so on\n'.repeat(200)}\`\`\`` }],
  ['marks that end nowhere', { content: '[*`<'.repeat(3_900) }],
  ['cards of changes', { content: 'See:', changes: Array.from({ length: 12 }, (_, index) => card(index)) }],
  [
    'cards that need further messages',
    { content: longText(2), changes: Array.from({ length: 12 }, (_, i) => card(i, 1_500)) },
  ],
  ['cards with nothing to show', { content: 'a', changes: [{}, { before: '' }, { title: ' ' }] }],
]

describe('what is shown is what is sent', () => {
  test.each(texts)('%s', async (_name, text) => {
    const shown = await preview(text)
    expect([outcome(shown), shown.text.length > 0]).toEqual([[200, null], true])
    expect(postedTo(channel)).toEqual([])
    const sent = await makeChannel(api, chat)
    const guid = await announce(api, sent, text)
    const { parts } = await delivery(api, sent, guid)
    const received = postedTo(sent)
    expect(received).toHaveLength(parts.length)
    // As text: members, their order and every character.
    expect(JSON.stringify(shown.body.messages)).toBe(JSON.stringify(received))
    const { updates } = (await api.get(`/tournaments/${sent.tournament.guid}/updates?include=html`)).body
    expect(shown.body.html).toEqual(updates[0].html)
  })
})

test('the HTML is safe, whatever was written', async () => {
  const { body } = await preview({
    content: '<script>x</script># Hi <b>\n\n[out](https://a.example) [bad](javascript:x) ![p](https://b.example/p.png)',
  })
  expect(body.html.content).toBe(
    '<h1>Hi</h1>\n<p><a href="https://a.example" rel="nofollow ugc noopener noreferrer">out</a> bad <a href="https://b.example/p.png" rel="nofollow ugc noopener noreferrer">p</a></p>\n',
  )
})

test('nothing is stored or sent, with or without a chat webhook', async () => {
  const organiser = await api.user()
  const bare = { organiser, tournament: await makeTournament(api, organiser) }
  const counts = () =>
    api.sql(
      `select (select count(*) from updates) as updates, (select count(*) from chat_deliveries) as deliveries,
        (select max(seq) from event_log) as seq`,
    )
  const before = [await counts(), chat.requests.length]
  const body = { content: 'Hello', changes: [{ a: 1 }], sendToChat: true }
  for (const each of [bare, channel]) {
    const reply = await api.post(pathOf(each), each.organiser, body)
    expect([outcome(reply), reply.body.messages]).toEqual([
      [200, null],
      [{ content: 'Hello', embeds: [{ fields: [{ name: 'a', value: '1' }] }] }],
    ])
  }
  expect([await counts(), chat.requests.length]).toEqual(before)
})

test('is for those who may publish, and refuses what a publication would', async () => {
  const { tournament } = channel
  const [staff, caster, outsider] = await Promise.all([
    roleHolder(api, tournament, 'role:staff'),
    roleHolder(api, tournament, 'role:caster'),
    api.user(),
  ])
  const publish = (body: object, as: Caller | null) =>
    api.post(`/tournaments/${tournament.guid}/updates`, as, { guid: crypto.randomUUID(), ...body })
  for (const caller of [staff, caster, outsider, null]) {
    const [shown, published] = [await preview({ content: 'a' }, caller), await publish({ content: 'a' }, caller)]
    expect(outcome(shown)).toEqual(published.status === 201 ? [200, null] : outcome(published))
  }
  const refused: [object, string][] = [
    [{}, 'request.invalid'],
    [{ content: '<script></script>' }, 'update.content_empty'],
    [{ content: 'a'.repeat(16_001) }, 'request.invalid'],
    [{ content: 'a', changes: [{ '<b>': 1 }] }, 'update.changes_invalid'],
    [{ content: 'a', changes: Array(13).fill({}) }, 'request.invalid'],
  ]
  for (const [body, code] of refused) {
    expect(outcome(await preview(body))).toEqual([400, code])
    expect(outcome(await publish(body, channel.organiser))).toEqual([400, code])
  }
  const hidden = await makeTournament(api, channel.organiser, { status: 'draft' })
  expect(outcome(await api.post(pathOf({ tournament: hidden }), outsider, { content: 'a' }))).toEqual([
    404,
    'tournament.unknown',
  ])
})
