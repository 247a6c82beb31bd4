import type { Effects } from '../../../../core/operation.ts'
import type { WebhookAnswer } from '../../../../infra/clients/webhook.ts'
import { chatWebhookFault } from '../../platforms/rules/webhooks.ts'
import { webhookHeaders } from '../rules/signing.ts'
import type { Channel } from '../types.ts'

export interface Message {
  readonly channel: Channel
  /** The same for every attempt, so that receivers can recognise a delivery that they have already. */
  readonly id: string
  readonly body: string
}

/** The address of a message, and the secret that signs it. */
export interface Target {
  readonly address: string
  readonly secret: string | null
}

type Context = Pick<Effects, 'services' | 'clients'>

/** Makes one attempt. Never throws because of the network or the receiver. */
export async function send(
  { channel, id, body }: Message,
  { address, secret }: Target,
  { services, clients }: Context,
  now: Date,
): Promise<WebhookAnswer> {
  if (channel === 'custom') {
    return clients.webhooks.custom.post({ url: address, body, headers: webhookHeaders({ id, body }, secret, now) })
  }
  // The operator configures the chat platform's host, so it may be in a private network; all other hosts are refused.
  const fault = chatWebhookFault(address, services.config.chat.apiUrl)
  if (fault !== null) return { status: null, error: `The chat webhook ${fault}.`, durationMs: 0, retryAfterMs: null }
  return clients.webhooks.chat.post({ url: address, body })
}
