import type { ControlAddress } from '../../../infra/clients/media-servers/types.ts'
import type { Seal } from '../../../infra/sealed.ts'
import { openText, sealText } from '../../../infra/sealed-text.ts'
import type { StreamServer } from './types.ts'

/**
 * A server's secrets are encrypted so that they can be used again. Each is encrypted for one purpose and cannot be used
 * for another.
 */

export const secretPurpose = 'stream-server-secret'
export const passwordPurpose = 'stream-server-password'

export function sealSecret(seal: Seal, secret: string): string {
  return sealText(seal, secretPurpose, secret)
}

export function sealPassword(seal: Seal, password: string | null): string | null {
  return password === null ? null : sealText(seal, passwordPurpose, password)
}

/** The server's control address with its password; null if it has none. */
export function controlOf(seal: Seal, { control }: Pick<StreamServer, 'control'>): ControlAddress | null {
  if (control === null) return null
  const { url, user, sealedPassword, vhost, app } = control
  const password = sealedPassword === null ? null : openText(seal, passwordPurpose, sealedPassword)
  return { url, user, password, vhost, app }
}

/**
 * The server's valid secrets: the current one and, during a rotation's grace period, the previous one.
 * (streaming: Records)
 */
export function secretsOf(
  seal: Seal,
  server: Pick<StreamServer, 'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretUntil'>,
  now: Date,
): string[] {
  const { sealedSecret, sealedPreviousSecret, previousSecretUntil } = server
  const isInGrace = previousSecretUntil !== null && previousSecretUntil > now
  const sealed = [sealedSecret, ...(isInGrace && sealedPreviousSecret !== null ? [sealedPreviousSecret] : [])]
  return sealed.flatMap((text) => openedSecret(seal, text))
}

/** A secret that was encrypted by another installation is skipped; the other servers still work. */
function openedSecret(seal: Seal, text: string): string[] {
  try {
    return [openText(seal, secretPurpose, text)]
  } catch {
    return []
  }
}
