import { Type } from 'typebox'
import { command, type Operation, query } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { ownersAndDevelopers } from '../../../people/users/policy.ts'
import { findUser } from '../../../people/users/store/users.ts'
import { takeDown } from '../commands/takedown.ts'
import { readPage } from '../queries.ts'
import { MediaPage } from '../views.ts'
import { ListQuery } from './media.ts'

const list = query({
  name: 'admin.listMedia',
  method: 'GET',
  path: '/admin/media',
  scope: 'rest:read',
  allow: ownersAndDevelopers,
  summary: 'All media, newest first.',
  description: 'Of one kind, or of one user, where asked so; an unknown user has none.',
  query: Type.Object({
    ...ListQuery,
    owner: Type.Optional(Type.String({ maxLength: 100, description: 'Identifier of a user: theirs alone.' })),
  }),
  reply: { 200: MediaPage },
  async run({ db, actor, query: { kind, owner, ...paging }, services }) {
    const ownerGuid = owner === undefined ? undefined : (await findUser(db, owner))?.guid
    if (owner !== undefined && ownerGuid === undefined) return { media: [], nextCursor: null }
    return readPage(db, { ownerGuid, kind }, paging, { actor, mediaUrl: services.config.media.url })
  },
})

export const administrationOperations = [list]

export function administrationOverFields(fields: readonly MediaField[]): readonly Operation[] {
  const takedown = command({
    name: 'admin.takeDownMedia',
    method: 'POST',
    path: '/admin/media/:media/takedown',
    scope: 'rest:write',
    allow: ownersAndDevelopers,
    summary: 'Take a medium down for good.',
    description:
      'Whatever uses it is unset, and it is deleted with all others that were made of the same upload, which is never taken again. Their owners, and the organisers of their tournaments, are told the reason. Copies in caches of others may live on: the log of the service lists their addresses.',
    body: Type.Object(
      { reason: Type.String({ minLength: 1, maxLength: 500, examples: ['It is not yours to show.'] }) },
      { examples: [{ reason: 'It is not yours to show.' }] },
    ),
    reply: { 204: nullable(Type.String()) },
    async run({ tx, actor, media, body, services, now }) {
      await takeDown(tx, actor, media, body.reason, { fields, services, now })
      return null
    },
  })
  return [takedown]
}
