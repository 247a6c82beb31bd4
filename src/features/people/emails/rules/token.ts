import { digestOf } from '../../../../infra/secrets.ts'
import type { Services } from '../../../../services.ts'

/**
 * The token in a link is derived from its verification's GUID by the secret of this installation: whoever must write the
 * link can derive it again, so that it is stored nowhere. The GUID may be shown; it says nothing of the token.
 */
export function tokenOf({ seal }: Pick<Services, 'seal'>, guid: string): string {
  return seal(`email-verification.${guid}`)
}

/** How a token is known again; null for what cannot be one. */
export function hashOf(token: string): Buffer | null {
  return /^[\w-]{43}$/.test(token) ? digestOf(token) : null
}

/** What the mail leads to: a page, which people open and mail scanners fetch, and which changes nothing by that. */
export function linkOf({ config, seal }: Pick<Services, 'config' | 'seal'>, guid: string): string {
  return `${config.publicUrl}/api/email-verifications/${tokenOf({ seal }, guid)}`
}
