import { digestOf } from '../../../../infra/secrets.ts'
import type { Services } from '../../../../services.ts'

/**
 * The token in a link is derived from its verification's GUID by the secret of this installation: whoever must write the
 * link can derive it again, so that it is stored nowhere. The GUID may be shown; it says nothing of the token.
 */
export function tokenOf({ seal }: Pick<Services, 'seal'>, guid: string): string {
  return seal(`email-verification.${guid}`)
}

/** What a token is looked up by; null for a text that cannot be a token. */
export function hashOf(token: string): Buffer | null {
  return /^[\w-]{43}$/.test(token) ? digestOf(token) : null
}

/** The address in the mail. It leads to a page that changes nothing by being opened: mail scanners fetch it too. */
export function linkOf({ config, seal }: Pick<Services, 'config' | 'seal'>, guid: string): string {
  return `${config.publicUrl}/api/email-verifications/${tokenOf({ seal }, guid)}`
}
