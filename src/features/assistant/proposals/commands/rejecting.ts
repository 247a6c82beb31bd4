import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { checkOpen, unknownProposal } from '../rules/standing.ts'
import { lockProposal, updateProposal } from '../store/proposals.ts'
import type { GameProposal } from '../types.ts'

/**
 * Rejects a proposal: the song gets no result from it. The players' scores stay stored. (AS19)
 * @throws Problem `proposal.decided`
 */
export async function rejectProposal(
  tx: Tx,
  actor: SignedIn,
  found: GameProposal,
  reason: string,
  now: Date,
): Promise<GameProposal> {
  const proposal = await lockProposal(tx, found.guid)
  if (proposal === undefined) throw unknownProposal()
  checkOpen(proposal)
  const { guid, tournamentGuid: tournament, matchGuid: match, game, run } = proposal
  const rejected = await updateProposal(tx, guid, {
    status: 'rejected',
    decidedBy: actor.guid,
    decidedAt: now,
    acceptAt: null,
    reason,
  })
  emit(tx, {
    type: 'assistant.proposal_rejected',
    subject: guid,
    actor: actor.guid,
    after: { match, game, run, reason },
    tournament,
    touches: [match],
  })
  return rejected
}
