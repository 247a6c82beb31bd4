import type { AssistantLink, TokenKind } from '../../assistantLinks/types.ts'

/** Decides when to connect again and when to give up. */

const backoffMs = [1_000, 2_000, 4_000, 8_000, 15_000] as const
const giveUpMs = 10 * 60_000
/** A connection that lasted this long shows that the token was valid, so that a later refusal means that it expired. */
export const goodForMs = 60_000

export interface Trouble {
  /** null if an existing connection broke. */
  readonly code: string | null
  readonly tokenKind: TokenKind
  /** How often the token was refused in a row, this time included. */
  readonly refusals: number
  /** The number of failed tries since the last connection. */
  readonly tries: number
  /** How long there has been no connection. */
  readonly withoutMs: number
}

/**
 * Tries again after 1, 2, 4, 8 and then 15 seconds, each a fifth more or less, for ten minutes. A refused password is
 * not tried again. A refused token is tried again once if this service mints it. (AS10; assistant: Failures)
 * @param chance 0 to 1
 * @returns the wait in milliseconds; null to give up
 */
export function againAfter(trouble: Trouble, chance: number): number | null {
  const { code, tokenKind, refusals, tries, withoutMs } = trouble
  if (code === 'assistant.password' || refusals > (tokenKind === 'own' ? 1 : 0)) return null
  if (code !== null && withoutMs >= giveUpMs) return null
  // A new token is minted immediately.
  if (code === 'assistant.unauthorised') return 0
  const base = backoffMs[Math.min(tries, backoffMs.length - 1)] ?? backoffMs[4]
  return base * (0.8 + chance * 0.4)
}

/** Whether the connection of one link may be kept for the other. A secret never reaches another server. (AS1) */
export function isSameLine(one: AssistantLink, other: AssistantLink): boolean {
  return members.every((name) => one[name] === other[name])
}

const members = [
  ...(['host', 'port', 'tls', 'certificate', 'assistantGuid', 'versionCode', 'enabled'] as const),
  ...(['tokenKind', 'sealedToken', 'sealedPassword', 'actsAs'] as const),
] as const satisfies readonly (keyof AssistantLink)[]
