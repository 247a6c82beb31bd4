import type { Actor } from '../../../core/actor.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { readNamesFor } from '../../tournaments/tournaments/queries.ts'
import { badgeManagers } from './policy.ts'
import { listEditions, listFirstHeld } from './store/lists.ts'
import type { Badge, Grant, HeldBadge } from './types.ts'
import { type BadgeView, badgeView, grantView, type HeldBadgeView, heldBadgeView, holderView } from './views.ts'

/** The views of badges for the actor, with one query each for all tournaments, editions and cards. (B3) */
export async function readBadges(db: Db, badges: readonly Badge[], actor: Actor): Promise<BadgeView[]> {
  const isManager = badgeManagers.allows(actor, {})
  const namesOf = (name: 'tournamentGuid' | 'editionGuid' | 'createdBy') =>
    badges.map((badge) => badge[name]).filter((guid) => guid !== null)
  const [tournaments, editions, makers] = await Promise.all([
    readNamesFor(db, namesOf('tournamentGuid'), actor),
    listEditions(db, namesOf('editionGuid')),
    isManager ? listUserFacts(db, namesOf('createdBy')) : null,
  ])
  return badges.map((badge) => {
    const edition = editions.get(badge.editionGuid ?? '')
    const isKnown = edition !== undefined && (edition.isPublic || isManager)
    return badgeView(badge, {
      tournament: tournaments.get(badge.tournamentGuid ?? '') ?? null,
      edition: isKnown ? { guid: edition.guid, id: edition.id } : null,
      ...(makers === null ? {} : { createdBy: makers.get(badge.createdBy ?? '') ?? null }),
    })
  })
}

export async function readBadge(db: Db, badge: Badge, actor: Actor): Promise<BadgeView> {
  const [view] = await readBadges(db, [badge], actor)
  if (view === undefined) throw new Error('one badge was asked for')
  return view
}

/** The views of held badges for the actor, with one query for all tournaments. (B3) */
export async function readHeld(db: Db, held: readonly HeldBadge[], actor: Actor): Promise<HeldBadgeView[]> {
  const guids = held.map(({ badge }) => badge.tournamentGuid).filter((guid) => guid !== null)
  const tournaments = await readNamesFor(db, guids, actor)
  return held.map((each) => heldBadgeView(each, tournaments.get(each.badge.tournamentGuid ?? '') ?? null))
}

/** The maximum number of badges in a profile. (B2) */
export const shownInProfile = 50

/** The badges in the profiles of users, by the user's GUID. (B2, B3) */
export async function readShown(
  db: Db,
  userGuids: readonly string[],
  actor: Actor,
  isWithHidden: boolean,
): Promise<ReadonlyMap<string, HeldBadgeView[]>> {
  const held = await listFirstHeld(db, userGuids, isWithHidden, shownInProfile)
  const views = await readHeld(db, held, actor)
  const shown = new Map<string, HeldBadgeView[]>(userGuids.map((guid) => [guid, []]))
  for (const [index, { grant }] of held.entries()) shown.get(grant.userGuid)?.push(views[index] as HeldBadgeView)
  return shown
}

/** The views of holders, with one query for all cards. */
export async function readHolders(db: Db, grants: readonly Grant[]) {
  const cards = await cardsOf(db, grants)
  return grants.map((grant) => holderView(grant, cards(grant)))
}

export async function readGrants(db: Db, grants: readonly Grant[], badge: Pick<Badge, 'guid' | 'name'>) {
  const cards = await cardsOf(db, grants)
  return grants.map((grant) => grantView(grant, cards(grant), badge))
}

async function cardsOf(db: Db, grants: readonly Grant[]) {
  const facts = await listUserFacts(
    db,
    grants.map(({ userGuid }) => userGuid),
  )
  return ({ userGuid }: Grant) => {
    const user = facts.get(userGuid)
    if (user === undefined) throw new Error('a badge is held by nobody')
    return user
  }
}
