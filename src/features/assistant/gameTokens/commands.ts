import { Refusal } from '../../../core/operation.ts'
import { forbidden } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import type { Services } from '../../../services.ts'
import { linkPlatformOf, proofLifetimeMs, proofRefused } from './rules.ts'
import { findLinkedUser, takeProof } from './store.ts'
import type { Proven } from './types.ts'

/**
 * Uses up the proof, even if the player is refused, and answers the game's token. It emits no event, so that nobody
 * learns who plays. (AS27, AS28)
 */
export async function signGameIn(
  tx: Tx,
  { tokens }: Services,
  { player, digest, scopes }: Proven,
  now: Date,
): Promise<{ token: string } | Refusal> {
  if (!(await takeProof(tx, digest, now, new Date(now.getTime() - proofLifetimeMs)))) throw proofRefused()
  const user = (await findLinkedUser(tx, linkPlatformOf(player), player.platformId)) ?? null
  if (user !== null && user.bannedAt !== null)
    return new Refusal(forbidden('user.banned', 'This account is banned and cannot sign in.'))
  const subject = { ...player, avatarUrl: player.avatarUrl ?? '', user }
  return { token: await tokens.issueForGame(subject, scopes, now) }
}
