import { isPrivateHost } from '../../../../core/network.ts'
import type { Checked } from '../../../../core/text.ts'
import { webAddressFault } from '../../../../core/web.ts'

/** Hosts of the same chat platform. Its clients copy addresses with the host that they use. */
const defaultHosts = ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com']
const defaultOrigins = defaultHosts.map((host) => `https://${host}`)

/**
 * Reads a chat webhook: an address on the host of the chat platform's REST API, over https unless that API is reached
 * over http. The path is `/api/webhooks/{id}/{token}`, or `/webhooks/{id}/{token}` below the API's base, optionally
 * with a thread of the channel. The hosts of the usual platform count as one, and the first of them is stored. (D33,
 * D66, D37: DISCORD_API_URL)
 * @returns the address to store, or why it is invalid, as the end of a sentence that does not contain the address
 */
export function readChatWebhook(address: string, apiUrl: string): Checked<string> {
  const api = new URL(apiUrl)
  const origins = defaultOrigins.includes(api.origin) ? defaultOrigins : [api.origin]
  const [origin = api.origin] = origins
  const path = api.pathname.replace(/\/+$/, '')
  const usual = /^(\/api(\/v\d+)?)?$/.test(path) ? '/api' : path
  const example = `must be an address such as ${origin}${usual}/webhooks/{id}/{token}`
  if (!URL.canParse(address)) return { ok: false, reason: example }
  const url = new URL(address)
  if (!origins.includes(url.origin)) return { ok: false, reason: `must be an address at ${origin}` }
  const isPlain = url.username === '' && url.password === '' && url.hash === '' && threadQuery.test(url.search)
  const isWebhook = ['/api', path].some(
    (base) => url.pathname.startsWith(base) && webhookPath.test(url.pathname.slice(base.length)),
  )
  return isPlain && isWebhook
    ? { ok: true, value: `${origin}${url.pathname}${url.search}` }
    : { ok: false, reason: example }
}

/** Why a stored address can no longer be used; null if it can. */
export function chatWebhookFault(address: string, apiUrl: string): string | null {
  const read = readChatWebhook(address, apiUrl)
  return read.ok ? null : read.reason
}

/** The thread that receives the messages, if the webhook's channel has threads. */
const threadQuery = /^(?:\?thread_id=\d{1,20})?$/
const webhookPath = /^\/webhooks\/[\w-]{1,100}\/[\w-]{1,200}$/

export interface CustomWebhookContext {
  /** True in the local environment only. */
  readonly allowHttp: boolean
  readonly allowPrivate: boolean
}

/**
 * A custom webhook is an https address, in the local environment also http, without user name and password, that does
 * not name a private network. The delivery checks the resolved address. (D34)
 * @returns why the address is invalid, as the end of a sentence that does not contain the address, or null
 */
export function customWebhookFault(address: string, { allowHttp, allowPrivate }: CustomWebhookContext): string | null {
  const fault = webAddressFault(address)
  if (fault !== null) return fault
  const url = new URL(address)
  if (url.protocol !== 'https:' && !allowHttp) return 'must start with https://'
  if (isPrivateHost(url.hostname) && !allowPrivate) return 'must not lead into a private network'
  return null
}

/**
 * A secret is used as it is; with the prefix `whsec_` it is decoded from base64. (D34)
 * @returns why the text is invalid, as the end of a sentence that does not contain the text, or null
 */
export function secretFault(secret: string): string | null {
  if (secret === configured)
    return `must not be "${configured}", which only says that there is one; leave it out to keep it`
  const [, base64] = /^whsec_(.*)$/s.exec(secret) ?? []
  return base64 === undefined || isBase64(base64) ? null : 'must be base64 behind "whsec_"'
}

function isBase64(text: string): boolean {
  const plain = text.replace(/={1,2}$/, '')
  return plain !== '' && Buffer.from(plain, 'base64').toString('base64').replace(/=+$/, '') === plain
}

/** The text that answers show instead of a secret. (rest-interface: Tournament platform) */
export const configured = 'configured'
