import type { GlobalRole } from '../../../../core/roles.ts'
import type { ChatProfile, User } from '../types.ts'

/** The data of a sign-in: the chat profile, and the installation's settings for it. */
export interface ChatSignIn {
  readonly profile: ChatProfile
  /** Whether the installation names the account as an owner. (D21) */
  readonly isOwner: boolean
  /** Base URL of the chat platform's pictures, without a trailing slash. */
  readonly cdnUrl: string
}

type ChatRecord = Pick<
  User,
  'username' | 'preferredName' | 'avatarUrl' | 'chatAvatarUrl' | 'email' | 'emailVerifiedAt' | 'isBot'
> & {
  readonly globalRoles: GlobalRole[]
}

/** The record at the first sign-in is made from the chat profile, without an unverified e-mail address. (D19, D21) */
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
 * Later sign-ins update the name from the chat account, and the picture unless the user has set another one. They add a
 * missing e-mail address and a missing owner role. Only differences are returned. (D19, D21)
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

/**
 * Whether it is the account's own picture, or one of the platform's default pictures.
 * (domain: chat platform, avatar address)
 */
function isChatPicture(url: string, chatPlatformId: string, cdnUrl: string): boolean {
  return url.startsWith(`${cdnUrl}/avatars/${chatPlatformId}/`) || url.startsWith(`${cdnUrl}/embed/avatars/`)
}
