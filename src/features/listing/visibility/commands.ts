import type { SignedIn } from '../../../core/actor.ts'
import { missing } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { changeVisibilityScope } from '../../tournaments/tournaments/commands/settings.ts'
import { approveTournament, cancelByBlock, revokeApproval } from '../../tournaments/tournaments/commands/status.ts'
import {
  lockTournament as lockRow,
  lockTournaments,
  refreshListings,
} from '../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { NewPlatform } from '../platforms/bodies.ts'
import * as platforms from '../platforms/commands/platforms.ts'
import { loadSystemPlatform, lockPlatformList, lockPlatformListForShare } from '../platforms/store.ts'
import type { Platform } from '../platforms/types.ts'
import { requestChanged } from './events.ts'
import {
  changesOf,
  checkActive,
  checkReason,
  checkReviewable,
  checkSeen,
  consequenceOf,
  platformsToAsk,
  statusAfterAsking,
} from './rules.ts'
import { listAskers } from './store/overview.ts'
import * as store from './store/requests.ts'
import type { Standing, Verdict, VisibilityRequest, Wish } from './types.ts'

/**
 * Deletes a platform with all requests to it. First locks the list of platforms and the tournaments that have asked the
 * platform: public lists are derived from the requests under the lock of the tournament.
 * @throws Problem `platform.unknown`, `platform.is_system`
 */
export async function deletePlatform(tx: Tx, actor: SignedIn, guid: string, now: Date): Promise<void> {
  await lockPlatformList(tx)
  const askers = await listAskers(tx, guid)
  if (askers.length > 0) await lockTournaments(tx, askers)
  await platforms.deletePlatform(tx, actor, guid, now)
}

type Asked = Pick<Platform, 'guid' | 'isSystem'>

/**
 * Submits requests to the platforms that the organiser chooses, and withdraws the requests to all others, in one step.
 * Pending and approved requests to chosen platforms stay, and so do all blocked requests. (rest-interface: PUT
 * visibility)
 * @returns the tournament, and its request on every platform
 * @throws Problem `platform.unknown`, `visibility.not_active`
 */
export async function choosePlatforms(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  wish: Wish,
  now: Date,
): Promise<{ tournament: Tournament; standings: Standing[] }> {
  await lockPlatformListForShare(tx)
  const { tournament } = await lockTournament(tx, tournamentGuid)
  const before = await store.listStandings(tx, tournamentGuid)
  const everywhere = before.map(({ platform }) => platform)
  const { asked, withdrawn } = changesOf(before, platformsToAsk(wish, everywhere))
  checkActive(tournament.status)
  const scoped = await changeVisibilityScope(tx, tournament, wish.scope, actor.guid, now)
  const changed = [
    ...(await store.submitRequests(tx, tournamentGuid, asked, now)),
    ...(await store.withdrawRequests(tx, guidsOf(withdrawn))),
  ]
  if (withdrawn.some(({ status }) => status === 'approved')) await refreshListings(tx, tournamentGuid)
  for (const request of changed) {
    const earlier = before.find(({ platform }) => platform.guid === request.platformGuid)?.request
    emitChange(tx, earlier, request, actor.guid)
  }
  return { tournament: scoped, standings: await store.listStandings(tx, tournamentGuid) }
}

/**
 * Adds a platform and submits a request to it for every active tournament that wants to be listed everywhere.
 * (rest-interface: Visibility request)
 * @throws Problem as `createPlatform`
 */
export async function createPlatform(
  tx: Tx,
  actor: SignedIn,
  input: NewPlatform,
  around: platforms.Surroundings,
): Promise<Platform> {
  const { now } = around
  const platform = await platforms.createPlatform(tx, actor, input, around)
  const requests = await store.submitToNewPlatform(tx, platform.guid, now)
  if (requests === 0) return platform
  // One event for all requests: there may be thousands, and nobody can have subscribed to the new platform's events
  // yet.
  emit(tx, {
    type: 'platform.queue_filled',
    subject: platform.guid,
    actor: actor.guid,
    after: { platformGuid: platform.guid, requests },
  })
  return platform
}

