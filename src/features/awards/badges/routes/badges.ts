import { Type } from 'typebox'
import { anyone } from '../../../../core/actor.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { NextCursor, nullable, oneOf, PageQuery } from '../../../../core/schema.ts'
import { findSeenTournament } from '../../../tournaments/tournaments/queries.ts'
import { BadgeBody, NewBadgeBody } from '../bodies.ts'
import { changeBadge, createBadge, removeBadge } from '../commands/badges.ts'
import { badgeManagers } from '../policy.ts'
import { readBadge, readBadges } from '../queries.ts'
import { listBadges } from '../store/lists.ts'
import { badgeKinds } from '../types.ts'
import { BadgeView } from '../views.ts'

const listName = 'badges'

const list = query({
  name: 'badges.list',
  method: 'GET',
  path: '/badges',
  scope: 'public',
  allow: anyone,
  compressed: true,
  summary: 'Badges, the newest first.',
  description:
    'Retired ones are among them. The badges of a tournament that the caller may not know of are not found by it.',
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 60,
        description: 'A part of the name, in any case.',
        examples: ['spring'],
      }),
    ),
    tournament: Type.Optional(Type.String({ maxLength: 100, description: 'GUID or short id of a tournament.' })),
    kind: Type.Optional(oneOf(badgeKinds, { description: 'Badges of this kind alone.' })),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ badges: Type.Array(BadgeView), nextCursor: NextCursor }) },
  run: async ({ db, actor, query: { q, tournament, kind, limit = defaultPageSize, before } }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    const tournamentGuid = tournament === undefined ? undefined : await findSeenTournament(db, tournament, actor)
    if (tournament !== undefined && tournamentGuid === undefined) return { badges: [], nextCursor: null }
    const rows = await listBadges(db, { q, tournamentGuid, kind }, { after, limit })
    const page = toPage(listName, rows, limit, makingPosition)
    return { badges: await readBadges(db, page.items, actor), nextCursor: page.nextCursor }
  },
})

const read = query({
  name: 'badges.read',
  method: 'GET',
  path: '/badges/:badge',
  scope: 'public',
  allow: anyone,
  summary: 'A badge with how many hold it.',
  description: 'Those who manage badges also see who made it.',
  reply: { 200: BadgeView },
  run: ({ db, badge, actor }) => readBadge(db, badge, actor),
})

const writeProblems = { 'badge.invalid': 400, 'media.reference_invalid': 400, 'tournament.unknown': 404 }

const create = command({
  name: 'badges.create',
  method: 'POST',
  path: '/badges',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Make a badge, which nobody holds yet.',
  description: 'Its picture is uploaded first, with `POST /media`.',
  body: NewBadgeBody,
  reply: { 201: BadgeView },
  problems: writeProblems,
  run: async ({ tx, actor, body, services: { config }, now }) =>
    readBadge(tx, await createBadge(tx, actor, body, { mediaUrl: config.media.url, now }), actor),
})

const update = command({
  name: 'badges.update',
  method: 'PATCH',
  path: '/badges/:badge',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Change or retire a badge; what is not given stays.',
  description:
    'Whoever holds it sees the change at once, and goes on holding it when it is retired. A badge that winners of an open award are to get is not retired (`badge.in_award`, with the ids of these `awards`).',
  body: BadgeBody,
  reply: { 200: BadgeView },
  problems: { ...writeProblems, 'badge.in_award': 409 },
  run: async ({ tx, actor, badge, body, services: { config }, now }) =>
    readBadge(tx, await changeBadge(tx, actor, badge.guid, body, { mediaUrl: config.media.url, now }), actor),
})

const remove = command({
  name: 'badges.delete',
  method: 'DELETE',
  path: '/badges/:badge',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Delete a badge that nobody ever held.',
  description:
    'One that somebody holds, or held until it was revoked, may be retired instead. One that winners of an open award are to get stays (`badge.in_award`, with the ids of these `awards`).',
  reply: { 204: nullable(Type.String()) },
  problems: { 'badge.in_use': 409, 'badge.in_award': 409 },
  run: async ({ tx, actor, badge, now }) => {
    await removeBadge(tx, actor, badge.guid, now)
    return new Answer(204)
  },
})

export const badgeRecordOperations = [list, read, create, update, remove]
