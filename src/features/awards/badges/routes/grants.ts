import { Type } from 'typebox'
import { anyone, signedIn } from '../../../../core/actor.ts'
import { command, query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { Guid, NextCursor, PageQuery } from '../../../../core/schema.ts'
import { ownersAndDevelopers } from '../../../people/users/policy.ts'
import type { ProfilePart } from '../../../people/users/rules/profile-parts.ts'
import { GrantsBody, RevokeBody, ShownAsBody } from '../bodies.ts'
import { grantByHand } from '../commands/manual.ts'
import { revokeGrant } from '../commands/revoking.ts'
import { showAs } from '../commands/showing.ts'
import { badgeManagers } from '../policy.ts'
import { readGrants, readHeld, readHolders, readShown, shownInProfile } from '../queries.ts'
import { heldPosition, isHeldPosition, listHeld, listHolders } from '../store/lists.ts'
import { GrantView, HeldBadgeView, HolderView } from '../views.ts'

/** The user and administrators also see hidden badges. (B2) */
export const badgesProfilePart: ProfilePart = {
  shownTo: 'everybody',
  schema: Type.Array(HeldBadgeView, {
    description: `First in the order that the user chose, then the newest first; at most ${shownInProfile}.`,
  }),
  loadEach: (db, users, { actor, viewer }) =>
    readShown(
      db,
      users.map(({ guid }) => guid),
      actor,
      viewer !== 'everybody',
    ),
}

const holdersList = 'badges.holders'

const holders = query({
  name: 'badges.holders',
  method: 'GET',
  path: '/badges/:badge/holders',
  scope: 'public',
  allow: anyone,
  compressed: true,
  summary: 'Who holds a badge, those who were given it last first.',
  description:
    'Whoever has hidden it is left out, but for owners and developers, who see hidden badges in accounts, too, and may revoke them.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ holders: Type.Array(HolderView), nextCursor: NextCursor }) },
  run: async ({ db, badge, actor, query: { limit = defaultPageSize, before } }) => {
    const after = decodeCursor(holdersList, before, isMakingPosition)
    const rows = await listHolders(db, badge.guid, ownersAndDevelopers.allows(actor, {}), { after, limit })
    const page = toPage(holdersList, rows, limit, makingPosition)
    return { holders: await readHolders(db, page.items), nextCursor: page.nextCursor }
  },
})

const grant = command({
  name: 'badges.grant',
  method: 'POST',
  path: '/badges/:badge/grants',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Give a badge to some users, each of whom is told.',
  description:
    'Whoever holds it already, or is named twice, is reported in `alreadyHeld`, by GUID; whom nobody knows in `unknown`, by where they stand in `users`, beginning with 0. Everybody else is given it.',
  body: GrantsBody,
  reply: {
    200: Type.Object({
      granted: Type.Array(GrantView),
      alreadyHeld: Type.Array(Guid),
      unknown: Type.Array(Type.Integer({ minimum: 0 })),
    }),
  },
  problems: { 'badge.retired': 409, 'badge.invalid': 400 },
  run: async ({ tx, actor, badge, body, now }) => {
    const done = await grantByHand(tx, actor, badge, body, now)
    return {
      granted: await readGrants(tx, done.granted, badge),
      alreadyHeld: [...done.alreadyHeld],
      unknown: [...done.unknown],
    }
  },
})

const revoke = command({
  name: 'badges.revoke',
  method: 'POST',
  path: '/badges/:badge/grants/:badgeGrant/revoke',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Take a badge from one of its holders, who is told why.',
  description: 'What they had stays on record with the reason. They may be granted it again.',
  body: RevokeBody,
  reply: { 200: GrantView },
  problems: { 'badge.grant_unknown': 404, 'badge.grant_revoked': 409 },
  run: async ({ tx, actor, badge, badgeGrant, body: { reason }, now }) => {
    const revoked = await revokeGrant(tx, actor, badge, badgeGrant, { reason, now })
    const [view] = await readGrants(tx, [revoked], badge)
    if (view === undefined) throw new Error('one grant was asked for')
    return view
  },
})

const heldList = 'badges.held'

const held = query({
  name: 'badges.held',
  method: 'GET',
  path: '/users/:user/badges',
  scope: 'public',
  allow: anyone,
  summary: 'The badges of a user: first in the order that they chose, then the newest first.',
  description:
    'Hidden ones are left out, but for the user themselves, who ask as `@me` with a token that may read what is theirs (`rest:user:read`). Only `@me` needs a token, to say who that is: without one it is answered 401.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ badges: Type.Array(HeldBadgeView), nextCursor: NextCursor }) },
  run: async ({ db, user, isMe, actor, query: { limit = defaultPageSize, before } }) => {
    const after = decodeCursor(heldList, before, isHeldPosition)
    const rows = await listHeld(db, user.guid, isMe && actor.scopes.has('rest:user:read'), { after, limit })
    const page = toPage(heldList, rows, limit, heldPosition)
    return { badges: await readHeld(db, page.items, actor), nextCursor: page.nextCursor }
  },
})

const show = command({
  name: 'badges.showAs',
  method: 'PATCH',
  path: '/users/@me/badges',
  scope: 'rest:user:write',
  allow: signedIn,
  summary: 'Put the signed-in user’s badges in an order, and hide some of them from others.',
  description:
    'Both lists are whole: what `order` leaves out stands behind, and what `hidden` leaves out is shown. A list that is not given stays as it is. Answers what the profile shows from now on.',
  body: ShownAsBody,
  reply: { 200: Type.Object({ badges: Type.Array(HeldBadgeView) }) },
  problems: { 'badge.grant_not_own': 400 },
  run: async ({ tx, actor, body }) => {
    await showAs(tx, actor, body)
    return { badges: (await readShown(tx, [actor.guid], actor, true)).get(actor.guid) ?? [] }
  },
})

export const badgeGrantOperations = [holders, grant, revoke, held, show]
