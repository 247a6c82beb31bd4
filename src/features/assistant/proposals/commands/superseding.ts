import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { readMatchOf } from '../queries.ts'
import { hasResultElsewhere, isLate, isOpen } from '../rules/standing.ts'
import { findPlay } from '../store/plays.ts'
import { listOpenProposals, lockProposal, updateProposal } from '../store/proposals.ts'
import type { GameProposal } from '../types.ts'

/** Marks a proposal as superseded by another result. The caller must hold the proposal's lock. */
export async function supersede(tx: Tx, proposal: GameProposal, now: Date): Promise<GameProposal> {
  if (!isOpen(proposal)) return proposal
  const { guid, matchGuid: match, game, run } = proposal
  const superseded = await updateProposal(tx, guid, { status: 'superseded', decidedAt: now, acceptAt: null })
  emit(tx, {
    type: 'assistant.proposal_superseded',
    subject: guid,
    tournament: proposal.tournamentGuid,
    actor: null,
    after: { match, game, run },
    touches: [match],
  })
  return superseded
}

/**
 * Supersedes the proposals of songs whose result was reported by hand. A late proposal, made when the song had a result
 * already, stays open, because it may be accepted as a correction. (AS21)
 */
export async function supersedeReported(tx: Tx, matchGuids: readonly string[], now: Date): Promise<void> {
  for (const guid of await listOpenProposals(tx, matchGuids)) {
    const proposal = await lockProposal(tx, guid)
    if (proposal === undefined || !isOpen(proposal) || isLate(proposal)) continue
    const play = await findPlay(tx, proposal.playGuid)
    const seen = play && (await readMatchOf(tx, play))
    if (play === undefined || seen === undefined) continue
    if (hasResultElsewhere(play, seen.match, seen.session)) await supersede(tx, proposal, now)
  }
}

/**
 * Supersedes the other proposals of the same song: of several starts, one result counts.
 * @param others locked by the caller
 */
export async function supersedeOthers(
  tx: Tx,
  accepted: GameProposal,
  others: readonly GameProposal[],
  now: Date,
): Promise<void> {
  for (const other of others) {
    if (other.guid !== accepted.guid && other.game === accepted.game && other.run === accepted.run) {
      await supersede(tx, other, now)
    }
  }
}
