import type { SignedIn } from '../../../../core/actor.ts'
import { invalid } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { notifyAll } from '../../../people/notifications/commands.ts'
import { listGuidsByIdentifier } from '../../../people/users/store/identifiers.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { listManagers } from '../../badges/store/managers.ts'
import type { BadgeInput, RequestBody, RequestChangesBody } from '../bodies.ts'
import {
  alreadyPending,
  askedNotice,
  checkCompleted,
  checkInTime,
  checkNotStale,
  checkPending,
  checkRoom,
  countRecipients,
  laterThan,
  readBadges,
  unknownRequest,
} from '../rules.ts'
import * as store from '../store/requests.ts'
import type { BadgeRequest, RequestedBadge } from '../types.ts'
import { checkPictures, usePictures } from './pictures.ts'

/**
 * Requests badges for a completed tournament. Of two concurrent requests one succeeds.
 * @throws Problem `tournament.unknown`, `tournament.not_completed`, `badge_request.too_late`, `badge_request.pending`,
 * `badge_request.limit_reached`, and those of `readInput`
 */
export async function ask(
  tx: Tx,
  actor: SignedIn,
  found: Tournament,
  { message = '', badges: inputs }: RequestBody,
  now: Date,
): Promise<BadgeRequest> {
  const { tournament } = await lockTournament(tx, found.guid)
  checkCompleted(tournament)
  checkInTime(tournament, now)
  if (await store.hasPending(tx, tournament.guid)) throw alreadyPending()
  checkRoom(await store.countOf(tx, tournament.guid))
  const badges = await readInput(tx, actor, inputs, null)
  await checkPictures(tx, badges, { actor, tournamentGuid: tournament.guid, kept: [] })
  const request = await store.insertRequest(tx, {
    tournamentGuid: tournament.guid,
    status: 'pending',
    message,
    badges,
    createdBy: actor.guid,
    createdAt: now,
    updatedAt: now,
  })
  await usePictures(tx, request, now)
  const managers = (await listManagers(tx)).filter((guid) => guid !== actor.guid)
  const notice = askedNotice(request)
  await notifyAll(
    tx,
    managers.map((userGuid) => ({ ...notice, userGuid, createdAt: now })),
  )
  emit(tx, {
    type: 'badge_request.created',
    subject: request.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: { status: 'pending', ...numbersOf(request) },
  })
  return request
}

/**
 * Changes a request that is not decided.
 * @throws Problem `badge_request.unknown`, `badge_request.decided`, `badge_request.stale`,
 * `badge_request.nothing_given`, and those of `readInput`
 */
export async function changeRequest(
  tx: Tx,
  actor: SignedIn,
  { guid }: BadgeRequest,
  { message, badges: inputs, expectedUpdatedAt }: RequestChangesBody,
  now: Date,
): Promise<BadgeRequest> {
  if (message === undefined && inputs === undefined) {
    throw invalid('badge_request.nothing_given', 'Give at least one of message and badges.')
  }
  const before = await lockWaiting(tx, guid)
  checkNotStale(before, expectedUpdatedAt)
  const badges = inputs === undefined ? before.badges : await readInput(tx, actor, inputs, before)
  if (inputs !== undefined) {
    await checkPictures(tx, badges, { actor, tournamentGuid: before.tournament.guid, kept: before.badges })
  }
  const changes = { message: message ?? before.message, badges, updatedAt: laterThan(before, now) }
  const after = await store.updateRequest(tx, guid, changes)
  await usePictures(tx, after, now)
  emit(tx, {
    type: 'badge_request.updated',
    subject: guid,
    tournament: before.tournament.guid,
    actor: actor.guid,
    before: numbersOf(before),
    after: numbersOf(after),
  })
  return after
}

/**
 * Withdraws a request that is not decided.
 * @throws Problem `badge_request.unknown`, `badge_request.decided`
 */
export async function withdraw(tx: Tx, actor: SignedIn, { guid }: BadgeRequest, now: Date): Promise<BadgeRequest> {
  const before = await lockWaiting(tx, guid)
  const changes = { status: 'withdrawn', decidedAt: now, updatedAt: laterThan(before, now) } as const
  const after = await store.updateRequest(tx, guid, changes)
  await usePictures(tx, after, now)
  emit(tx, {
    type: 'badge_request.withdrawn',
    subject: guid,
    tournament: before.tournament.guid,
    actor: actor.guid,
    before: { status: before.status },
    after: { status: after.status },
  })
  return after
}

/** @throws Problem `badge_request.unknown`, `badge_request.decided` */
export async function lockWaiting(tx: Tx, guid: string): Promise<BadgeRequest> {
  const request = await store.lockRequest(tx, guid)
  if (request === undefined) throw unknownRequest()
  checkPending(request)
  return request
}

/**
 * Reads the requested badges. A user that the request names already may be named again, even if the account is banned
 * or deleted by now: the decision leaves that recipient out and says so. (B6)
 * @throws Problem `badge.invalid`, `badge_request.invalid`, `user.unknown`
 */
export async function readInput(tx: Tx, actor: SignedIn, inputs: readonly BadgeInput[], before: BadgeRequest | null) {
  const identifiers = inputs.flatMap(({ recipients }) => recipients.map(({ user }) => user))
  const named = new Set(before?.badges.flatMap(({ recipients }) => recipients.map(({ userGuid }) => userGuid)))
  const found = new Map(await listGuidsByIdentifier(tx, identifiers))
  found.set('@me', actor.guid)
  for (const identifier of identifiers) {
    const guid = identifier.toLowerCase()
    if (named.has(guid)) found.set(identifier, guid)
  }
  return readBadges(inputs, found)
}

export function numbersOf({ badges }: { readonly badges: readonly RequestedBadge[] }) {
  return { badges: badges.length, recipients: countRecipients(badges) }
}
