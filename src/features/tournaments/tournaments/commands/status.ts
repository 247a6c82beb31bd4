import type { SignedIn } from '../../../../core/actor.ts'
import type { NewEvent } from '../../../../core/events.ts'
import { conflict } from '../../../../core/problem.ts'
import { oneLine } from '../../../../core/text.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { ownersAndDevelopers } from '../../../people/users/policy.ts'
import { lockUserForKeyShare } from '../../../people/users/store/users.ts'
import { playedTag } from '../../../people/users/views.ts'
import type { TournamentChange } from '../events.ts'
import { readRecord, type TournamentRecord } from '../queries.ts'
import { checkStep, statusAfter } from '../rules/status.ts'
import { refreshListings, updateTournament } from '../store/tournaments.ts'
import type { Placement, Tournament, TournamentStatus } from '../types.ts'
import { lockTournament } from './lock.ts'

/** Reads the final placements of the teams from the tournament's brackets. */
export type Placing = (tx: Tx, tournamentGuid: string) => Promise<readonly Placement[]>

/**
 * Makes a status change that the organiser or an admin requests. Completing a tournament saves the placements of the
 * teams; resuming it removes them. (D25)
 * @throws Problem `tournament.step_illegal`, `tournament.organiser_gone`
 */
export async function changeStatus(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  step: { readonly status: TournamentStatus; readonly reason?: string | null },
  placing: Placing,
  now: Date,
): Promise<TournamentRecord> {
  const { tournament, counts } = await lockTournament(tx, guid)
  checkStep(tournament, step.status, ownersAndDevelopers.allows(actor, {}), now)
  if (step.status === 'ongoing') await checkHasOrganiser(tx, tournament)
  const moved = await move(tx, tournament, step.status, now, {
    ...(await placementsOf(tx, guid, step.status, placing)),
    ...(step.status === 'cancelled' && { cancelReason: oneLine(step.reason ?? '') || null }),
  })
  const record = await readRecord(tx, moved, counts)
  emit(tx, statusChanged(tournament, step.status, actor.guid, step.reason || undefined))
  return record
}

async function placementsOf(
  tx: Tx,
  guid: string,
  to: TournamentStatus,
  placing: Placing,
): Promise<Partial<Pick<Tournament, 'placements'>>> {
  if (to === 'completed') return { placements: await placing(tx, guid) }
  return to === 'ongoing' ? { placements: [] } : {}
}

/**
 * The organiser of a finished tournament may have deleted their account, but a running tournament needs an organiser.
 * The check also keeps the account from being deleted until the transaction ends. (D35)
 */
async function checkHasOrganiser(tx: Tx, { organiserGuid }: Tournament): Promise<void> {
  if (await lockUserForKeyShare(tx, organiserGuid)) return
  throw conflict(
    'tournament.organiser_gone',
    'The organiser has deleted their account; ask a global tournament manager to hand the tournament over first.',
  )
}

/**
 * Applies the system platform's approval: a draft becomes approved, any other status stays. (D25)
 * @param tournament as `lockTournament` returned it
 */
export async function approveTournament(
  tx: Tx,
  tournament: Tournament,
  actorGuid: string,
  now: Date,
): Promise<Tournament> {
  return decide(tx, tournament, 'approval', actorGuid, now)
}

/**
 * Applies the system platform's revocation of its approval. Before the start, the tournament becomes a draft again.
 * Afterwards it keeps its status and loses only its place on the list. (D25)
 * @param tournament as `lockTournament` returned it
 */
export async function revokeApproval(
  tx: Tx,
  tournament: Tournament,
  actorGuid: string,
  now: Date,
): Promise<Tournament> {
  return decide(tx, tournament, 'revocation', actorGuid, now)
}

/**
 * Applies a block on the system platform: it cancels the tournament, whatever its status. The reason is saved only with
 * the request, not in the log: staff read the log and may not learn the reason. (D25)
 * @param tournament as `lockTournament` returned it
 */
export async function cancelByBlock(tx: Tx, tournament: Tournament, actorGuid: string, now: Date): Promise<Tournament> {
  return decide(tx, tournament, 'block', actorGuid, now)
}

async function decide(
  tx: Tx,
  tournament: Tournament,
  decision: Parameters<typeof statusAfter>[1],
  actorGuid: string,
  now: Date,
): Promise<Tournament> {
  const to = statusAfter(tournament.status, decision)
  if (to !== null) {
    const moved = await move(tx, tournament, to, now)
    emit(tx, statusChanged(tournament, to, actorGuid))
    return moved
  }
  await refreshListings(tx, tournament.guid)
  emit(tx, {
    type: 'tournament.listing_refreshed',
    subject: tournament.guid,
    tournament: tournament.guid,
    actor: actorGuid,
    touches: [playedTag],
  })
  return tournament
}

async function move(
  tx: Tx,
  tournament: Tournament,
  to: TournamentStatus,
  now: Date,
  more: Partial<Pick<Tournament, 'placements' | 'cancelReason'>> = {},
): Promise<Tournament> {
  const changes = { status: to, ...datesOf(tournament, to, now), ...more }
  const moved = await updateTournament(tx, tournament.guid, changes, now)
  await refreshListings(tx, tournament.guid)
  return moved
}

function statusChanged(
  tournament: Tournament,
  to: TournamentStatus,
  actorGuid: string,
  reason?: string,
): NewEvent<TournamentChange> {
  return {
    type: 'tournament.status_changed',
    subject: tournament.guid,
    tournament: tournament.guid,
    actor: actorGuid,
    before: { status: tournament.status },
    after: { status: to, ...(reason === undefined ? {} : { reason }) },
    touches: [playedTag],
    rights: true,
  }
}

/** The date of the first approval never changes; the date of completion is removed when the tournament is resumed. */
function datesOf(tournament: Tournament, to: TournamentStatus, now: Date) {
  if (to === 'approved') return { approvedAt: tournament.approvedAt ?? now }
  if (to === 'completed') return { completedAt: now }
  if (to === 'ongoing') return { completedAt: null }
  return {}
}
