import { standInClient } from '../../../../config.ts'
import { type Problem, unauthenticated, unavailable } from '../../../../core/problem.ts'
import { type ChatClient, type ChatConnection, ChatRefused, type ChatUser } from '../../../../infra/clients/chat.ts'
import { Unreachable } from '../../../../infra/clients/http.ts'
import type { Services } from '../../../../services.ts'

/** Asking the chat platform who somebody is. */

/** Turns a failed call to the chat platform into the caller's problem; rethrows any other error. */
export function chatProblem(error: unknown): never {
  if (error instanceof ChatRefused) {
    throw unauthenticated('chat.token_refused', 'The chat platform refuses this token; sign in there again.')
  }
  if (error instanceof Unreachable) {
    throw unavailable('chat.unreachable', 'The chat platform cannot be reached now; try again in a minute.')
  }
  throw error
}

export const chatProblems = { 'chat.unreachable': 503 } as const

/** Our own application there, the only one whose tokens prove anything here. */
export function ownApplicationId({ config }: Services): string {
  return config.chat.credentials?.clientId ?? standInClient.applicationId
}

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

/**
 * Whose chat token it is, and which accounts elsewhere they have shown to be theirs. The token's application must be ours
 * here too: another one could hold a token of somebody who never meant to link anything. (D19, D50)
 *
 * @throws Problem `refusal`, also without the scope `connections`, or `chat.unreachable`
 */
export async function connectionsOfOwner(
  chat: ChatClient,
  accessToken: string,
  applicationId: string,
  now: Date,
  refusal: Problem,
): Promise<{ owner: ChatUser; connections: readonly ChatConnection[] }> {
  const owner = await ownerOfToken(chat, accessToken, applicationId, now, refusal)
  return { owner, connections: await asking(refusal, () => chat.connections(accessToken)) }
}

async function asking<T>(refusal: Problem, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    // When our own credentials are wrong, whoever signs in can do nothing about it.
    if (error instanceof ChatRefused) throw error.code === 'invalid_client' ? error : refusal
    return chatProblem(error)
  }
}
