import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { type FakeServer, type SeenRequest, startFakeServer } from './server.ts'

/** A receiver of webhooks: answers 204, unless told to misbehave. */

export interface FakeReceiver extends FakeServer {
  /** The requests to a path so far, the oldest first. */
  at(path: string): Received[]
}

export interface Received extends SeenRequest {
  /** `webhook-id` and `webhook-timestamp`; empty without the header. */
  readonly id: string
  readonly timestamp: string
  readonly signature: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, and fail where one is not as expected.
  readonly json: any
}

export async function startFakeReceiver(): Promise<FakeReceiver> {
  const server = await startFakeServer({
    answer: () => ({ status: 204 }),
    limited: (waitS) => ({ status: 429, ...(waitS === null ? {} : { headers: { 'retry-after': String(waitS) } }) }),
  })
  return { ...server, at: (path) => server.requests.filter((request) => request.path === path).map(received) }
}

function received(request: SeenRequest): Received {
  const { headers, body } = request
  const text = (name: string) => (typeof headers[name] === 'string' ? headers[name] : '')
  return {
    ...request,
    id: text('webhook-id'),
    timestamp: text('webhook-timestamp'),
    signature: text('webhook-signature') || null,
    json: JSON.parse(body),
  }
}

/** Whether the message is signed with the secret and recent, as receivers check it. (Standard Webhooks; D34) */
export function isSigned({ id, timestamp, signature, body }: Received, secret: string): boolean {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature ?? '' }
  const webhook = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: 'raw' })
  try {
    webhook.verify(body, headers)
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}
