import { standInClient } from '../../../../config.ts'
import { type Problem, unauthenticated, unavailable } from '../../../../core/problem.ts'
import { type ChatClient, type ChatConnection, ChatRefused, type ChatUser } from '../../../../infra/clients/chat.ts'
import { Unreachable } from '../../../../infra/clients/http.ts'
import type { Services } from '../../../../services.ts'

/** Asks the chat platform about its users. */

/** Converts a failed call to the chat platform into the caller's problem; throws any other error again. */
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

/** The ID of the service's own application on the chat platform. Only its tokens prove anything here. */
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
 * Returns the chat profile of a chat token's owner. A token of another application is refused: that application could
 * have it from a user who never meant to sign in to this service. (D19)
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
 * Returns the owner of a chat token and the accounts on other platforms that they have connected. The token must be for
 * this service's application: another application could have it from a user who never meant to link anything.
 * (D19, D50)
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
    // Wrong credentials of the service itself are not the user's fault, so this stays an internal error.
    if (error instanceof ChatRefused) throw error.code === 'invalid_client' ? error : refusal
    return chatProblem(error)
  }
}
