import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allKinds, listen, told } from '../../../../test/announcements.ts'
import { caughtUp } from '../../../../test/event-log.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTeam, roleHolder } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { makeStage, type Stage } from '../../../../test/stage.ts'
import { chatWebhookConfig } from '../../../../test/updates.ts'
import { notifier } from '../../people/notifications/followers.ts'

/** What would leave a rehearsal is recorded as it would be sent, and fails as the faults say. (R3) */

let chat: FakeChatWebhooks
let api: Harness
let organiser: Caller
let stage: Stage
let fleeting: Caller
beforeAll(async () => {
  chat = await startFakeChatWebhooks()
  api = await startHarness({ chat: chatWebhookConfig(chat) })
  organiser = await api.user({ name: 'maestro' })
  stage = await makeStage(api, organiser, { name: 'Spring Cup', teams: 3, status: 'ongoing', seeds: [1, 2, 3] })
  fleeting = await api.user({ name: 'fleeting' })
  const last = await makeTeam(api, stage.cup, await api.user(), { members: [fleeting], status: 'registered' })
  await api.sql('update teams set seed = 4 where guid = $1', [last.guid])
  await stage.bracket({ entrants: { source: 'registered' } })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

interface Message {
  readonly guid: string
  readonly kind: string
  readonly at: string
  readonly to: string
  readonly subject: string
  readonly body: string
  readonly status: string
  readonly attempts: readonly { readonly at: string; readonly status: number }[]
}

const minute = 60_000
const start = Date.parse('2031-05-01T18:00:00.000Z')
const instant = (seconds: number) => new Date(start + seconds * 1_000).toISOString()

async function done(reply: ReturnType<Harness['get']>) {
  const answered = await reply
  expect(answered.status, answered.text).toBeLessThan(300)
  return answered
}

class Rehearsal {
  readonly path: string
  readonly own: string

  constructor(guid: string) {
    this.path = `/tournaments/${guid}`
    this.own = `${stage.path}/rehearsals/${guid}`
  }

  async advance(seconds: number): Promise<void> {
    const reply = await done(api.post(`${this.own}/clock`, organiser, { advanceTo: instant(seconds) }))
    expect(reply.body.done).toBe(true)
  }

  async messages(query = ''): Promise<Message[]> {
    return (await done(api.get(`${this.own}/outbox${query}`, organiser))).body.messages
  }

  faults(body: object) {
    return done(api.put(`${this.own}/faults`, organiser, body))
  }
}

async function rehearse(seed: string): Promise<Rehearsal> {
  const body = { name: seed, seed, startsAt: instant(0) }
  const rehearsal = new Rehearsal((await done(api.post(`${stage.path}/rehearsals`, organiser, body))).body.guid)
  await done(api.post(`${rehearsal.path}/status`, organiser, { status: 'ongoing' }))
  return rehearsal
}

/** The beginning of an evening. */
async function play(path: string, between: () => Promise<void>): Promise<void> {
  await done(api.post(`${path}/matches/1/call`, organiser, { message: 'Lobby **2**, with "fleeting"' }))
  await between()
  await done(api.put(`${path}/matches/1/result`, organiser, { outcome: 'walkover', winner: 1 }))
  await between()
}

const guids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Without what is another one for each copy. */
const alike = (text: string) => text.replaceAll(guids, 'guid').replace(/"nonce":"[^"]*"/, '"nonce":""')

test('messages are recorded as the real tournament sends them', async () => {
  // A rehearsal begins as a draft, so that its registration opens once more.
  const { registration_opened: _opened, ...kinds } = allKinds
  const webhook = await listen(api, chat, stage.cup, kinds)
  const rehearsal = await rehearse('friday')
  await using socket = await openSocket(api, { as: organiser })
  const topic = `${rehearsal.own}/outbox`
  expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot', body: { messages: [] } })
  let seconds = 0
  await play(rehearsal.path, () => {
    seconds += 300
    return rehearsal.advance(seconds)
  })
  expect(chat.requests).toEqual([])
  await play(stage.path, async () => void (await told(api, stage.cup, webhook)))
  await caughtUp(api, notifier)
  const { body: all } = await done(api.get(topic, organiser))
  const messages: Message[] = all.messages
  await socket.copies.until((copies) => isDeepStrictEqual(copies.all.get(topic)?.body, all), 'the last message')
  const of = (kind: string) => messages.filter((message) => message.kind === kind)
  expect(of('chat').length).toBeGreaterThan(1)
  expect(of('chat').map(({ body }) => alike(body))).toEqual(chat.requests.map(({ body }) => alike(body)))
  expect(new Set(of('chat').map(({ to, status }) => `${to} ${status}`))).toEqual(new Set(['chatWebhookUrl sent']))
  const notified = await api.sql<{ body: string; name: string }>(
    `select json_build_object('type', n.type, 'title', n.title, 'body', n.body, 'data', n.data)::text as body,
       u.preferred_name as name from notifications n join users u on u.guid = n.user_guid order by name`,
  )
  expect(of('notification').map(({ to, body }) => [to, JSON.parse(alike(body))])).toEqual(
    notified.map(({ name, body }) => [name, JSON.parse(alike(body))]),
  )
  expect(notified).toHaveLength(3)
  expect(of('push').map(({ to }) => to)).toEqual(notified.map(({ name }) => name))
  expect(JSON.parse(of('push')[0]?.body ?? '')).toMatchObject({ kind: 'match_called', title: 'Your match is called' })
  for (const { at } of messages) expect(Date.parse(at) - start).toBeLessThan(10 * minute)
  const [first, ...rest] = messages
  const page = await done(api.get(`${rehearsal.own}/outbox?limit=1`, organiser))
  expect(page.body.messages).toEqual([first])
  const next = await rehearsal.messages(`?limit=100&before=${page.body.nextCursor}`)
  expect(next).toEqual(rest)
  expect(await rehearsal.messages('?kind=chat&status=failed')).toEqual([])
  const caster = await roleHolder(api, stage.cup, 'role:caster')
  expect((await api.get(`${rehearsal.own}/outbox`, caster)).status).toBe(200)
  expect(outcome(await api.put(`${rehearsal.own}/faults`, caster, {}))[0]).toBe(403)
  const outsider = await api.user()
  expect(outcome(await api.get(`${rehearsal.own}/outbox`, outsider))).toEqual([404, 'rehearsal.unknown'])
  expect(outcome(await api.put(`${rehearsal.own}/faults`, outsider, {}))).toEqual([404, 'rehearsal.unknown'])
  // The recipient of a message loses the name with the account.
  expect(of('push').map(({ to }) => to)).toContain('fleeting')
  expect(outcome(await api.delete('/users/@me', fleeting))).toEqual([204, null])
  const { text, body: after } = await done(api.get(topic, organiser))
  expect(text).not.toContain('fleeting')
  // So do the texts of messages to others.
  expect(after.messages.map(({ body }: Message) => body)).toEqual(
    messages.map(({ body }) => (body.includes('fleeting') ? '' : body)),
  )
  await socket.copies.until((copies) => isDeepStrictEqual(copies.all.get(topic)?.body, after), 'the texts are gone')
})

test('faults lead to the attempts that senders make in earnest, the same in every equal rehearsal', async () => {
  const evening = async () => {
    const rehearsal = await rehearse('monday')
    await rehearsal.faults({
      chat: { answer: 'limit', retryAfter: 30, share: 0.7 },
      notification: { answer: 'fail', status: 500, share: 0.5 },
      push: { answer: 'fail', status: 503, delaySeconds: 20 },
    })
    await done(api.post(`${rehearsal.path}/matches/2/call`, organiser, {}))
    for (const seconds of [600, 1_200, 1_800]) await rehearsal.advance(seconds)
    const messages = await rehearsal.messages()
    await done(api.delete(rehearsal.own, organiser))
    return messages.map(({ guid, body, ...message }) => ({ ...message, body: alike(body) }))
  }
  const [one, other] = [await evening(), await evening()]
  expect(one).toEqual(other)
  const of = (kind: string) => one.filter((message) => message.kind === kind)
  const gaps = ({ attempts }: Pick<Message, 'attempts'>) =>
    attempts.slice(1).map(({ at }, index) => (Date.parse(at) - Date.parse(attempts[index]?.at ?? '')) / 1_000)
  for (const message of of('chat')) expect(new Set([30, ...gaps(message)])).toEqual(new Set([30]))
  for (const { status, attempts } of of('push')) {
    expect(status).toBe('failed')
    expect(attempts[0]).toEqual({ at: instant(20), status: 503 })
  }
  expect(one.some(({ status, attempts }) => status === 'sent' && attempts.length > 1)).toBe(true)
})

test('a rehearsal of a held tournament announces results when its viewers see them', async () => {
  const own = await makeStage(api, organiser, { name: 'Held Cup', teams: 2, status: 'ongoing' })
  await own.bracket({ entrants: { source: 'registered' } })
  await listen(api, chat, own.cup, allKinds)
  await done(api.patch(own.path, organiser, { spoilerMode: 'held', streamDelaySeconds: 600 }))
  const { guid } = (await done(api.post(`${own.path}/rehearsals`, organiser, { name: 'Held', startsAt: instant(0) })))
    .body
  const [path, rehearsal] = [`/tournaments/${guid}`, `${own.path}/rehearsals/${guid}`]
  expect((await done(api.get(path, organiser))).body.spoilerMode).toBe('held')
  await done(api.post(`${path}/status`, organiser, { status: 'ongoing' }))
  const told = async (seconds: number) => {
    const reply = await done(api.post(`${rehearsal}/clock`, organiser, { advanceTo: instant(seconds) }))
    expect(reply.body.done).toBe(true)
    const { messages } = (await done(api.get(`${rehearsal}/outbox?kind=chat`, organiser))).body
    return messages.flatMap(({ body, at }: Message) => (body.includes('Team 2') ? [at] : []))
  }
  await told(60)
  await done(api.put(`${path}/matches/1/result`, organiser, { outcome: 'walkover', winner: 1 }))
  expect(await told(659)).toEqual([])
  expect(await told(700)).toEqual([instant(660)])
  const { differences } = (await done(api.get(`${rehearsal}/differences`, organiser))).body
  expect(differences.map(({ field }: { field: string }) => field)).not.toContain('settings/spoilerMode')
})
