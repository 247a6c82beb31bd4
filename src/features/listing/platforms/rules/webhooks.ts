import { isPrivateHost } from '../../../../core/network.ts'
import { webAddressFault } from '../../../../core/web.ts'

/**
 * A chat webhook is an address on the chat platform's own REST host, over https unless the platform itself is reached
 * over http: `/api/webhooks/{id}/{token}`, or `/webhooks/{id}/{token}` below the REST base. (D33, D37: DISCORD_API_URL)
 * @returns why the address cannot be one, as the end of a sentence that does not repeat it, or null
 */
export function chatWebhookFault(address: string, apiUrl: string): string | null {
  const api = new URL(apiUrl)
  const path = api.pathname.replace(/\/+$/, '')
  const usual = /^(\/api(\/v\d+)?)?$/.test(path) ? '/api' : path
  const example = `must be an address such as ${api.origin}${usual}/webhooks/{id}/{token}`
  if (!URL.canParse(address)) return example
  const url = new URL(address)
  if (url.origin !== api.origin) return `must be an address at ${api.origin}`
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return example
  const bases = ['/api', path]
  return bases.some((base) => url.pathname.startsWith(base) && webhookPath.test(url.pathname.slice(base.length)))
    ? null
    : example
}

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
