import type { GlobalRole } from '../../../../core/roles.ts'
import type { ChatProfile, User } from '../types.ts'

/** What a sign-in brings: the chat account, and what this installation says of it. */
export interface ChatSignIn {
  readonly profile: ChatProfile
  /** Whether the installation names the account as an owner. (D21) */
  readonly isOwner: boolean
  /** Where the chat platform keeps its pictures, without a slash at the end. */
  readonly cdnUrl: string
}

type ChatRecord = Pick<
  User,
  'username' | 'preferredName' | 'avatarUrl' | 'chatAvatarUrl' | 'email' | 'emailVerifiedAt' | 'isBot'
> & {
  readonly globalRoles: GlobalRole[]
}

/** At the first sign-in the record is made of the chat profile, without an unverified e-mail address. (D19, D21) */
export function recordFromChat({ profile, isOwner }: ChatSignIn, now: Date): ChatRecord {
  const { username, globalName, avatarUrl, isBot } = profile
  return {
    username,
    preferredName: globalName ?? username,
    avatarUrl,
    chatAvatarUrl: avatarUrl,
    ...verifiedEmail(profile, now),
    isBot,
    globalRoles: isOwner ? ['role:owner'] : [],
  }
}

/**
 * Later sign-ins follow the chat account's name, and its picture unless the user has set another one; they add an e-mail
 * address where there is none, and an owner's role where it is missing. Only what differs is returned. (D19, D21)
 */
export function changesFromChat(user: User, { profile, isOwner, cdnUrl }: ChatSignIn, now: Date): Partial<ChatRecord> {
  const { username, avatarUrl, isBot } = profile
  const followsPicture = isChatPicture(user.avatarUrl, user.chatPlatformId, cdnUrl)
  return {
    ...(username === user.username ? {} : { username }),
    ...(avatarUrl === user.avatarUrl || !followsPicture ? {} : { avatarUrl }),
    ...(avatarUrl === user.chatAvatarUrl ? {} : { chatAvatarUrl: avatarUrl }),
    ...(user.email === null && hasVerifiedEmail(profile) ? verifiedEmail(profile, now) : {}),
    ...(isBot && !user.isBot ? { isBot } : {}),
    ...(isOwner && !user.globalRoles.includes('role:owner')
      ? { globalRoles: [...user.globalRoles, 'role:owner'] }
      : {}),
  }
}

function hasVerifiedEmail({ email, emailVerified }: ChatProfile): boolean {
  return email !== null && emailVerified
}

function verifiedEmail(profile: ChatProfile, now: Date): Pick<User, 'email' | 'emailVerifiedAt'> {
  return hasVerifiedEmail(profile)
    ? { email: profile.email, emailVerifiedAt: now }
    : { email: null, emailVerifiedAt: null }
}

/** The account's own picture, or one of the platform's default pictures. (domain: chat platform, avatar address) */
function isChatPicture(url: string, chatPlatformId: string, cdnUrl: string): boolean {
  return url.startsWith(`${cdnUrl}/avatars/${chatPlatformId}/`) || url.startsWith(`${cdnUrl}/embed/avatars/`)
}
