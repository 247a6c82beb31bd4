import { createHmac } from 'node:crypto'

/**
 * The headers with the id, the time and the signature of a message. A secret with the prefix `whsec_` is base64; any
 * other secret is used as it is. (D34; Standard Webhooks)
 * @param secret null for an unsigned message (D53)
 */
export function webhookHeaders(
  message: { readonly id: string; readonly body: string },
  secret: string | null,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const headers = { 'webhook-id': message.id, 'webhook-timestamp': timestamp }
  if (secret === null) return headers
  const signature = createHmac('sha256', keyOf(secret)).update(`${message.id}.${timestamp}.${message.body}`)
  return { ...headers, 'webhook-signature': `v1,${signature.digest('base64')}` }
}

const prefix = 'whsec_'

function keyOf(secret: string): Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)
}
