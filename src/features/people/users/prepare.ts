import { standInClient } from '../../../config.ts'
import { invalid, type Problem, unauthenticated, unavailable } from '../../../core/problem.ts'
import { type ChatClient, type ChatConnection, ChatRefused, type ChatUser } from '../../../infra/clients/chat.ts'
import { Unreachable } from '../../../infra/clients/http.ts'
import type { RankingClient } from '../../../infra/clients/ranking.ts'
import type { Clients, Services } from '../../../services.ts'
import type { RankingPlatform } from '../rankings/types.ts'
import { readExternalId } from './rules/identities.ts'
import type { ExternalAccount, IdentityPlatform } from './types.ts'

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

/** Asks other platforms about an account that a user claims as theirs. */

export interface Claim {
  readonly platform: IdentityPlatform
  /** As the user wrote it. */
  readonly externalId: string
  readonly proof: string | undefined
  /** The chat account of the user who makes the claim. */
  readonly chatPlatformId: string | null
}

export interface World {
  readonly clients: Pick<Clients, 'chat' | 'rankings'>
  readonly services: Services
  readonly now: Date
}

/**
 * @throws Problem `identity.id_invalid`, `identity.account_unknown`, `identity.proof_refused`, `ranking.unreachable`,
 *   `chat.unreachable`
 */
export async function askForAccount(world: World, claim: Claim): Promise<ExternalAccount> {
  const { platform } = claim
  const id = readExternalId(platform, claim.externalId)
  if (!id.ok) throw invalid('identity.id_invalid', `The externalId ${id.reason}.`)
  const cleaned = { ...claim, externalId: id.value }
  return platform === 'streaming' ? streamingAccount(world, cleaned) : rankingAccount(world, platform, cleaned)
}

/**
 * Asks a ranking platform for an account. The platform names the chat account of its holder, if it knows one. A token
 * of the platform is refused as a proof: it would be for another application, which could have it from a user who never
 * meant to link anything. (D19)
 */
async function rankingAccount(world: World, platform: RankingPlatform, claim: Claim): Promise<ExternalAccount> {
  if (claim.proof !== undefined) {
    throw proofRefused(
      'A ranking account is not proven by a token: leave `proof` out and put the code into its profile.',
    )
  }
  const { rankings } = world.clients
  const profile = await profileOf(platform === 'ranking-a' ? rankings.a : rankings.b, claim.externalId)
  const { externalId, name, country, rank, profileText, chatPlatformId } = profile
  return {
    platform,
    askedId: claim.externalId,
    externalId,
    isVouchedFor: chatPlatformId !== null && chatPlatformId === claim.chatPlatformId,
    profileText,
    profile: { platform, externalId, name, country, rank, fetchedAt: world.now },
  }
}

async function profileOf(platform: RankingClient, id: string) {
  const profile = await platform.profile(id).catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error
    throw unavailable('ranking.unreachable', 'The ranking platform cannot be reached now; try again in a minute.')
  })
  if (profile !== null) return profile
  throw invalid('identity.account_unknown', 'The ranking platform has no such account; check the ID.')
}

/** Asks the chat platform, which knows the streaming accounts of its users and shows them with the user's consent. */
async function streamingAccount({ clients, services, now }: World, claim: Claim): Promise<ExternalAccount> {
  const { platform, externalId, proof } = claim
  const account = { platform, askedId: externalId, externalId, profileText: null, profile: null }
  if (proof === undefined) return { ...account, isVouchedFor: false }
  const { owner, connections } = await connectionsOfOwner(
    clients.chat,
    proof,
    ownApplicationId(services),
    now,
    proofRefused(
      'The proof must be a valid token that the chat platform has issued to this service’s application, with the scopes `identify` and `connections`.',
    ),
  )
  if (owner.id !== claim.chatPlatformId) throw proofRefused('The proof belongs to another chat account than yours.')
  const isConnected = connections.some(
    ({ type, name, isVerified }) => type === 'twitch' && isVerified && name.toLowerCase() === externalId,
  )
  if (!isConnected) {
    throw proofRefused(
      'Your chat account has no verified connection to this streaming account; connect it there first.',
    )
  }
  return { ...account, isVouchedFor: true }
}

function proofRefused(message: string): Problem {
  return invalid('identity.proof_refused', message)
}
