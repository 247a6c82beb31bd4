import { isCountryCode } from '../../../../core/countries.ts'
import { forbidden, invalid } from '../../../../core/problem.ts'
import { type GlobalRole, globalRoles } from '../../../../core/roles.ts'
import type { AccountPatch, IdentityPlatform, User } from '../types.ts'
import { checkAddress } from './email.ts'
import { readExternalId } from './identities.ts'
import { readSettings, readUserName, settingNames } from './settings.ts'

/** The global roles that everybody may see. (D24) */
export const publicGlobalRoles: ReadonlySet<GlobalRole> = new Set(['role:owner', 'role:dev'])

/** An update must give at least one member. (rest-interface: Users) */
export function checkNotEmpty(patch: AccountPatch): void {
  if (Object.keys(patch).length > 0) return
  throw invalid('account.nothing_to_change', 'Give at least one member of the account that is to be changed.')
}

type AccountChanges = Partial<Omit<User, 'guid' | 'chatPlatformId' | 'globalRoles' | 'createdAt' | 'updatedAt'>> & {
  globalRoles?: GlobalRole[]
}

/** Reads a patch into changes of the record; links and bans have functions of their own. (D39) */
export function accountChanges(user: User, patch: AccountPatch, now: Date): AccountChanges {
  const settings = settingNames.filter((name) => patch[name] !== undefined).map((name) => [name, patch[name] ?? ''])
  const { username, country, isBot, roles } = patch
  return {
    ...readSettings(Object.fromEntries(settings)),
    ...(username === undefined ? {} : { username: readUserName('username', username) }),
    ...(country === undefined ? {} : { country: checkCountry(country) }),
    ...(isBot === undefined ? {} : { isBot }),
    ...emailChanges(user, patch, now),
    ...(roles === undefined ? {} : { globalRoles: globalRoles.filter((role) => roles.includes(role)) }),
  }
}

function checkCountry(country: string | null): string | null {
  if (country === null || isCountryCode(country)) return country
  throw invalid('account.invalid', 'The country must be an ISO 3166-1 alpha-2 code in upper case, such as CA, or XK.')
}

/**
 * A new address is unverified unless the administrator says otherwise. Without an address, nothing is verified. (D39)
 */
function emailChanges(user: User, patch: AccountPatch, now: Date): Pick<AccountChanges, 'email' | 'emailVerifiedAt'> {
  if (patch.email === undefined && patch.emailVerified === undefined) return {}
  if (patch.email != null) checkAddress(patch.email)
  const email = patch.email === undefined ? user.email : patch.email
  const verifiedAt = email === user.email ? user.emailVerifiedAt : null
  const isVerified = patch.emailVerified ?? verifiedAt !== null
  if (isVerified && email === null) {
    throw invalid('account.email_missing', 'An account without an e-mail address cannot have a verified one.')
  }
  return { email, emailVerifiedAt: isVerified ? (verifiedAt ?? now) : null }
}

/** The links that a patch sets or, with null, removes. (D39, D50) */
export function linkChanges(patch: AccountPatch): [IdentityPlatform, string | null][] {
  const members = [
    ['ranking-a', 'rankingIdA'],
    ['ranking-b', 'rankingIdB'],
    ['streaming', 'streamingName'],
  ] as const
  return members.flatMap(([platform, member]): [IdentityPlatform, string | null][] => {
    const text = patch[member]
    if (text === undefined) return []
    if (text === null) return [[platform, null]]
    const id = readExternalId(platform, text)
    if (!id.ok) throw invalid('account.invalid', `The ${member} ${id.reason}.`)
    return [[platform, id.value]]
  })
}

/** Only an owner may grant or revoke the roles of owners and developers. (D24) */
export function checkMaySetRoles(
  user: Pick<User, 'globalRoles'>,
  roles: readonly GlobalRole[],
  actorRoles: ReadonlySet<GlobalRole>,
): void {
  if (actorRoles.has('role:owner')) return
  const moved = (role: GlobalRole) => user.globalRoles.includes(role) !== roles.includes(role)
  if (moved('role:owner') || moved('role:dev')) {
    throw forbidden('account.role_protected', 'Only an owner may grant or remove role:owner and role:dev.')
  }
}

/** Whether the user is the only owner who can sign in; there must always be one. (D24) */
export function isLastOwner(user: Pick<User, 'guid'>, owners: readonly Pick<User, 'guid' | 'bannedAt'>[]): boolean {
  const others = owners.filter((owner) => owner.guid !== user.guid && owner.bannedAt === null)
  return others.length === 0 && owners.some((owner) => owner.guid === user.guid)
}

/** The last owner cannot lose the role. (D24) */
export function checkOwnerRemains(
  user: Pick<User, 'guid'>,
  roles: readonly GlobalRole[],
  owners: readonly Pick<User, 'guid' | 'bannedAt'>[],
): void {
  if (isLastOwner(user, owners) && !roles.includes('role:owner')) {
    throw invalid('account.last_owner', 'This is the last owner; make somebody else an owner first.')
  }
}

export type BanStep =
  | { readonly do: 'ban'; readonly reason: string | null }
  | { readonly do: 'reword'; readonly reason: string | null }
  | { readonly do: 'unban' }

/**
 * Reads a ban. It may have a reason, which can be changed while the ban lasts. Users cannot ban themselves. (D24, D39)
 */
export function banStep(user: Pick<User, 'guid' | 'bannedAt'>, patch: AccountPatch, actorGuid: string): BanStep | null {
  const { banned, banReason } = patch
  if (banned === undefined && banReason === undefined) return null
  const isBanned = user.bannedAt !== null
  const willBe = banned ?? isBanned
  if (banned === true && user.guid === actorGuid) throw invalid('account.self_ban', 'You cannot ban yourself.')
  if (!willBe && banReason != null) {
    throw invalid('account.ban_reason_stray', 'A reason for a ban needs a ban: send "banned": true with it.')
  }
  if (willBe && !isBanned) return { do: 'ban', reason: banReason || null }
  if (!willBe) return isBanned ? { do: 'unban' } : null
  return banReason === undefined ? null : { do: 'reword', reason: banReason || null }
}
