import { isSame } from '../src/infra/secrets.ts'
import { idMadeAt } from './platform.ts'

/**
 * The channels of the chat platform and their webhooks, as far as the platform's REST API shows them (domain: chat
 * platform). A webhook exists after its first message, and its channel has the same id. Everything is kept in memory
 * until this process ends.
 */

interface Field {
  readonly name: string
  readonly value: string
  readonly inline: boolean
}

interface Embed {
  readonly title?: string
  readonly description?: string
  readonly fields: readonly Field[]
}

/** The content of a message. */
export interface Words {
  readonly content: string
  readonly embeds: readonly Embed[]
}

export interface Message extends Words {
  readonly id: string
  readonly madeAt: Date
  readonly editedAt: Date | null
}

/** An error in the format of the platform. */
export interface Refusal {
  readonly status: 400 | 401 | 404
  readonly body: { readonly message: string; readonly code: number; readonly errors?: object }
}

interface Channel {
  readonly token: string
  readonly messages: Map<string, Message>
}

const maxChannels = 50
const maxMessages = 200

const unknownWebhook: Refusal = { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } }
const unknownMessage: Refusal = { status: 404, body: { message: 'Unknown Message', code: 10_008 } }
const wrongToken: Refusal = { status: 401, body: { message: 'Invalid Webhook Token', code: 50_027 } }

export interface Webhook {
  readonly id: string
  readonly token: string
}

export class Channels {
  readonly #channels = new Map<string, Channel>()
  #lastId = 0n

  /** The messages in their order. */
  read(id: string): readonly Message[] {
    return [...(this.#channels.get(id)?.messages.values() ?? [])]
  }

  send(webhook: Webhook, words: Words, now: Date): Message | Refusal {
    const fault = this.#fault(webhook)
    if (fault !== null) return fault
    const channel = this.#channels.get(webhook.id) ?? { token: webhook.token, messages: new Map() }
    // The channel with the latest message is removed last.
    this.#channels.delete(webhook.id)
    this.#channels.set(webhook.id, channel)
    const message = { ...words, id: this.#nextId(now), madeAt: now, editedAt: null }
    channel.messages.set(message.id, message)
    dropOldest(channel.messages, maxMessages)
    dropOldest(this.#channels, maxChannels)
    return message
  }

  /** @param change returns the new content for the current one, or a refusal */
  edit(webhook: Webhook, id: string, change: (words: Words) => Words | Refusal, now: Date): Message | Refusal {
    const found = this.#find(webhook, id)
    if ('status' in found) return found
    const words = change(found.message)
    if ('status' in words) return words
    const message = { ...found.message, ...words, editedAt: now }
    found.messages.set(id, message)
    return message
  }

  remove(webhook: Webhook, id: string): Refusal | null {
    const found = this.#find(webhook, id)
    if ('status' in found) return found
    found.messages.delete(id)
    return null
  }

  #find(webhook: Webhook, id: string): { messages: Map<string, Message>; message: Message } | Refusal {
    const fault = this.#fault(webhook)
    if (fault !== null) return fault
    const messages = this.#channels.get(webhook.id)?.messages
    const message = messages?.get(id)
    return messages === undefined || message === undefined ? unknownMessage : { messages, message }
  }

  /** Refuses a wrong token: a webhook keeps the token of its first use. */
  #fault({ id, token }: Webhook): Refusal | null {
    if (!/^[\w-]{1,100}$/.test(id) || !/^[\w-]{1,200}$/.test(token)) return unknownWebhook
    const channel = this.#channels.get(id)
    return channel === undefined || isSame(token, channel.token) ? null : wrongToken
  }

  #nextId(now: Date): string {
    const id = idMadeAt(now.getTime())
    this.#lastId = id > this.#lastId ? id : this.#lastId + 1n
    return String(this.#lastId)
  }
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}

/** A message in the format of the platform. */
export function describeMessage({ id, content, embeds, madeAt, editedAt }: Message, webhookId: string) {
  return {
    id,
    type: 0,
    channel_id: webhookId,
    webhook_id: webhookId,
    author: { id: webhookId, username: 'Downbeat', discriminator: '0000', avatar: null, bot: true },
    content,
    embeds: embeds.map((embed) => ({ type: 'rich', ...embed })),
    attachments: [],
    components: [],
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    pinned: false,
    tts: false,
    flags: 0,
    timestamp: wireTime(madeAt),
    edited_timestamp: editedAt === null ? null : wireTime(editedAt),
  }
}

function wireTime(date: Date): string {
  return date.toISOString().replace('Z', '000+00:00')
}
