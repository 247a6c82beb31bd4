import { isPrivateHost } from '../../../../core/network.ts'
import type { Checked } from '../../../../core/text.ts'
import { webAddressFault } from '../../../../core/web.ts'

/** The same platform, as its own clients name it: the addresses that they copy lead to whichever of these they use themselves. */
const usualHosts = ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com']
const usualOrigins = usualHosts.map((host) => `https://${host}`)

/**
 * A chat webhook is an address on the chat platform's own REST host, over https unless the platform itself is reached
 * over http: `/api/webhooks/{id}/{token}`, or `/webhooks/{id}/{token}` below the REST base, and perhaps a thread of the
 * channel. The hosts of the usual platform are one, and kept as the first. (D33, D66, D37: DISCORD_API_URL)
 * @returns the address as it is kept, or why it cannot be one, as the end of a sentence that does not repeat it
 */
export function readChatWebhook(address: string, apiUrl: string): Checked<string> {
  const api = new URL(apiUrl)
  const origins = usualOrigins.includes(api.origin) ? usualOrigins : [api.origin]
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

/** Why an address that was kept cannot be used, or null. */
export function chatWebhookFault(address: string, apiUrl: string): string | null {
  const read = readChatWebhook(address, apiUrl)
  return read.ok ? null : read.reason
}

/** The thread that messages go to, where the webhook's channel has threads. */
const threadQuery = /^(?:\?thread_id=\d{1,20})?$/
const webhookPath = /^\/webhooks\/[\w-]{1,100}\/[\w-]{1,200}$/

export interface CustomWebhookContext {
  /** In the local environment. */
  readonly allowHttp: boolean
  readonly allowPrivate: boolean
}

/**
 * A custom webhook is an https address, or an http one in the local environment, without a user name or password, that
 * does not name a private network. Where its name leads is for the delivery to look at. (D34)
 * @returns why the address cannot be one, as the end of a sentence that does not repeat it, or null
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
 * A secret is signed with as it is, unless it says that it is base64. (D34)
 * @returns why a text cannot be one, as the end of a sentence that does not repeat it, or null
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

/** What is told of a secret that is set. (rest-interface: Tournament platform) */
export const configured = 'configured'
