import type { Effects } from '../../../../core/operation.ts'
import type { WebhookAnswer } from '../../../../infra/clients/webhook.ts'
import { chatWebhookFault } from '../../platforms/rules/webhooks.ts'
import { webhookHeaders } from '../rules/signing.ts'
import type { Channel } from '../types.ts'

export interface Message {
  readonly channel: Channel
  /** The same for every attempt, so that receivers can tell that they have had it. */
  readonly id: string
  readonly body: string
}

/** Where a message goes, and what it is signed with. */
export interface Target {
  readonly address: string
  readonly secret: string | null
}

type Context = Pick<Effects, 'services' | 'clients'>

/** One attempt; never throws because of what happens on the way or at the other end. */
export async function send(
  { channel, id, body }: Message,
  { address, secret }: Target,
  { services, clients }: Context,
  now: Date,
): Promise<WebhookAnswer> {
  if (channel === 'custom') {
    return clients.webhooks.custom.post({ url: address, body, headers: webhookHeaders({ id, body }, secret, now) })
  }
  // The operator's word for where the chat platform is counts for more than any rule about networks, but only for that.
  const fault = chatWebhookFault(address, services.config.chat.apiUrl)
  if (fault !== null) return { status: null, error: `The chat webhook ${fault}.`, durationMs: 0, retryAfterMs: null }
  return clients.webhooks.chat.post({ url: address, body })
}
