import { conflict, forbidden } from '../../../core/problem.ts'
import type { User } from '../users/types.ts'

/** What keeps a user from deleting their account. A list has at most one entry more than the message names. */
export interface Bonds {
  /** Tournaments that the user organises and that are draft, approved or ongoing. */
  readonly organised: readonly { readonly id: string }[]
  /** Registered and qualified teams that the user captains in such tournaments. */
  readonly captained: readonly { readonly name: string; readonly tournamentId: string }[]
  readonly isLastOwner: boolean
}

export const namedAtMost = 5

/**
 * An account on which others rely cannot be deleted: that of the organiser of a tournament that is draft, approved or
 * ongoing; of the captain of a registered or qualified team in one (teams of tournaments that are over do not count);
 * and of the last owner of the installation. The message names all reasons. (additions: Users; D24, D35, D52, D54)
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
 * A banned user cannot delete their account, as the same chat account could then sign in as a new user. Their tokens
 * are refused, so only a request that was let in just before the ban gets here. (D24)
 * @throws Problem `user.banned`
 */
export function checkNotBanned({ bannedAt }: Pick<User, 'bannedAt'>): void {
  if (bannedAt !== null) throw forbidden('user.banned', 'This account is banned and cannot be deleted.')
}

/**
 * Only people who have not signed in are removed by others; everybody else deletes their account themselves. (D35)
 * @throws Problem `user.has_account`
 */
export function checkIsPlaceholder({ isPlaceholder }: Pick<User, 'isPlaceholder'>): void {
  if (isPlaceholder) return
  throw conflict('user.has_account', 'This person has an account, which only they themselves can delete.')
}

/** A removed placeholder is called by a number, such as “Player 017”. (additions: People who are not here yet) */
export function numberedRecord<R extends object>(record: R, number: number) {
  const digits = String(number).padStart(3, '0')
  return { ...record, username: `player-${digits}`, preferredName: `Player ${digits}` }
}

/** The maximum number of records in one section of the export. (D8) */
export const sectionLimit = 10_000

/**
 * The anonymous record of a deleted account: the GUID that results and rosters refer to, and no personal data. The
 * chat-platform ID is replaced by a text that no chat account can have. So it does not resolve, and the chat account
 * can sign in again as a new user. (D35)
 */
export function anonymousRecord(guid: string, cdnUrl: string, now: Date) {
  return {
    chatPlatformId: `deleted:${guid}`,
    awaitedChatId: null,
    username: 'deleted-user',
    preferredName: 'Deleted user',
    avatarUrl: `${cdnUrl}/embed/avatars/0.png`,
    chatAvatarUrl: null,
    description: '',
    bio: '',
    pronouns: null,
    pronunciation: null,
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