/** Submits a request for the main listing. (D27) */
export async function requestMainListing(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  now: Date,
): Promise<VisibilityRequest> {
  const { tournament } = await lockTournament(tx, tournamentGuid)
  return requestVisibility(tx, tournament, await loadSystemPlatform(tx), actor.guid, now)
}

/** Decides on the request for the main listing. (D27) */
export async function reviewForMainListing(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  verdict: Omit<Verdict, 'actorGuid'>,
  now: Date,
): Promise<VisibilityRequest> {
  const { tournament } = await lockTournament(tx, tournamentGuid)
  return reviewRequest(tx, tournament, await loadSystemPlatform(tx), { ...verdict, actorGuid: actor.guid }, now)
}

/**
 * Decides on a request in a platform's queue.
 * @throws Problem `request.unknown` if its tournament or platform was deleted meanwhile, and as `reviewRequest`
 */
export async function review(
  tx: Tx,
  platform: Asked,
  { guid, tournamentGuid }: VisibilityRequest,
  verdict: Verdict,
  now: Date,
): Promise<VisibilityRequest> {
  const locked = await lockRow(tx, tournamentGuid)
  const request = locked === undefined ? undefined : await store.findRequest(tx, platform.guid, guid)
  if (locked === undefined || request === undefined) throw unknownRequest()
  return reviewRequest(tx, locked.tournament, platform, verdict, now)
}

export function unknownRequest() {
  return missing('request.unknown', 'There is no such request on this platform.')
}

/**
 * Submits a request to a platform and returns it. A pending, approved or blocked request stays as it is.
 * @param tournament as returned by `lockTournament`
 * @throws Problem `visibility.not_active`
 */
export async function requestVisibility(
  tx: Tx,
  tournament: Tournament,
  platform: Asked,
  actorGuid: string,
  now: Date,
): Promise<VisibilityRequest> {
  checkActive(tournament.status)
  const before = await store.lockRequest(tx, tournament.guid, platform.guid)
  if (before !== undefined && statusAfterAsking(before.status) === before.status) return before
  const [request] = await store.submitRequests(tx, tournament.guid, [platform.guid], now)
  if (request === undefined) throw new Error('a submitted visibility request was not returned')
  emitChange(tx, before, request, actorGuid)
  return request
}

/**
 * Saves the first or a further decision on a request, and applies its consequences to the tournament and its listings.
 * @param tournament as returned by `lockTournament`
 * @throws Problem `visibility.reason_missing`, `visibility.not_requested`, `visibility.withdrawn`, `visibility.decided`
 */
export async function reviewRequest(
  tx: Tx,
  tournament: Tournament,
  platform: Asked,
  verdict: Verdict,
  now: Date,
): Promise<VisibilityRequest> {
  const { decision, reason, actorGuid, seen } = verdict
  checkReason(decision, reason)
  const before = checkReviewable(await store.lockRequest(tx, tournament.guid, platform.guid))
  if (before.status === decision && before.reason === reason) return before
  checkSeen(before, seen)
  const request = await store.decideRequest(tx, before.guid, verdict, now)
  if (platform.isSystem) await actOnTournament(tx, tournament, before, verdict, now)
  else await refreshListings(tx, tournament.guid)
  emitChange(tx, before, request, actorGuid)
  return request
}

async function actOnTournament(
  tx: Tx,
  tournament: Tournament,
  before: VisibilityRequest,
  { decision, actorGuid }: Verdict,
  now: Date,
): Promise<void> {
  const consequence = consequenceOf(before.status, decision)
  if (consequence === 'approval') await approveTournament(tx, tournament, actorGuid, now)
  if (consequence === 'revocation') await revokeApproval(tx, tournament, actorGuid, now)
  if (consequence === 'block') await cancelByBlock(tx, tournament, actorGuid, now)
}

function emitChange(
  tx: Tx,
  before: VisibilityRequest | null | undefined,
  request: VisibilityRequest,
  actorGuid: string,
): void {
  for (const event of requestChanged(before ?? null, request, actorGuid)) emit(tx, event)
}

function guidsOf(requests: readonly VisibilityRequest[]): string[] {
  return requests.map(({ guid }) => guid)
}
