import type { User } from '../types.ts'

/**
 * A user without a picture of their own has that of their chat account, as it was at their last sign-in, or else the
 * default picture that the chat platform assigns to the account.
 * (media: Operations, avatar; domain: chat platform, avatar address)
 */
export function chatAvatarOf({ chatPlatformId, chatAvatarUrl }: Avatar, cdnUrl: string): string {
  return chatAvatarUrl ?? `${cdnUrl}/embed/avatars/${dealt(chatPlatformId)}.png`
}

type Avatar = Pick<User, 'chatPlatformId' | 'chatAvatarUrl'>

function dealt(id: string): number {
  return /^\d+$/.test(id) ? Number((BigInt(id) >> 22n) % 6n) : 0
}
