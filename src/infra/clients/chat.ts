export class ChatRefused extends Error {}
export interface ChatClient {
  currentUser(
    token: string,
  ): Promise<{
    id: string
    username: string
    globalName: string | null
    avatarUrl: string
    email: string | null
    emailVerified: boolean
    isBot: boolean
  }>
}
export function createChatClient(_: object): ChatClient {
  return {
    currentUser: async () => {
      throw new ChatRefused()
    },
  }
}
