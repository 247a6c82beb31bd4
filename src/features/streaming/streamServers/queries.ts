import type { ControlAddress } from '../../../infra/clients/media-servers/types.ts'
import type { Seal } from '../../../infra/sealed.ts'
import { openText, sealText } from '../../../infra/sealed-text.ts'
import type { StreamServer } from './types.ts'

/** What of a server's secrets is used again. Each is sealed for one purpose, so that none passes as another. */

const secretPurpose = 'stream-server-secret'
const passwordPurpose = 'stream-server-password'

export function sealSecret(seal: Seal, secret: string): string {
  return sealText(seal, secretPurpose, secret)
}

export function sealPassword(seal: Seal, password: string | null): string | null {
  return password === null ? null : sealText(seal, passwordPurpose, password)
}

/** How a server is asked and told; null where it has no control address. */
export function controlOf(seal: Seal, { control }: Pick<StreamServer, 'control'>): ControlAddress | null {
  if (control === null) return null
  const { url, user, sealedPassword, vhost, app } = control
  const password = sealedPassword === null ? null : openText(seal, passwordPurpose, sealedPassword)
  return { url, user, password, vhost, app }
}

/** The secrets by which a server proves itself: its own and, during a rotation's grace, the one before. (streaming: Records) */
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

/** One that was sealed by another installation proves nothing, and takes nothing from other servers. */
function openedSecret(seal: Seal, text: string): string[] {
  try {
    return [openText(seal, secretPurpose, text)]
  } catch {
    return []
  }
}
