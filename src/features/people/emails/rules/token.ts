import { digestOf } from '../../../../infra/secrets.ts'
import type { Services } from '../../../../services.ts'

/**
 * The token in a link is derived from its verification's GUID with the secret of this installation. The mail job
 * derives it again, so it is not stored. The GUID may be shown, as it reveals nothing about the token.
 */
export function tokenOf({ seal }: Pick<Services, 'seal'>, guid: string): string {
  return seal(`email-verification.${guid}`)
}

/** The hash by which a token is found; null for a text that cannot be a token. */
export function hashOf(token: string): Buffer | null {
  return /^[\w-]{43}$/.test(token) ? digestOf(token) : null
}

/** The address in the mail. Opening its page changes nothing, as mail scanners open it, too. */
export function linkOf({ config, seal }: Pick<Services, 'config' | 'seal'>, guid: string): string {
  return `${config.publicUrl}/api/email-verifications/${tokenOf({ seal }, guid)}`
}
