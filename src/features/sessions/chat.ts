import type { Problem } from '../../core/problem.ts'
import { type ChatClient, ChatRefused, type ChatUser } from '../../infra/clients/chat.ts'
import { chatProblem } from '../users/chat.ts'

/** Asking the chat platform who somebody is, in the two ways in which a sign-in begins. */

export const chatProblems = { 'chat.unreachable': 503 } as const

/** @throws Problem `refusal`, or `chat.unreachable` */
export async function exchangeCode(
  chat: ChatClient,
  grant: Parameters<ChatClient['exchangeCode']>[0],
  refusal: Problem,
): Promise<ChatUser> {
  return asking(refusal, async () => {
    const { accessToken } = await chat.exchangeCode(grant)
    return chat.currentUser(accessToken)
  })
}

/**
 * Whose chat token it is. One that was issued to another application proves nothing here: that application could have
 * it from a user who never meant to sign in to us. (D19)
 *
 * @throws Problem `refusal`, or `chat.unreachable`
 */
export async function ownerOfToken(
  chat: ChatClient,
  accessToken: string,
  applicationId: string,
  now: Date,
  refusal: Problem,
): Promise<ChatUser> {
  return asking(refusal, async () => {
    const authorization = await chat.authorization(accessToken)
    if (authorization.applicationId !== applicationId || authorization.expiresAt <= now) throw refusal
    return chat.currentUser(accessToken)
  })
}

async function asking(refusal: Problem, ask: () => Promise<ChatUser>): Promise<ChatUser> {
  try {
    return await ask()
  } catch (error) {
    // When our own credentials are wrong, whoever signs in can do nothing about it.
    if (error instanceof ChatRefused) throw error.code === 'invalid_client' ? error : refusal
    return chatProblem(error)
  }
}
