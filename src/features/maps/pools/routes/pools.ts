import { Type } from 'typebox'
import { anyone } from '../../../../core/actor.ts'
import { Answer, command, query, tournamentPath } from '../../../../core/operation.ts'
import { HtmlQuery, htmlOf, htmlProblems } from '../../../../core/rendered.ts'
import { nullable } from '../../../../core/schema.ts'
import { ChangePoolBody, CreatePoolBody, PublishBody, UnpublishBody } from '../bodies.ts'
import { createPool, deletePool, removePreviewKey, setPreviewKey, updatePoolSettings } from '../commands/pools.ts'
import { archivePool, publishPool, unarchivePool, unpublishPool } from '../commands/publishing.ts'
import { headPoolers, poolAudience } from '../policy.ts'
import { readCoverOf } from '../prepare.ts'
import { dependenciesOf, readPool, readPools } from '../queries/pools.ts'
import { FailureView, PoolView, playlistUrlOf } from '../views/pool.ts'

export const poolsPath = `${tournamentPath}/pools` as const
export const poolPath = `${poolsPath}/:pool` as const

/** Problems of a change in a cancelled tournament, or in a status that does not allow it. */
export const writeProblems = { 'tournament.cancelled': 409, 'pool.wrong_status': 409 } as const
export const settingProblems = { 'pool.invalid': 400, 'flair.unknown': 400 } as const
export const readyProblems = { 'pool.not_ready': 409 } as const

/** Events that subscribers who are no poolers receive, too. */
const eventTypes = [
  'pool.published',
  'pool.corrected',
  'pool.map_released',
  'pool.updated',
  'pool.unpublished',
  'pool.archived',
  'pool.unarchived',
] as const

const list = query({
  name: 'pools.list',
  method: 'GET',
  path: poolsPath,
  scope: 'public',
  allow: anyone,
  summary: 'The map pools of a tournament that the caller may read, in order.',
  description:
    'Poolers see all of them; everybody else those that are published, and early readers the drafts that name their role. Corrections stand in the pool’s own read. Of more than 2,000 maps the pools come without them, with `limited`.',
  reply: { 200: Type.Array(PoolView) },
  audience: poolAudience,
  live: { sends: eventTypes },
  run: async ({ db, actor, tournament, services, now, depends }) => {
    const pools = await readPools(db, tournament, { actor, publicUrl: services.config.publicUrl, now })
    depends(...dependenciesOf(tournament, actor, pools))
    return [...pools]
  },
})

const read = query({
  name: 'pools.read',
  method: 'GET',
  path: poolPath,
  scope: 'public',
  allow: anyone,
  summary: 'A map pool with its maps, and what was corrected since its publication.',
  description: 'Of a pool that is published, everybody sees the maps that are released; poolers see all of it.',
  query: Type.Object(HtmlQuery),
  reply: { 200: PoolView },
  problems: htmlProblems,
  audience: poolAudience,
  live: { query: ['include'], sends: eventTypes },
  run: async ({ db, actor, tournament, pool, query: { include }, services, now, depends }) => {
    const html = await htmlOf(services.markdown, include, pool)
    const view = await readPool(db, tournament, pool, { actor, publicUrl: services.config.publicUrl, now })
    depends(...dependenciesOf(tournament, actor, [view]))
    return { ...view, ...html }
  },
})

const create = command({
  name: 'pools.create',
  method: 'POST',
  path: poolsPath,
  scope: 'rest:write',
  allow: headPoolers,
  inRehearsals: true,
  summary: 'Make a map pool, as a draft that poolers alone see.',
  description: 'Names differ in a tournament, without regard to case. At most a hundred pools.',
  body: CreatePoolBody,
  reply: { 201: PoolView },
  problems: {
    ...settingProblems,
    'pool.cover_invalid': 400,
    'tournament.cancelled': 409,
    'pool.name_taken': 409,
    'pool.qualifier_exists': 409,
    'pool.too_many': 409,
  },
  prepare: ({ actor, body, services }) => readCoverOf(services.pictures, body.cover, actor.guid),
  run: async ({ tx, actor, tournament, body: { cover: _read, ...wish }, prepared, services, now }) => {
    const pool = await createPool(tx, { actor, tournament, now }, { ...wish, ...prepared })
    return readPool(tx, tournament, pool, { actor, publicUrl: services.config.publicUrl, now })
  },
})

const update = command({
  name: 'pools.update',
  method: 'PATCH',
  path: poolPath,
  scope: 'rest:write',
  allow: headPoolers,
  inRehearsals: true,
  summary: 'Change the settings of a pool; what is not given stays.',
  description:
    'Of a published pool name, description, place, playlist and cover. With `draftRevision`, a change that was made for an older state is refused, with the pool as it is.',
  body: ChangePoolBody,
  reply: { 200: PoolView },
  refusals: { 409: Type.Object({ message: Type.String(), pool: Type.Optional(PoolView) }) },
  problems: {
    ...settingProblems,
    ...writeProblems,
    ...readyProblems,
    'pool.cover_invalid': 400,
    'pool.name_taken': 409,
    'pool.qualifier_exists': 409,
    'pool.stale': 409,
  },
  prepare: ({ actor, body, services }) => readCoverOf(services.pictures, body.cover, actor.guid),
  run: async ({ tx, actor, tournament, pool, body: { cover: _read, ...wish }, prepared, services, now }) => {
    const { publicUrl } = services.config
    const writing = { actor, tournament, now }
    const changed = await updatePoolSettings(tx, writing, pool.guid, { ...wish, ...prepared }, { publicUrl })
    return readPool(tx, tournament, changed, { actor, publicUrl, now })
  },
})

