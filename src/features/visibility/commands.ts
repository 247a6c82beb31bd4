import type { SignedIn } from '../../core/actor.ts'
import type { Tx } from '../../infra/db/database.ts'
import { emit } from '../../infra/events/emit.ts'
import { organisers } from '../access/policy.ts'
import { loadSystemPlatform } from '../platforms/store.ts'
import type { Platform } from '../platforms/types.ts'
import { lockFor } from '../tournaments/commands/lock.ts'
import { approveTournament, cancelByBlock, revokeApproval } from '../tournaments/commands/status.ts'
import { refreshListings } from '../tournaments/store.ts'
import type { Tournament } from '../tournaments/types.ts'
import { playedTag } from '../users/views.ts'
import { mainListingReviewers } from './policy.ts'
import {
  asOrganisersSee,
  checkActive,
  checkReason,
  checkReviewable,
  consequenceOf,
  statusAfterAsking,
} from './rules.ts'
import * as store from './store.ts'
import type { Decision, VisibilityRequest } from './types.ts'

/** Asks for the main listing. (D27) */
export async function requestMainListing(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  now: Date,
): Promise<VisibilityRequest> {
  const { tournament } = await lockFor(tx, actor, tournamentGuid, organisers)
  return requestVisibility(tx, tournament, await loadSystemPlatform(tx), actor.guid, now)
}

/** Decides on the main listing. (D27) */
export async function reviewForMainListing(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  verdict: { readonly decision: Decision; readonly reason: string | null },
  now: Date,
): Promise<VisibilityRequest> {
  const { tournament } = await lockFor(tx, actor, tournamentGuid, mainListingReviewers)
  return reviewRequest(tx, tournament, await loadSystemPlatform(tx), { ...verdict, actorGuid: actor.guid }, now)
}

/**
 * Asks to be listed on a platform; answers the request as it then is, which asking may have left alone.
 * @param tournament as `lockTournament` gave it
 * @throws Problem `visibility.not_active`
 */
export async function requestVisibility(
  tx: Tx,
  tournament: Tournament,
  platform: Platform,
  actorGuid: string,
  now: Date,
): Promise<VisibilityRequest> {
  checkActive(tournament.status)
  const before = await store.lockRequest(tx, tournament.guid, platform.guid)
  if (before !== undefined && statusAfterAsking(before.status) === before.status) return before
  const request = await store.submitRequest(tx, tournament.guid, platform.guid, now)
  emit(tx, changed(before, request, actorGuid))
  return request
}

/**
 * Decides, or decides anew, on a request, with what follows for the tournament and its listings.
 * @param tournament as `lockTournament` gave it
 * @throws Problem `visibility.reason_missing`, `visibility.not_requested`, `visibility.withdrawn`
 */
export async function reviewRequest(
  tx: Tx,
  tournament: Tournament,
  platform: Platform,
  verdict: { readonly decision: Decision; readonly reason: string | null; readonly actorGuid: string },
  now: Date,
): Promise<VisibilityRequest> {
  const { decision, reason, actorGuid } = verdict
  checkReason(decision, reason)
  const before = checkReviewable(await store.lockRequest(tx, tournament.guid, platform.guid))
  if (before.status === decision && before.reason === reason) return before
  const request = await store.decideRequest(tx, before.guid, verdict, now)
  if (platform.isSystem) await actOnTournament(tx, tournament, before, verdict, now)
  else await refreshListings(tx, tournament.guid)
  emit(tx, changed(before, request, actorGuid))
  if (decision === 'blocked') emit(tx, blocked(request, actorGuid))
  return request
}

async function actOnTournament(
  tx: Tx,
  tournament: Tournament,
  before: VisibilityRequest,
  { decision, reason, actorGuid }: { decision: Decision; reason: string | null; actorGuid: string },
  now: Date,
): Promise<void> {
  const consequence = consequenceOf(before.status, decision)
  if (consequence === 'approval') await approveTournament(tx, tournament, actorGuid, now)
  if (consequence === 'revocation') await revokeApproval(tx, tournament, actorGuid, now)
  if (consequence === 'block') await cancelByBlock(tx, tournament, actorGuid, reason ?? '', now)
}

/** Read by the tournament's staff: tells no more of a block than they may know. */
function changed(before: VisibilityRequest | undefined, request: VisibilityRequest, actorGuid: string) {
  const { status, reason } = asOrganisersSee(request)
  return {
    type: status === 'pending' ? 'visibility.requested' : `visibility.${status}`,
    subject: request.guid,
    tournament: request.tournamentGuid,
    actor: actorGuid,
    before: before === undefined ? null : { status: asOrganisersSee(before).status },
    after: { platformGuid: request.platformGuid, status, reason },
    touches: [request.platformGuid, playedTag],
  }
}

/** The truth about a block, outside what the tournament's staff may read. */
function blocked({ guid, tournamentGuid, platformGuid, reason }: VisibilityRequest, actorGuid: string) {
  return {
    type: 'visibility.blocked',
    subject: guid,
    actor: actorGuid,
    after: { tournamentGuid, platformGuid, status: 'blocked', reason },
  }
}
