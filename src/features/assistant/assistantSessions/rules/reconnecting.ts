import type { AssistantLink, TokenKind } from '../../assistantLinks/types.ts'

/** When a connection is made anew, and when no more. */

const backoffMs = [1_000, 2_000, 4_000, 8_000, 15_000] as const
const giveUpMs = 10 * 60_000
/** A token that was good for so long was refused for its age. */
export const goodForMs = 60_000

export interface Trouble {
  /** null where a connection was there, and has broken. */
  readonly code: string | null
  readonly tokenKind: TokenKind
  /** How often the token was refused, the one of this time too, without having been good in between. */
  readonly refusals: number
  /** Tries that have failed before, since the last connection. */
  readonly tries: number
  /** For how long there has been no connection. */
  readonly withoutMs: number
}

/**
 * Again after 1, 2, 4, 8 and then 15 seconds, each a fifth more or less, for ten minutes; a refused password is not tried again, and a
 * refused token once, where it is one that we make anew. (AS10; assistant: Failures)
 * @param chance 0 to 1
 * @returns milliseconds to wait, or null for no more
 */
export function againAfter(trouble: Trouble, chance: number): number | null {
  const { code, tokenKind, refusals, tries, withoutMs } = trouble
  if (code === 'assistant.password' || refusals > (tokenKind === 'own' ? 1 : 0)) return null
  if (code !== null && withoutMs >= giveUpMs) return null
  // A new token is another one at once.
  if (code === 'assistant.unauthorised') return 0
  const base = backoffMs[Math.min(tries, backoffMs.length - 1)] ?? backoffMs[4]
  return base * (0.8 + chance * 0.4)
}

/** Whether a connection that was made by the one is as good as one by the other: a secret never goes on to another server. (AS1) */
export function isSameLine(one: AssistantLink, other: AssistantLink): boolean {
  return members.every((name) => one[name] === other[name])
}

const members = [
  ...(['host', 'port', 'tls', 'certificate', 'assistantGuid', 'versionCode', 'enabled'] as const),
  ...(['tokenKind', 'sealedToken', 'sealedPassword', 'actsAs'] as const),
] as const satisfies readonly (keyof AssistantLink)[]
