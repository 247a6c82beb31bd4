import type { SignedIn } from '../../../../core/actor.ts'
import { conflict, missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { lockTournaments } from '../../../tournaments/tournaments/store/tournaments.ts'
import { lockUser } from '../../users/store/users.ts'
import { playedTag } from '../../users/views.ts'
import {
  checkMayLink,
  checkNoConflict,
  checkUndoable,
  conflictsOf,
  endOfLink,
  statusOf,
  unknownClaim,
  unknownClaimLink,
} from '../rules.ts'
import * as store from '../store/claims.ts'
import { hasPlayedSince, listPlaces, movePlaces, movePlacesBack } from '../store/places.ts'
import type { Claim, ClaimLink, Moved, Placeholder } from '../types.ts'

/**
 * Makes a link by which a person takes over the placeholder.
 * @throws Problem `user.unknown`, `claim.has_account`, `claim.too_many_links`
 */
export async function makeLink(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Placeholder,
  secret: string,
  now: Date,
): Promise<ClaimLink> {
  await lockUser(tx, guid)
  const placeholder = await store.findPlaceholder(tx, guid)
  if (placeholder === undefined) throw missing('user.unknown', 'There is no such placeholder.')
  checkMayLink(placeholder, await store.listLinks(tx, guid))
  const link = await store.insertLink(
    tx,
    { placeholderGuid: guid, tournamentGuid, createdByGuid: actor.guid, createdAt: now, expiresAt: endOfLink(now) },
    digestOf(secret),
  )
  emit(tx, {
    type: 'claim.link_made',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { linkGuid: link.guid },
  })
  return link
}

/** @throws Problem `claim.link_unknown` */
export async function revokeLink(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Placeholder,
  linkGuid: string,
  now: Date,
): Promise<void> {
  await lockUser(tx, guid)
  const link = (await store.listLinks(tx, guid)).find((each) => each.guid === linkGuid)
  if (link === undefined || statusOf(link, now) !== 'open') {
    throw missing('claim.link_unknown', 'There is no such link that still works.')
  }
  await store.endLink(tx, link.guid, { revokedAt: now })
  emit(tx, {
    type: 'claim.link_revoked',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { linkGuid },
  })
}

/**
 * Makes the actor the person of the link's placeholder: everything that named the placeholder names the
 * actor. Of several who try, one wins. (additions: People who are not here yet)
 * @throws Problem `claim.unknown`, `claim.conflict`, `claim.changed`
 */
export async function claim(tx: Tx, actor: SignedIn, token: string, now: Date): Promise<Claim> {
  const { placeholderGuid, tournamentGuid } = await findOpenLink(tx, token, now)
  return become(tx, actor, { guid: placeholderGuid, tournamentGuid }, now, async () => {
    const link = await findOpenLink(tx, token, now)
    const placeholder = await store.findPlaceholder(tx, placeholderGuid)
    if (placeholder === undefined || placeholder.chatPlatformId !== '') throw unknownClaimLink()
    await store.endLink(tx, link.guid, { usedAt: now })
  })
}

/**
 * Makes the actor the person of a placeholder.
 * @param check that the actor may, under the locks
 * @throws Problem `claim.conflict`, `claim.changed`
 */
export async function become(
  tx: Tx,
  actor: SignedIn,
  { guid: placeholderGuid, tournamentGuid }: Pick<Placeholder, 'guid' | 'tournamentGuid'>,
  now: Date,
  check: () => Promise<void>,
): Promise<Claim> {
  const placed = (await listPlaces(tx, placeholderGuid)).map(({ tournament }) => tournament.guid)
  const locked = [...new Set([tournamentGuid, ...placed])]
  await lockTournaments(tx, locked)
  await store.lockPair(tx, [placeholderGuid, actor.guid])
  await check()
  const places = await listPlaces(tx, placeholderGuid)
  if (places.some(({ tournament }) => !locked.includes(tournament.guid))) {
    throw conflict('claim.changed', 'The organiser is just changing this; try again.')
  }
  checkNoConflict(conflictsOf(places, await listPlaces(tx, actor.guid)))
  const moved = await takeOver(tx, { from: placeholderGuid, to: actor.guid, tournamentGuids: locked }, now)
  const made = await store.insertClaim(tx, {
    ...{ placeholderGuid, tournamentGuid, userGuid: actor.guid },
    ...{ moved, createdAt: now },
  })
  const after = { claimGuid: made.guid, placeholderGuid, userGuid: actor.guid }
  for (const tournament of locked) {
    emit(tx, {
      type: 'claim.made',
      subject: actor.guid,
      tournament,
      actor: actor.guid,
      after,
      touches: touchedBy(made),
    })
  }
  return made
}

async function findOpenLink(tx: Tx, token: string, now: Date): Promise<ClaimLink> {
  const link = await store.findLinkBySecret(tx, digestOf(token))
  if (link === undefined || statusOf(link, now) !== 'open') throw unknownClaimLink()
  return link
}

/**
 * Gives a placeholder's places to an account; the placeholder counts as gone. Tournaments and both users are locked.
 * (additions: People who are not here yet)
 */
export async function takeOver(
  tx: Tx,
  pair: { readonly from: string; readonly to: string; readonly tournamentGuids: readonly string[] },
  now: Date,
): Promise<Moved> {
  const moved = await movePlaces(tx, pair)
  await store.setGone(tx, pair.from, now)
  return moved
}

/** Everything from which answers that show the person were made. */
function touchedBy({ moved, placeholderGuid, userGuid }: Claim): string[] {
  const guids = Object.values(moved).flatMap((keys) => keys.map((key) => key.split(' ')[0] ?? ''))
  return [placeholderGuid, userGuid, playedTag, ...new Set(guids)]
}

/**
 * Gives the placeholder back what the claim took, as far as the account still has it.
 * (additions: People who are not here yet)
 * @throws Problem `claim.unknown`, `claim.undone`, `claim.too_late`, `claim.played`
 */
export async function undoClaim(tx: Tx, actor: SignedIn, { guid }: Claim, now: Date): Promise<Claim> {
  const known = await store.findClaim(tx, guid)
  if (known === undefined) throw unknownClaim()
  const { placeholderGuid, userGuid, moved } = known
  const tournaments = new Set([known.tournamentGuid, ...(moved.appearances ?? [])])
  for (const { tournament } of await listPlaces(tx, userGuid)) tournaments.add(tournament.guid)
  await lockTournaments(tx, [...tournaments])
  await store.lockPair(tx, [placeholderGuid, userGuid])
  const current = await store.lockClaim(tx, guid)
  if (current === undefined) throw unknownClaim()
  checkUndoable(current, await hasPlayedSince(tx, userGuid, { moved, since: current.createdAt }), now)
  await movePlacesBack(tx, moved, userGuid, placeholderGuid)
  await store.setGone(tx, placeholderGuid, null)
  await store.endClaim(tx, guid, now)
  const before = { claimGuid: guid, placeholderGuid, userGuid }
  const concerned = (await listPlaces(tx, placeholderGuid)).map(({ tournament }) => tournament.guid)
  for (const tournament of new Set([known.tournamentGuid, ...concerned])) {
    emit(tx, {
      ...{ type: 'claim.undone', subject: userGuid, tournament, actor: actor.guid, before },
      ...{ touches: touchedBy(known), rights: true },
    })
  }
  return { ...current, undoneAt: now }
}
