import { Type } from 'typebox'
import { signedIn } from '../../../../core/actor.ts'
import { command, type Operation, query, tournamentPath } from '../../../../core/operation.ts'
import { nullable, PageQuery } from '../../../../core/schema.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { anyStaff } from '../../../tournaments/access/policy.ts'
import { resolveTournament } from '../../../tournaments/tournaments/resolve.ts'
import { remove, rename } from '../commands/changing.ts'
import { mediaKeepers } from '../policy.ts'
import { readMedia, readPage, readQuota, readUsages } from '../queries.ts'
import { maxNameCharacters } from '../rules.ts'
import { MediaKindName, MediaPageWithQuota, MediumView, UsageView } from '../views.ts'

export const ListQuery = {
  kind: Type.Optional(MediaKindName),
  ...PageQuery,
}
const unused = Type.Optional(Type.Boolean({ description: 'Those alone that nothing uses, or that something does.' }))

const own = query({
  name: 'media.list',
  method: 'GET',
  path: '/media',
  scope: 'rest:read',
  allow: signedIn,
  summary: 'The caller’s own media, newest first, and how much room there is left.',
  description: 'The room is that for what belongs to no tournament and no platform.',
  query: Type.Object({
    ...ListQuery,
    tournament: Type.Optional(
      Type.String({ maxLength: 100, description: 'Those alone that belong to this tournament.' }),
    ),
    unused,
  }),
  reply: { 200: MediaPageWithQuota },
  problems: { 'tournament.unknown': 404 },
  async run({ db, actor, query: { kind, tournament, unused: isUnused, ...paging }, services }) {
    const { url, quotas } = services.config.media
    const seen =
      tournament === undefined ? undefined : await resolveTournament({ db, actor, records: {}, query: {} }, tournament)
    const filter = { ownerGuid: actor.guid, tournamentGuid: seen?.tournament, kind, isUnused }
    const [page, quota] = await Promise.all([
      readPage(db, filter, paging, { actor, mediaUrl: url }),
      readQuota(db, { of: 'user', guid: actor.guid }, quotas),
    ])
    return { ...page, quota }
  },
})

const ofTournament = query({
  name: 'media.listOfTournament',
  method: 'GET',
  path: `${tournamentPath}/media`,
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'The media of a tournament and its teams, newest first, and how much room there is left.',
  description: 'Whoever uploaded them; what nothing uses is deleted after a while.',
  query: Type.Object({ ...ListQuery, unused }),
  reply: { 200: MediaPageWithQuota },
  async run({ db, actor, tournament, query: { kind, unused: isUnused, ...paging }, services }) {
    const { url, quotas } = services.config.media
    const [page, quota] = await Promise.all([
      readPage(db, { tournamentGuid: tournament.guid, kind, isUnused }, paging, { actor, mediaUrl: url }),
      readQuota(db, { of: 'tournament', guid: tournament.guid }, quotas),
    ])
    return { ...page, quota }
  },
})

const read = query({
  name: 'media.read',
  method: 'GET',
  path: '/media/:media',
  scope: 'rest:read',
  allow: signedIn,
  summary: 'A medium, with where it is delivered.',
  description:
    'For its owner, the staff of its tournament, the members of its platform, owners and developers; to everybody else there is none.',
  reply: { 200: MediumView },
  async run({ db, actor, media, services }) {
    const [view] = await readMedia(db, [media], actor, services.config.media.url)
    if (view === undefined) throw new Error('a medium was not shown')
    return view
  },
})

const update = command({
  name: 'media.rename',
  method: 'PATCH',
  path: '/media/:media',
  scope: 'rest:write',
  allow: mediaKeepers,
  summary: 'Give a medium another name.',
  description: 'For lists alone: where it is delivered does not change.',
  body: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: maxNameCharacters, examples: ['Banner of the finals'] }) },
    { examples: [{ name: 'Banner of the finals' }] },
  ),
  reply: { 200: MediumView },
  problems: { 'media.unknown': 404 },
  async run({ tx, actor, media, body, services, now }) {
    const medium = await rename(tx, actor, media, body.name, now)
    const [view] = await readMedia(tx, [medium], actor, services.config.media.url)
    if (view === undefined) throw new Error('a medium was not shown')
    return view
  },
})

export const mediaOperations = [own, ofTournament, read, update]

/** The operations that search all fields for usages of media. */
export function operationsOverFields(fields: readonly MediaField[]): readonly Operation[] {
  const usages = query({
    name: 'media.usages',
    method: 'GET',
    path: '/media/:media/usages',
    scope: 'rest:read',
    allow: signedIn,
    summary: 'What uses a medium, and whether the caller may end that.',
    description:
      'Each field of each record that holds its address, or whose text shows it; what is used is neither deleted nor swept. A text uses what its writer or its record may use, and keeps nobody else’s.',
    reply: { 200: Type.Array(UsageView) },
    run: ({ db, actor, media, now }) => readUsages(db, actor, media, fields, now),
  })

  const remover = command({
    name: 'media.delete',
    method: 'DELETE',
    path: '/media/:media',
    scope: 'rest:write',
    allow: mediaKeepers,
    summary: 'Delete a medium, and end its delivery.',
    description:
      'One that something uses is not deleted: the refusal tells what does. With `detach=true` all of these fields are unset first, and addresses in texts become `#`, if the caller may change each of them, or takes back a picture of their own: an `avatar` or `app_image` goes wherever it is shown.',
    query: Type.Object({
      detach: Type.Optional(Type.Boolean({ description: 'Unset the fields that use it first.' })),
    }),
    reply: { 204: nullable(Type.String()) },
    problems: { 'media.in_use': 409, 'media.unknown': 404 },
    refusals: { 409: Type.Object({ message: Type.String(), usages: Type.Array(UsageView) }) },
    async run({ tx, actor, media, query: { detach = false }, services, now }) {
      await remove(tx, actor, media, detach, { fields, services, now })
      return null
    },
  })

  return [usages, remover]
}
