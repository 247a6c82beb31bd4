import { standInClient } from '../src/config.ts'
import type { User } from '../src/features/people/users/types.ts'
import { type SealedForm, sealedForm } from '../src/infra/sealed.ts'
import { challengeOf, digestOf, isSame } from '../src/infra/secrets.ts'

/**
 * The sign-in of the chat platform, in its formats (domain: chat platform): accounts, codes and tokens. Codes and
 * tokens contain their sealed content, so that any process on the same data can read them.
 */

export interface Account {
  readonly id: string
  /** The shown name; the user name is derived from it. */
  readonly name: string
}

export interface Grant {
  readonly account: Account
  readonly redirectUri: string
  readonly challenge: string | null
  readonly scope: string
  /** Makes every code unique. */
  readonly nonce: string
}

export const codes: SealedForm<Grant> = sealedForm('stand-in code', 60)

export interface ChatToken {
  readonly account: Account
  readonly scope: string
  /** Milliseconds. */
  readonly expiresAt: number
}

export const chatTokenLifetimeSeconds = 604_800
export const chatTokens: SealedForm<ChatToken> = sealedForm('stand-in token', chatTokenLifetimeSeconds)

const maxRemembered = 1_000

/** The recently used codes. */
export class UsedCodes {
  readonly #digests = new Set<string>()

  /** Records the use of a code; returns whether it is the first use. */
  use(code: string): boolean {
    const digest = digestOf(code).toString('base64url')
    if (this.#digests.has(digest)) return false
    const [oldest] = this.#digests
    if (this.#digests.size >= maxRemembered && oldest !== undefined) this.#digests.delete(oldest)
    this.#digests.add(digest)
    return true
  }
}

/** RFC 7636 §4.6: a code with a challenge is exchanged only with its verifier. */
export function isProven(grant: Grant, verifier: string | undefined): boolean {
  return grant.challenge === null || (verifier !== undefined && isSame(challengeOf(verifier), grant.challenge))
}

export function isOurClient(authorization: string | undefined): boolean {
  const { id, secret } = standInClient
  return isSame(authorization ?? '', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`)
}

/** The platform's epoch in milliseconds; the upper 42 bits of an id are its creation time. */
const platformEpoch = 1_420_070_400_000
/** Invented accounts were created in 2018, which is old enough for every rule of a tournament. */
const firstMaking = Date.UTC(2018, 0, 1)
const year = 365 * 86_400_000

/** The id of a record created at `madeAt`, in milliseconds; later ids are greater. */
export function idMadeAt(madeAt: number): bigint {
  return BigInt(madeAt - platformEpoch) << 22n
}

/** The same name is always the same account. */
export function inventedId(name: string): string {
  const digest = digestOf(name.toLowerCase()).readBigUInt64BE()
  const madeAt = firstMaking + Number((digest >> 22n) % BigInt(year))
  return String(idMadeAt(madeAt) | (digest & 0x3fffffn))
}

/** A user object as the account itself sees it. */
export function describeAccount({ id, name }: Account, user: User | undefined): Record<string, unknown> {
  return {
    id,
    username: user?.username ?? usernameOf(name, id),
    discriminator: '0',
    global_name: user?.preferredName ?? name,
    avatar: null,
    banner: null,
    accent_color: null,
    public_flags: 0,
    flags: 0,
    locale: 'en-GB',
    mfa_enabled: false,
    premium_type: 0,
    email: user?.email ?? null,
    verified: user?.emailVerifiedAt != null,
    ...(user?.isBot ? { bot: true } : {}),
  }
}

/** Every account has one connection, to a streaming account with the same name. */
export function describeConnections(account: Account, user: User | undefined): readonly Record<string, unknown>[] {
  const name = user?.username ?? usernameOf(account.name, account.id)
  return [
    {
      id: account.id,
      name,
      type: 'twitch',
      revoked: false,
      verified: true,
      friend_sync: false,
      show_activity: false,
      two_way_link: false,
      visibility: 1,
    },
  ]
}

/** User names of the platform contain lower-case letters, digits, dots and underscores. */
function usernameOf(name: string, id: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_.]/g, '')
  return plain === '' ? `user${id.slice(-6)}` : plain
}
