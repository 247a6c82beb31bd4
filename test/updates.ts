import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, vi } from 'vitest'
import type { Config } from '../src/config.ts'
import { hurry } from './emails.ts'
import type { FakeChatWebhooks, FakeWebhook } from './fakes/chat-webhook.ts'
import type { FakeAnswer, Misbehaviour } from './fakes/server.ts'
import type { Caller, Harness, Reply } from './harness.ts'
import { type MadeTournament, makeTournament, type TournamentOptions } from './make.ts'

/** Updates of a tournament for its staff, and the chat channel to which they are posted. */

/** The part of a harness that another process has too. */
export type Api = Pick<Harness, 'get' | 'post' | 'patch' | 'delete' | 'sql'>

const within = { timeout: 60_000, interval: 20 }

export interface Channel {
  readonly organiser: Caller
  readonly tournament: MadeTournament
  readonly webhook: FakeWebhook
}

/** A tournament with a chat channel of its own. */
export async function makeChannel(
  api: Harness,
  chat: FakeChatWebhooks,
  options: TournamentOptions = {},
): Promise<Channel> {
  const organiser = await api.user()
  const tournament = await makeTournament(api, organiser, options)
  const webhook = chat.addWebhook()
  await setWebhook(api, tournament, webhook)
  return { organiser, tournament, webhook }
}

export async function setWebhook(api: Api, tournament: MadeTournament, webhook: FakeWebhook | null): Promise<void> {
  await api.sql('update tournaments set chat_webhook_url = $1 where guid = $2', [webhook?.url ?? null, tournament.guid])
}

export interface PublishBody {
  readonly guid?: string
  readonly content?: string
  readonly title?: string
  readonly changes?: readonly object[]
  readonly sendToChat?: boolean
}

export function publish(
  api: Api,
  { tournament, organiser }: Pick<Channel, 'tournament' | 'organiser'>,
  body: PublishBody = {},
): Promise<Reply> {
  return api.post(`/tournaments/${tournament.guid}/updates`, organiser, {
    guid: randomUUID(),
    content: 'The finals take place on **Sunday**.',
    ...body,
  })
}

/** Publishes an update to the chat; returns its GUID. */
export async function announce(api: Api, channel: Channel, body: PublishBody = {}): Promise<string> {
  const reply = await publish(api, channel, { sendToChat: true, ...body })
  expect([reply.status, reply.text.slice(0, 200)]).toEqual([201, expect.any(String)])
  return reply.body.update.guid
}

export const edit = (api: Api, { tournament, organiser }: Channel, guid: string, body: object) =>
  api.patch(`/tournaments/${tournament.guid}/updates/${guid}`, organiser, body)

export const remove = (
  api: Api,
  { tournament, organiser }: Channel,
  guid: string,
  expectedUpdatedAt: string | null = null,
) => api.delete(`/tournaments/${tournament.guid}/updates/${guid}`, organiser, { expectedUpdatedAt })

export const retry = (api: Api, { tournament, organiser }: Channel, guid: string) =>
  api.post(`/tournaments/${tournament.guid}/updates/${guid}/chat`, organiser)

/** The update in the list, as the organiser sees it. */
export async function listed(api: Api, { tournament, organiser }: Channel, guid: string) {
  const { body } = await api.get(`/tournaments/${tournament.guid}/updates?limit=50`, organiser)
  return body.updates.find((update: { guid: string }) => update.guid === guid)
}

/** The delivery of the update, once it has this status. */
export async function delivery(api: Api, channel: Channel, guid: string, status = 'delivered') {
  const found = async () => (await listed(api, channel, guid))?.delivery
  await vi
    .waitUntil(async () => (await found())?.status === status, within)
    .catch(async () => expect((await found())?.status).toBe(status))
  return found()
}

/** Waits until all messages of a deleted update have been removed. */
export async function removed(api: Api, guid: string): Promise<void> {
  const left = () => api.sql('select from chat_deliveries where guid = $1', [guid])
  await vi.waitUntil(async () => (await left()).length === 0, within)
}

/** A text of paragraphs that needs so many messages. */
export function longText(messages: number): string {
  const paragraph = (number: number) => `Part ${number}. ${'And so on and on. '.repeat(100)}`.trim()
  return Array.from({ length: messages }, (_, index) => paragraph(index + 1)).join('\n\n')
}

export const contents = (webhook: FakeWebhook) => webhook.messages.map(({ content }) => content)

/** A service whose chat platform is the fake. */
export function chatWebhookConfig(chat: FakeChatWebhooks): Config['chat'] {
  return { credentials: null, apiUrl: chat.apiUrl, authorizeUrl: chat.url, cdnUrl: chat.url }
}

/** Makes deliveries that wait for their next attempt due now. */
export async function hasten(api: Pick<Harness, 'sql'>): Promise<void> {
  await api.sql('update chat_deliveries set next_attempt_at = now() where next_attempt_at is not null')
  await hurry(api)
}

/** Repeats `hasten` until the update's delivery has this status. */
export async function hastenUntil(api: Api, channel: Channel, guid: string, status: string) {
  const stored = async () => {
    const [row] = await api.sql<{ status: string }>('select status from chat_deliveries where guid = $1', [guid])
    return row?.status
  }
  await vi
    .waitUntil(async () => {
      if ((await stored()) === status) return true
      await hasten(api)
      return false
    }, within)
    .catch(async () => expect(await stored()).toBe(status))
  return (await listed(api, channel, guid))?.delivery
}

/** Misbehaves at requests until the returned function is called, at the latest until the test ends. */
export function misbehave(chat: FakeChatWebhooks, matcher: RegExp, how: Misbehaviour): () => void {
  const rule = chat.misbehave(matcher, how)
  let isOver = false
  const behave = () => {
    if (!isOver) rule()
    isOver = true
  }
  onTestFinished(behave)
  return behave
}

export type Answer = Extract<Misbehaviour, (...args: never) => unknown>

/** Answers the request with this number, counted from now. */
export function misbehaveAt(
  chat: FakeChatWebhooks,
  number: number,
  answer: Answer | FakeAnswer,
  matcher = /POST/,
): void {
  let count = 0
  misbehave(chat, matcher, async (request, proper) => {
    if (++count !== number) return proper()
    return typeof answer === 'function' ? answer(request, proper) : answer
  })
}

/** The request is carried out, but its answer is lost at a gateway. */
export const lostAtGateway: Answer = async (_request, proper) => {
  proper()
  return { status: 504 }
}

/** The update's delivery, once it waits after a fault. */
export async function trouble(api: Api, channel: Channel, guid: string) {
  const found = async () => (await listed(api, channel, guid)).delivery
  await expect.poll(async () => (await found()).lastError).not.toBeNull()
  return found()
}

/** Expects that every part is in the chat once and in order, and that the record has the message ids. */
export async function expectWhole(api: Api, channel: Channel, guid: string, text: string): Promise<void> {
  const { parts, lastError } = await delivery(api, channel, guid)
  expect(lastError).toBeNull()
  expect(parts).toEqual(
    channel.webhook.messages.map(({ id }, index) => ({ index, status: 'delivered', messageId: id })),
  )
  expect(contents(channel.webhook).join('\n\n')).toBe(text)
  expect(channel.webhook.made).toHaveLength(parts.length)
}
