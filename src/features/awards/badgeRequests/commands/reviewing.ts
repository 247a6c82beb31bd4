import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { notifyAll } from '../../../people/notifications/commands.ts'
import type { Notice } from '../../../people/notifications/types.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { makeBadge } from '../../badges/commands/badges.ts'
import { grantBadge } from '../../badges/commands/granting.ts'
import type { ReviewBody } from '../bodies.ts'
import { checkCompleted, checkNotStale, decidedNotice, grantedNotice, laterThan, readReason } from '../rules.ts'
import { lockRecipientsForKeyShare } from '../store/people.ts'
import * as store from '../store/requests.ts'
import type { BadgeRequest, RequestedBadge, Skipped } from '../types.ts'
import { lockWaiting, numbersOf, readInput } from './asking.ts'
import { checkPictures, usePictures } from './pictures.ts'

export interface Reviewing {
  readonly actor: SignedIn
  readonly mediaUrl: string
  readonly now: Date
}

/**
 * Decides a request, once. An approval makes and grants its badges, all or none. (badges: States of a request; B6)
 * @throws Problem `badge_request.unknown`, `badge_request.decided`, `badge_request.stale`,
 * `badge_request.reason_missing`, `tournament.not_completed`, `media.reference_invalid`, and those of `readInput`
 */
export async function review(
  tx: Tx,
  found: BadgeRequest,
  { decision, reason: given, badges, expectedUpdatedAt }: ReviewBody,
  reviewing: Reviewing,
): Promise<{ readonly request: BadgeRequest; readonly skipped: readonly Skipped[] }> {
  const reason = readReason(decision, given)
  const { actor, now } = reviewing
  const { tournament } = await lockTournament(tx, found.tournament.guid)
  const before = await lockWaiting(tx, found.guid)
  checkNotStale(before, expectedUpdatedAt)
  const decided = { reason, reviewedBy: actor.guid, decidedAt: now, updatedAt: laterThan(before, now) }
  const common = { subject: before.guid, tournament: tournament.guid, actor: actor.guid }
  const organisers = new Set([tournament.organiserGuid, ...(before.createdBy === null ? [] : [before.createdBy])])
  if (decision === 'rejected') {
    const request = await store.updateRequest(tx, before.guid, { status: 'rejected', ...decided })
    await usePictures(tx, request, now)
    await notifyOthers(
      tx,
      [...organisers].map((userGuid) => ({ ...decidedNotice(request), userGuid })),
      reviewing,
    )
    emit(tx, {
      type: 'badge_request.rejected',
      ...common,
      before: { status: before.status },
      after: { status: request.status },
    })
    return { request, skipped: [] }
  }
  checkCompleted(tournament)
  const wanted = badges === undefined ? before.badges : await readInput(tx, actor, badges, before)
  const approved = { ...before, badges: wanted }
  const { skipped, named } = await give(tx, before, approved, reviewing)
  const request = await store.updateRequest(tx, before.guid, { status: 'approved', badges: wanted, ...decided })
  await usePictures(tx, request, now)
  const notices = [
    ...[...named].map(([userGuid, names]) => ({ ...grantedNotice(request, names), userGuid })),
    ...[...organisers].map((userGuid) => ({ ...decidedNotice(request), userGuid })),
  ]
  await notifyOthers(tx, notices, reviewing)
  emit(tx, {
    type: 'badge_request.approved',
    ...common,
    before: { status: before.status },
    after: { status: request.status, ...numbersOf(request), skipped: skipped.length },
  })
  return { request, skipped }
}

/**
 * Makes and grants the badges. Returns the names of the granted badges for each recipient, and the recipients who were
 * left out.
 */
async function give(tx: Tx, before: BadgeRequest, { tournament, badges }: BadgeRequest, reviewing: Reviewing) {
  const { actor, mediaUrl, now } = reviewing
  const owners = await checkPictures(tx, badges, { actor, tournamentGuid: tournament.guid, kept: before.badges })
  const unfit = await lockRecipientsForKeyShare(tx, usersOf(badges))
  const made = []
  for (const { recipients, mediaGuid, ...texts } of badges) {
    const picture = mediaGuid ?? ''
    // `makeBadge` must accept the picture's owner, because `checkPictures` has accepted the picture.
    const pictureOwners = [owners.get(picture) ?? []].flat()
    const parts = { ...texts, mediaGuid: picture, tournamentGuid: tournament.guid, pictureOwners }
    const badge = await makeBadge(tx, parts, actor.guid, { mediaUrl, now })
    made.push({ badge, fit: recipients.filter(({ userGuid }) => !unfit.has(userGuid)) })
  }
  const named = new Map<string, string[]>()
  for (const { badge, fit } of made.toSorted((one, other) => (one.badge.guid < other.badge.guid ? -1 : 1))) {
    const { granted } = await grantBadge(tx, badge.guid, fit, { source: 'request', by: actor.guid, now })
    for (const { userGuid } of granted) named.set(userGuid, [...(named.get(userGuid) ?? []), badge.name])
  }
  return { named, skipped: [...unfit].map(([userGuid, why]) => ({ userGuid, why })) }
}

function usersOf(badges: readonly RequestedBadge[]): string[] {
  return [...new Set(badges.flatMap(({ recipients }) => recipients.map(({ userGuid }) => userGuid)))]
}

/** The user who decided gets no notification of the decision. */
async function notifyOthers(
  tx: Tx,
  notices: readonly (Notice & { readonly userGuid: string })[],
  { actor, now }: Reviewing,
): Promise<void> {
  const others = notices.filter(({ userGuid, type }) => userGuid !== actor.guid || type === 'badge.granted')
  await notifyAll(
    tx,
    others.map((notice) => ({ ...notice, createdAt: now })),
  )
}
