import { conflict, forbidden } from '../../../core/problem.ts'
import type { User } from '../users/types.ts'

/** What keeps a user from deleting their account; of long lists, one more than the message names. */
export interface Bonds {
  /** Tournaments that they organise and that are draft, approved or ongoing. */
  readonly organised: readonly { readonly id: string }[]
  /** Registered and qualified teams that they captain in such tournaments. */
  readonly captained: readonly { readonly name: string; readonly tournamentId: string }[]
  readonly isLastOwner: boolean
}

export const namedAtMost = 5

/**
 * An account that others rely on cannot be deleted: that of the organiser of a tournament that is draft, approved or
 * ongoing; of the captain of a team that is registered or qualified there (teams of tournaments that are over do not
 * count); and of the last owner of the installation. The message names all of it at once. (additions: Users; D24, D35,
 * D52, D54)
 * @throws Problem `account.organises`, `account.captains`, `account.last_owner`: the first that applies
 */
export function checkIsFree({ organised, captained, isLastOwner }: Bonds): void {
  const bonds = [
    organised.length > 0 && {
      code: 'account.organises',
      remedy: `hand over or cancel the tournaments that you organise (${listed(organised.map(({ id }) => id))})`,
    },
    captained.length > 0 && {
      code: 'account.captains',
      remedy: `withdraw the teams that you captain or have the organiser make somebody else their captain (${listed(captained.map(({ name, tournamentId }) => `“${name}” in ${tournamentId}`))})`,
    },
    isLastOwner && { code: 'account.last_owner', remedy: 'make somebody else an owner of this service' },
  ].filter((bond) => bond !== false)
  const [first] = bonds
  if (first === undefined) return
  const remedies = bonds.map(({ remedy }) => remedy).join('; ')
  throw conflict(first.code, `Before you can delete your account, ${remedies}.`)
}

function listed(names: readonly string[]): string {
  const rest = names.length > namedAtMost ? ', …' : ''
  return names.slice(0, namedAtMost).join(', ') + rest
}

/**
 * A banned user cannot delete their account, which would let the same chat account sign in as a new user. Their tokens
 * are refused, so that only a request that was admitted just before the ban gets here. (D24)
 * @throws Problem `user.banned`
 */
export function checkNotBanned({ bannedAt }: Pick<User, 'bannedAt'>): void {
  if (bannedAt !== null) throw forbidden('user.banned', 'This account is banned and cannot be deleted.')
}

/** Records in one section of the export. (D8) */
export const sectionLimit = 10_000

/**
 * What is left of a deleted account: the GUID by which results and rosters name it, and no personal data. Its
 * chat-platform ID is replaced by something that no chat account can have, so that it does not resolve, and the chat
 * account can sign in again as a new user. (D35)
 */
export function anonymousRecord(guid: string, cdnUrl: string, now: Date) {
  return {
    chatPlatformId: `deleted:${guid}`,
    username: 'deleted-user',
    preferredName: 'Deleted user',
    avatarUrl: `${cdnUrl}/embed/avatars/0.png`,
    chatAvatarUrl: null,
    description: '',
    bio: '',
    pronouns: null,
    headset: null,
    grip: null,
    controllers: null,
    country: null,
    email: null,
    emailVerifiedAt: null,
    isBot: false,
    globalRoles: [],
    credentialsValidFrom: now,
    anonymisedAt: now,
  }
}
