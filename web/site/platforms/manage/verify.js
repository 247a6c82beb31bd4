import { createHmac, timingSafeEqual } from 'node:crypto'

/** `body` is the text exactly as it arrived; `headers` have names in lower case. */
export function isGenuine(headers, body, secret) {
  const id = headers['webhook-id']
  const at = headers['webhook-timestamp']
  if (!(Math.abs(Date.now() / 1000 - at) < 300)) return false
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const made = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`)
  const given = Buffer.from(headers['webhook-signature'] ?? '')
  return given.length === made.length && timingSafeEqual(given, made)
}
