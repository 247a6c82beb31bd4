import type { SignedIn } from '../../../../core/actor.ts'
import type { NewEvent } from '../../../../core/events.ts'
import { conflict } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { ownersAndDevelopers } from '../../../people/users/policy.ts'
import { keepUser } from '../../../people/users/store/users.ts'
import { playedTag } from '../../../people/users/views/card.ts'
import type { TournamentChange } from '../events.ts'
import { readRecord, type TournamentRecord } from '../queries.ts'
import { checkStep, statusAfter } from '../rules/status.ts'
import { refreshListings, updateTournament } from '../store/tournaments.ts'
import type { Placement, Tournament, TournamentStatus } from '../types.ts'
import { lockTournament } from './lock.ts'

/** Who is placed where in a tournament, as its brackets have it now. */
export type Placing = (tx: Tx, tournamentGuid: string) => Promise<readonly Placement[]>

/**
 * A step that the organiser's side asks for. Completing places the teams; resuming takes that back. (D25)
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
  const moved = await move(tx, tournament, step.status, now, await placementsOf(tx, guid, step.status, placing))
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
 * A tournament that is over may have lost its organiser, who gave up their account; one that runs has one. Until the
 * transaction ends they keep it. (D35)
 */
async function checkHasOrganiser(tx: Tx, { organiserGuid }: Tournament): Promise<void> {
  if (await keepUser(tx, organiserGuid)) return
  throw conflict(
    'tournament.organiser_gone',
    'The organiser has deleted their account; ask a global tournament manager to hand the tournament over first.',
  )
}

/**
 * What follows from the system platform's approval: a draft is approved, any other status stays. (D25)
 * @param tournament as `lockTournament` gave it
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
 * What follows when the system platform takes its approval back: before the start the tournament is a draft again, and
 * afterwards keeps its status, but for its place on the list. (D25)
 * @param tournament as `lockTournament` gave it
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
 * A block on the system platform cancels the tournament, whatever its status. Its reason is not told here: it stays on
 * the request, for the log is read by the tournament's staff, who may not learn it. (D25)
 * @param tournament as `lockTournament` gave it
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
  more: Partial<Pick<Tournament, 'placements'>> = {},
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

/** The first approval counts for good; a completion lasts until the tournament is resumed. */
function datesOf(tournament: Tournament, to: TournamentStatus, now: Date) {
  if (to === 'approved') return { approvedAt: tournament.approvedAt ?? now }
  if (to === 'completed') return { completedAt: now }
  if (to === 'ongoing') return { completedAt: null }
  return {}
}
