import { stripTags } from '../../../../core/markdown-tags.ts'
import { conflict, invalid, type Problem } from '../../../../core/problem.ts'
import type { Checked } from '../../../../core/text.ts'
import type { AnyPlatform, ExternalAccount, IdentityPlatform, Link } from '../types.ts'

const platforms: readonly AnyPlatform[] = ['chat', 'ranking-a', 'ranking-b', 'streaming']

function platformInvalid(): Problem {
  return invalid('identity.platform_invalid', 'Accounts can be linked on ranking-a, ranking-b and streaming.')
}

/** A path names an identity by its platform: the chat platform, a ranking platform, or streaming. (additions: Users) */
export function readPlatform(text: string): AnyPlatform {
  const platform = platforms.find((name) => name === text)
  if (platform === undefined) throw platformInvalid()
  return platform
}

/** The chat identity cannot be linked: it is the account with which the user signs in. (additions: Users) */
export function checkLinkable(platform: AnyPlatform): IdentityPlatform {
  if (platform === 'chat') throw platformInvalid()
  return platform
}

/** Every link can be removed, but not the chat identity. (additions: Users) */
export function checkUnlinkable(platform: AnyPlatform): IdentityPlatform {
  if (platform !== 'chat') return platform
  throw invalid('identity.chat_kept', 'The chat identity stays: it is the account that you sign in with.')
}

/**
 * Ranking IDs are numbers. Streaming names have letters, digits and underscores; their case does not matter, and they
 * are saved in lower case. (D39, D50)
 */
export function readExternalId(platform: IdentityPlatform, text: string): Checked<string> {
  if (platform === 'streaming') {
    if (/^\w{1,25}$/.test(text)) return { ok: true, value: text.toLowerCase() }
    return { ok: false, reason: 'must be 1 to 25 letters, digits and underscores' }
  }
  if (/^\d{1,20}$/.test(text)) return { ok: true, value: text }
  return { ok: false, reason: 'must be 1 to 20 digits' }
}

/** The error for an account that is verified as another user's. (additions: Users) */
export function accountTaken(): Problem {
  return conflict('identity.taken', 'This account is already linked to another user.')
}

/** An account that is verified as one user's cannot be linked or claimed by another. (additions: Users; D50) */
export function checkNotTaken(isVerifiedByAnother: boolean): void {
  if (isVerifiedByAnother) throw accountTaken()
}

export type Step =
  | { readonly do: 'keep'; readonly link: Link }
  | { readonly do: 'verify'; readonly verifiedAt: Date }
  /** Creates a claim, with a new code if the platform has a profile text for it. */
  | { readonly do: 'claim' }

/**
 * Decides what happens to a user’s link when they ask for an account. A link is verified if a platform vouches for it,
 * or if its code is in the profile text. A verified link stays verified, even if the platform merges the account into
 * another. Any other account replaces the link by a new claim, and so does a code that is too old. (D50)
 */
export function nextStep(link: Link | undefined, account: ExternalAccount, now: Date): Step {
  const leadsThere = link?.externalId === account.externalId
  if (link !== undefined && link.verifiedAt !== null) {
    if (leadsThere) return { do: 'keep', link }
    if (link.externalId === account.askedId) return { do: 'verify', verifiedAt: link.verifiedAt }
  }
  if (account.isVouchedFor) return { do: 'verify', verifiedAt: now }
  if (!leadsThere || !mayStillBeProven(link, now)) return { do: 'claim' }
  return isProven(link, account) ? { do: 'verify', verifiedAt: now } : { do: 'keep', link }
}

/** Streaming accounts have no code, as the service cannot read their profile text. (additions: Users) */
export function needsCode(platform: IdentityPlatform): boolean {
  return platform !== 'streaming'
}

const codeLifetimeMs = 7 * 86_400_000

function mayStillBeProven({ platform, proofCode, proofMadeAt }: Link, now: Date): boolean {
  if (!needsCode(platform)) return true
  return proofCode !== null && proofMadeAt !== null && now.getTime() - proofMadeAt.getTime() < codeLifetimeMs
}

function isProven({ proofCode }: Link, { profileText }: ExternalAccount): boolean {
  return proofCode !== null && profileText !== null && showsCode(profileText, proofCode)
}

/**
 * Whether readers of the profile see the code as a separate word, in any case: not inside a longer word, a comment, or
 * an attribute of an element. (D50)
 *
 * @param code letters, digits and hyphens
 */
export function showsCode(profileText: string, code: string): boolean {
  const partOfWord = '[\\p{L}\\p{M}\\p{N}_-]'
  return new RegExp(`(?<!${partOfWord})${code}(?!${partOfWord})`, 'iu').test(stripTags(profileText))
}
