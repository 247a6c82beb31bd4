import { Type } from 'typebox'
import { firstParty, signedIn } from '../../../core/actor.ts'
import { normaliseGuid } from '../../../core/ids.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { Guid, nullable } from '../../../core/schema.ts'
import { newSecret } from '../../../infra/secrets.ts'
import { ownersAndDevelopers } from '../../people/users/policy.ts'
import type { ProfilePart } from '../../people/users/rules/profile-parts.ts'
import { createKey, revokeKey, rotateKey } from './commands.ts'
import { readSettings, shownKey } from './queries.ts'
import { keyOf, maxKeyGrace, maxKeys, maxLabelCharacters } from './rules.ts'
import { listKeys } from './store.ts'
import { StreamKeyView, StreamSettingsView, streamKeyView } from './views.ts'

/** Administrators see which keys a user has; only the user sees the keys themselves. (S2) */
export const streamKeysProfilePart: ProfilePart = {
  shownTo: ['user', 'administrators'],
  schema: Type.Array(StreamKeyView, {
    description: 'The oldest first; `key` is for the user’s own tokens of the website alone.',
  }),
  load: async (db, { guid }, { actor, seal, viewer }) => {
    const isOwn = viewer === 'user'
    return (await listKeys(db, guid)).map((key) => streamKeyView(key, isOwn ? shownKey(seal, actor, key) : null))
  },
}

const unknown = { 'stream_key.unknown': 404 }

const list = query({
  name: 'streamKeys.list',
  method: 'GET',
  path: '/users/@me/streamKeys',
  scope: 'rest:user:read',
  allow: signedIn,
  summary: 'The signed-in user’s stream keys, the oldest first.',
  description: 'The keys themselves are shown to the website alone: for applications `key` is null.',
  reply: { 200: Type.Array(StreamKeyView) },
  run: async ({ db, actor, services: { seal } }) =>
    (await listKeys(db, actor.guid)).map((key) => streamKeyView(key, shownKey(seal, actor, key))),
})

const create = command({
  name: 'streamKeys.create',
  returnsSecret: true,
  method: 'POST',
  path: '/users/@me/streamKeys',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Make a stream key, with which an encoder publishes.',
  description: `A user may have ${maxKeys}, beside those that end with a rotation’s grace.`,
  body: Type.Object(
    {
      label: Type.String({ minLength: 1, maxLength: maxLabelCharacters, description: 'For its owner to tell it by.' }),
    },
    { examples: [{ label: 'Living room' }] },
  ),
  reply: { 201: StreamKeyView },
  problems: { 'user.unknown': 404, 'stream_key.label_invalid': 400, 'stream_key.limit_reached': 409 },
  run: async ({ tx, actor, body: { label }, services: { seal }, now }) => {
    const key = keyOf(newSecret())
    return streamKeyView(await createKey(tx, actor, { label, key }, { seal, now }), key)
  },
})

const rotate = command({
  name: 'streamKeys.rotate',
  returnsSecret: true,
  method: 'POST',
  path: '/users/@me/streamKeys/:streamKey/rotate',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Put a new stream key in the place of one.',
  description:
    'The old one ends at once, with the streams that came by it, or when `graceSeconds` are over. The new one has a GUID of its own and the same label.',
  body: Type.Object(
    {
      graceSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxKeyGrace,
          description: 'For how long the old key goes on beside the new one; 0 unless given.',
        }),
      ),
    },
    { examples: [{ graceSeconds: 300 }] },
  ),
  bodyOptional: true,
  reply: { 200: StreamKeyView },
  problems: { ...unknown, 'user.unknown': 404, 'stream_key.in_grace': 409, 'stream_key.limit_reached': 409 },
  run: async ({ tx, actor, streamKey, body, services: { seal }, now }) => {
    const key = keyOf(newSecret())
    const graceSeconds = body?.graceSeconds ?? 0
    return streamKeyView(await rotateKey(tx, actor, streamKey.guid, { key, graceSeconds }, { seal, now }), key)
  },
})

const revoke = command({
  name: 'streamKeys.revoke',
  method: 'DELETE',
  path: '/users/@me/streamKeys/:streamKey',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Revoke a stream key, for good.',
  description: 'Nobody can publish with it any more, and a stream that came by it ends within seconds.',
  reply: { 204: nullable(Type.String()) },
  problems: unknown,
  run: async ({ tx, actor, streamKey }) => {
    await revokeKey(tx, actor, actor.guid, streamKey.guid)
    return new Answer(204)
  },
})

const revokeOf = command({
  name: 'streamKeys.revokeOf',
  method: 'DELETE',
  path: '/admin/users/:user/streamKeys/:streamKey',
  scope: 'rest:write',
  allow: ownersAndDevelopers,
  summary: 'Revoke a stream key of any user, for good.',
  description: '`GET /admin/users/{user}` lists the keys that a user has, without the keys themselves.',
  reply: { 204: nullable(Type.String()) },
  problems: unknown,
  run: async ({ tx, actor, user, streamKey }) => {
    await revokeKey(tx, actor, user.guid, streamKey.guid)
    return new Answer(204)
  },
})

const settings = query({
  name: 'streamKeys.settings',
  method: 'GET',
  path: '/users/@me/streamSettings',
  scope: 'rest:user:read',
  allow: signedIn,
  summary: 'What the signed-in user’s encoder must be told to publish, for each media server.',
  description:
    'The fields can be pasted as they are; those with a key are for the website alone. With it come how much of today’s tests is left, and a token for watching them.',
  query: Type.Object({
    streamKey: Type.Optional({ ...Guid, description: 'Which key the fields are made of; the newest unless given.' }),
  }),
  reply: { 200: StreamSettingsView },
  problems: unknown,
  run: ({ db, actor, query: { streamKey }, services: { seal }, now }) =>
    readSettings(db, actor, streamKey === undefined ? undefined : normaliseGuid(streamKey), { seal, now }),
})

export const streamKeysOperations = [list, create, rotate, revoke, revokeOf, settings]
