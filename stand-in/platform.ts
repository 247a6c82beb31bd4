import { standInClient } from '../src/config.ts'
import type { User } from '../src/features/people/users/types.ts'
import { type SealedForm, sealedForm } from '../src/infra/sealed.ts'
import { challengeOf, digestOf, isSame } from '../src/infra/secrets.ts'

/**
 * What the stand-in does in the chat platform's place, in its shapes (domain: chat platform): who may sign in, and what
 * codes and tokens are worth. Both carry their content, sealed, so that any process on the same data can read them.
 */

export interface Account {
  readonly id: string
  /** What the account shows; its user name is made of it. */
  readonly name: string
}

export interface Grant {
  readonly account: Account
  readonly redirectUri: string
  readonly challenge: string | null
  readonly scope: string
  /** Makes every code a different one. */
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

/** The codes that were used lately. */
export class UsedCodes {
  readonly #digests = new Set<string>()

  /** Answers whether this is the first use. */
  use(code: string): boolean {
    const digest = digestOf(code).toString('base64url')
    if (this.#digests.has(digest)) return false
    const [oldest] = this.#digests
    if (this.#digests.size >= maxRemembered && oldest !== undefined) this.#digests.delete(oldest)
    this.#digests.add(digest)
    return true
  }
}

/** RFC 7636 §4.6: a code that was asked for with a challenge is given out for its verifier alone. */
export function isProven(grant: Grant, verifier: string | undefined): boolean {
  return grant.challenge === null || (verifier !== undefined && isSame(challengeOf(verifier), grant.challenge))
}

export function isOurClient(authorization: string | undefined): boolean {
  const { id, secret } = standInClient
  return isSame(authorization ?? '', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`)
}

/** The platform counts from here, in milliseconds; an ID's upper 42 bits are the time of its making. */
const platformEpoch = 1_420_070_400_000
/** Invented accounts were made in 2018: old enough for whatever a tournament requires. */
const firstMaking = Date.UTC(2018, 0, 1)
const year = 365 * 86_400_000

/** The ID of what is made at `madeAt`, in milliseconds: a later one is a greater number. */
export function idMadeAt(madeAt: number): bigint {
  return BigInt(madeAt - platformEpoch) << 22n
}

/** One name is one account, whenever and wherever it is invented. */
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

/** Every account has one connection, to a streaming account of its own name. */
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

/** User names of the platform are small letters, digits, dots and underscores. */
function usernameOf(name: string, id: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_.]/g, '')
  return plain === '' ? `user${id.slice(-6)}` : plain
}