const remove = command({
  name: 'pools.delete',
  method: 'DELETE',
  path: poolPath,
  scope: 'rest:write',
  allow: headPoolers,
  inRehearsals: true,
  summary: 'Delete a pool that was never published.',
  description: 'With what was said about its maps. Suggestions stay, and lose it as their target.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'tournament.cancelled': 409, 'pool.was_published': 409 },
  run: async ({ tx, actor, tournament, pool, now }) => {
    await deletePool(tx, { actor, tournament, now }, pool.guid)
    return new Answer(204)
  },
})

const publish = command({
  name: 'pools.publish',
  method: 'POST',
  path: `${poolPath}/publish`,
  scope: 'rest:write',
  socket: true,
  allow: headPoolers,
  inRehearsals: true,
  summary: 'Publish a pool now, or say when.',
  description:
    'It must have maps, as many of each flair as its slots want, and none that cannot be had from the catalogue as it is; `force` overrides all but the first. A time that is set takes effect by itself, never early; `publishAt` null takes it back. Captains of registered teams are told.',
  body: PublishBody,
  bodyOptional: true,
  reply: { 200: PoolView },
  refusals: { 409: Type.Object({ message: Type.String(), failures: Type.Array(FailureView) }) },
  problems: { ...writeProblems, ...readyProblems, 'pool.time_invalid': 400 },
  run: async ({ tx, actor, tournament, pool, body, services, now }) => {
    const changed = await publishPool(tx, { actor, tournament, now }, pool.guid, body ?? {})
    return readPool(tx, tournament, changed, { actor, publicUrl: services.config.publicUrl, now })
  },
})

const unpublish = command({
  name: 'pools.unpublish',
  method: 'POST',
  path: `${poolPath}/unpublish`,
  scope: 'rest:write',
  socket: true,
  allow: headPoolers,
  inRehearsals: true,
  summary: 'Make a published pool a draft again, as long as no match was begun with it.',
  description:
    'Everybody but poolers loses sight of it, and games find its playlist no more. Its revisions go on from where they were.',
  body: UnpublishBody,
  reply: { 200: PoolView },
  problems: { ...writeProblems, 'pool.in_use': 409 },
  run: async ({ tx, actor, tournament, pool, body, services, now }) => {
    const changed = await unpublishPool(tx, { actor, tournament, now }, pool.guid, body.reason)
    return readPool(tx, tournament, changed, { actor, publicUrl: services.config.publicUrl, now })
  },
})

const archive = command({
  name: 'pools.archive',
  method: 'POST',
  path: `${poolPath}/archive`,
  scope: 'rest:write',
  socket: true,
  allow: headPoolers,
  summary: 'Archive a published pool: it is read as before, and changed no more.',
  description: 'Its address and its playlist stay what they were, and its name stays taken.',
  reply: { 200: PoolView },
  problems: writeProblems,
  run: async ({ tx, actor, tournament, pool, services, now }) => {
    const changed = await archivePool(tx, { actor, tournament, now }, pool.guid)
    return readPool(tx, tournament, changed, { actor, publicUrl: services.config.publicUrl, now })
  },
})

const unarchive = command({
  name: 'pools.unarchive',
  method: 'POST',
  path: `${poolPath}/unarchive`,
  scope: 'rest:write',
  socket: true,
  allow: headPoolers,
  summary: 'Take a pool out of the archive.',
  description: 'It is published as it was, and can be corrected again.',
  reply: { 200: PoolView },
  problems: { ...writeProblems, 'pool.qualifier_exists': 409 },
  run: async ({ tx, actor, tournament, pool, services, now }) => {
    const changed = await unarchivePool(tx, { actor, tournament, now }, pool.guid)
    return readPool(tx, tournament, changed, { actor, publicUrl: services.config.publicUrl, now })
  },
})

const PreviewKey = Type.Object({
  url: Type.String({ description: 'Of the draft’s playlist. It is told this once.' }),
})

const setKey = command({
  name: 'pools.setPreviewKey',
  method: 'PUT',
  path: `${poolPath}/preview-key`,
  scope: 'rest:write',
  allow: headPoolers,
  summary: 'An address from which poolers load the playlist of a draft in the game.',
  description: 'It ends with the next one, with the publication, and when it is deleted.',
  reply: { 200: PreviewKey },
  problems: writeProblems,
  run: async ({ tx, actor, tournament, pool, services, now }) => {
    const key = await setPreviewKey(tx, { actor, tournament, now }, pool.guid)
    return { url: `${playlistUrlOf(services.config.publicUrl, pool)}?key=${key}` }
  },
})

const removeKey = command({
  name: 'pools.removePreviewKey',
  method: 'DELETE',
  path: `${poolPath}/preview-key`,
  scope: 'rest:write',
  allow: headPoolers,
  summary: 'End the address from which the playlist of a draft is loaded.',
  description: 'Games that load it again find nothing there, and keep the list that they have.',
  reply: { 204: nullable(Type.String()) },
  problems: writeProblems,
  run: async ({ tx, actor, tournament, pool, now }) => {
    await removePreviewKey(tx, { actor, tournament, now }, pool.guid)
    return new Answer(204)
  },
})

export const poolsOperations = [
  ...[list, create, read, update, remove],
  ...[publish, unpublish, archive, unarchive, setKey, removeKey],
]
