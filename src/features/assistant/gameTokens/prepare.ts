import type { GameProvers, ProvenPlayer } from '../../../infra/clients/game-proof/types.ts'
import { Unreachable } from '../../../infra/clients/http.ts'
import type { Db } from '../../../infra/db/database.ts'
import { digestOf } from '../../../infra/secrets.ts'
import type { Clients, Services } from '../../../services.ts'
import {
  checkSubject,
  furtherScopesOf,
  identityOf,
  proofLifetimeMs,
  proofOff,
  proofRefused,
  proofUnreachable,
} from './rules.ts'
import { isProofKnown } from './store.ts'
import type { GameProof, Proven } from './types.ts'

interface Asking {
  readonly db: Db
  readonly services: Services
  readonly clients: Clients
  readonly now: Date
}

/**
 * Asks the ranking platform who plays. The service believes nothing that the game says about the player. (AS27)
 * @throws Problem `game.proof_refused`, `game.proof_unreachable`
 */
export async function prove({ db, services, clients, now }: Asking, proof: GameProof): Promise<Proven> {
  checkSubject(proof)
  const digest = digestOf(services.seal(`game-proof:${identityOf(proof)}`))
  if (await isProofKnown(db, digest, new Date(now.getTime() - proofLifetimeMs))) throw proofRefused()
  try {
    const player = await ask(clients.gameProvers, proof)
    if (player === null) throw proofRefused()
    return { player, digest, scopes: furtherScopesOf(proof) }
  } catch (error) {
    if (error instanceof Unreachable) throw proofUnreachable()
    throw error
  }
}

function ask({ a, b }: GameProvers, proof: GameProof): Promise<ProvenPlayer | null> {
  if ('ticket' in proof) {
    if (b === null) throw proofOff()
    return b.prove({ provider: proof.provider, ticket: proof.ticket })
  }
  if (a === null) throw proofOff()
  return a.prove({ playerId: proof.platformId, nonce: proof.proofNonce, name: proof.platformUsername })
}
