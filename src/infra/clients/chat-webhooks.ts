import { Type } from 'typebox'
import { shapeOf } from '../../core/shape.ts'
import { findBody, readBody, retryAfterMs } from './answers.ts'
import { type HttpAnswer, type HttpClient, Unreachable } from './http.ts'

/**
 * Messages in a channel of the chat platform (Discord, API version 10), through a webhook that the channel's owners
 * have created.
 */

export interface ChatEmbed {
  readonly title?: string
  readonly description?: string
  readonly fields?: readonly { readonly name: string; readonly value: string; readonly inline?: boolean }[]
}

/** Text, embeds, or both. Mentions in it notify the named roles alone. */
export interface ChatMessage {
  /** The platform's own Markdown. */
  readonly content: string
  readonly embeds: readonly ChatEmbed[]
  /** The IDs of the roles that the message notifies; no others are notified. */
  readonly mentionedRoles?: readonly string[]
}

export interface Taken {
  /** How long this webhook must not be used, in milliseconds; 0 when the platform does not say. */
  readonly pauseMs: number
}

export interface Sent extends Taken {
  readonly messageId: string
  /**
   * Whether the platform checked the nonce: it then returns the message that a recent call with this nonce created, and
   * creates no second one.
   */
  readonly knowsNonce: boolean
}

/**
 * - `limited`: too many requests; nothing was done
 * - `webhook_gone`: the webhook was deleted, or its token is invalid
 * - `message_gone`: the message was deleted
 * - `refused`: the platform will never do this
 * - `unreachable`: no usable answer; another attempt may help
 */
export type ChatWebhookFault = 'limited' | 'webhook_gone' | 'message_gone' | 'refused' | 'unreachable'

/** The message contains only the host and the reason, because addresses and answers may contain a secret. */
export class ChatWebhookError extends Error {
  override readonly name = 'ChatWebhookError'
  readonly fault: ChatWebhookFault
  /** The platform's code, the status, or a word for a missing answer. */
  readonly detail: string
  readonly retryAfterMs: number | null
  /** Whether the limit covers all our requests, not only this webhook. */
  readonly isGlobal: boolean
  /** Whether the request may have succeeded although its answer was lost. */
  readonly mayBeDone: boolean

  constructor(
    host: string,
    fault: ChatWebhookFault,
    detail: string,
    facts: { readonly retryAfterMs?: number | null; readonly isGlobal?: boolean; readonly mayBeDone?: boolean } = {},
  ) {
    super(`${host}: ${fault} (${detail})`)
    this.fault = fault
    this.detail = detail
    this.retryAfterMs = facts.retryAfterMs ?? null
    this.isGlobal = facts.isGlobal ?? false
    this.mayBeDone = facts.mayBeDone ?? false
  }
}

/** The caller must check that the address belongs to the platform. All methods reject with ChatWebhookError. */
export interface ChatWebhookClient {
  /** @param nonce up to 25 characters, the same for every attempt to send one message */
  send(webhookUrl: string, message: ChatMessage, nonce: string): Promise<Sent>
  /** Replaces the whole message. */
  edit(webhookUrl: string, messageId: string, message: ChatMessage): Promise<Taken>
  remove(webhookUrl: string, messageId: string): Promise<Taken>
}

const sentShape = shapeOf(
  Type.Object({ id: Type.String({ pattern: '^[0-9]{1,20}$' }), nonce: Type.Optional(Type.Unknown()) }),
)
const errorShape = shapeOf(
  Type.Object({
    code: Type.Optional(Type.Integer()),
    retry_after: Type.Optional(Type.Number()),
    global: Type.Optional(Type.Boolean()),
  }),
)

const codes = { unknownMessage: 10_008, unknownWebhook: 10_015, invalidToken: 50_027, blockedByEdge: 40_333 }

export function createChatWebhookClient(http: HttpClient): ChatWebhookClient {
  type Asked = Parameters<HttpClient['request']>[0]
  const ask = async (request: Asked, target: Target): Promise<HttpAnswer> => {
    const answer = await http.request(request).catch((error: unknown) => {
      throw error instanceof Unreachable ? unanswered(error) : error
    })
    if (answer.status >= 200 && answer.status < 300) return answer
    throw faultOf(answer, target)
  }
  return {
    async send(webhookUrl, message, nonce) {
      const json = { ...body(message), nonce, enforce_nonce: true }
      const answer = await ask({ method: 'POST', url: at(webhookUrl, '', { wait: 'true' }), json }, 'webhook')
      const sent = readSent(answer)
      return { messageId: sent.id, knowsNonce: sent.nonce === nonce, pauseMs: pauseMs(answer) }
    },
    async edit(webhookUrl, messageId, message) {
      const url = at(webhookUrl, `/messages/${messageId}`)
      return { pauseMs: pauseMs(await ask({ method: 'PATCH', url, json: body(message) }, 'message')) }
    },
    async remove(webhookUrl, messageId) {
      const url = at(webhookUrl, `/messages/${messageId}`)
      return { pauseMs: pauseMs(await ask({ method: 'DELETE', url }, 'message')) }
    },
  }
}

/** An address below the webhook; the thread in its query is kept. (D66) */
function at(webhookUrl: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(webhookUrl)
  url.pathname += path
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** The resource that a 404 is about. */
type Target = 'webhook' | 'message'

function body({ content, embeds, mentionedRoles = [] }: ChatMessage) {
  const roles = mentionedRoles.length === 0 ? {} : { roles: mentionedRoles }
  return { content, embeds, allowed_mentions: { parse: [], ...roles } }
}

function readSent(answer: HttpAnswer) {
  try {
    return readBody(answer, sentShape)
  } catch (error) {
    throw error instanceof Unreachable ? unanswered(error) : error
  }
}

/** Each answer says how many requests are left. */
function pauseMs(answer: HttpAnswer): number {
  return answer.headers['x-ratelimit-remaining'] === '0' ? (retryAfterMs(answer) ?? 0) : 0
}

function unanswered({ host, reason }: Unreachable): ChatWebhookError {
  return new ChatWebhookError(host, 'unreachable', reason, { mayBeDone: !unconnected.has(reason) })
}

/** Without a connection the request was not sent. */
const unconnected: ReadonlySet<string> = new Set(['refused', 'dns', 'out_of_reach'])

function faultOf(answer: HttpAnswer, target: Target): ChatWebhookError {
  const { host, status, headers } = answer
  const { code = 0, retry_after, global } = findBody(answer, errorShape) ?? {}
  const fault = faultKind(status, code, target)
  return new ChatWebhookError(host, fault, code === 0 ? `status ${status}` : `code ${code}`, {
    retryAfterMs: retryAfterMs(answer, { waitS: retry_after }),
    isGlobal: global === true || headers['x-ratelimit-global'] === 'true' || headers['x-ratelimit-scope'] === 'global',
    // The platform's own errors mean that nothing was done; errors of a gateway in front of it do not tell.
    mayBeDone: fault === 'unreachable' && status > 500 && status !== 503,
  })
}

function faultKind(status: number, code: number, target: Target): ChatWebhookFault {
  if (status === 429) return 'limited'
  if (code === codes.unknownMessage) return 'message_gone'
  if (status === 401 || code === codes.unknownWebhook || code === codes.invalidToken) return 'webhook_gone'
  if (status === 404) return target === 'message' ? 'message_gone' : 'webhook_gone'
  const isRefusal = status >= 400 && status < 500 && status !== 408 && code !== codes.blockedByEdge
  return isRefusal ? 'refused' : 'unreachable'
}
