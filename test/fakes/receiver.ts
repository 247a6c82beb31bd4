import { createHmac } from 'node:crypto'
import { type FakeServer, type SeenRequest, startFakeServer } from './server.ts'

/** Whoever listens for webhooks: takes all that comes with 204, unless told to misbehave. */

export interface FakeReceiver extends FakeServer {
  /** What came to a path so far, oldest first. */
  at(path: string): Received[]
}

export interface Received extends SeenRequest {
  /** `webhook-id` and `webhook-timestamp`; empty where there is none. */
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

/** What a receiver that knows the key computes. (Standard Webhooks: Signature scheme, symmetric) */
export function signatureOf({ id, timestamp, body }: Pick<Received, 'id' | 'timestamp' | 'body'>, key: Buffer): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
