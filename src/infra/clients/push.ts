import type { WebhookAnswer, WebhookClient } from './webhook.ts'

/** Messages to users' browsers through their push services. (RFC 8030, 8188, 8291, 8292) */

/** The key pair that identifies this service to push services, as base64url: a point and a scalar of P-256. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** A browser's subscription. All of it is secret. */
export interface PushTarget {
  readonly endpoint: string
  /** The browser's public key and its authentication secret, as base64url. */
  readonly p256dh: string
  readonly auth: string
}

export interface PushMessage {
  readonly text: string
  /** How long the push service keeps the message for a device that is not reachable. */
  readonly ttlSeconds: number
  readonly urgency: 'normal' | 'high'
  /** At most 32 characters of base64url. A push service keeps only the newest message of a topic. */
  readonly topic: string
}

export interface PushClient {
  /** Never throws because of the network or the push service. */
  send(target: PushTarget, message: PushMessage): Promise<WebhookAnswer>
}

/** The bytes that encryption adds: salt, record size, the service's public key, a delimiter and the authentication tag. */
export const encryptionBytes = 16 + 4 + 1 + 65 + 1 + 16

/** The library encrypts and signs; the requests are sent by `http`, whose reach is limited. (ADR-36) */
export function createPushClient(http: WebhookClient, vapid: VapidKeys, publicUrl: string): PushClient {
  const vapidDetails = { ...vapid, subject: subjectOf(publicUrl) }
  return {
    async send({ endpoint, p256dh, auth }, { text, ttlSeconds, urgency, topic }) {
      // Loaded with the first message, which most services never send.
      const { default: webPush } = await import('web-push')
      const { body, headers } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails,
        TTL: ttlSeconds,
        urgency,
        topic,
        contentEncoding: 'aes128gcm',
      })
      if (body === null) throw new Error('a push message without a body')
      const { 'content-length': _length, ...sent } = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
      )
      return http.post({ url: endpoint, body, headers: sent })
    },
  }
}

/** Where operators of push services find who sends: an https address, or in local installations a name. (RFC 8292 §2.1) */
function subjectOf(publicUrl: string): string {
  return publicUrl.startsWith('https://') ? publicUrl : `mailto:downbeat@${new URL(publicUrl).hostname}`
}
