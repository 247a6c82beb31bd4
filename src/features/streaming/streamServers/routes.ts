import { Type } from 'typebox'
import { Answer, command, query } from '../../../core/operation.ts'
import { nullable } from '../../../core/schema.ts'
import { newSecret } from '../../../infra/secrets.ts'
import { ownersAndDevelopers } from '../../people/users/policy.ts'
import { NewServerBody, RotationBody, ServerBody } from './bodies.ts'
import { changeServer, createServer, deleteServer, noteTest, rotateServerSecret } from './commands.ts'
import { askControl } from './prepare.ts'
import { controlOf } from './queries.ts'
import { maxServers, noControl } from './rules/servers.ts'
import { listServers } from './store.ts'
import { ControlTestView, NewSecretView, NewStreamServerView, StreamServerView, streamServerView } from './views.ts'

/**
 * Only for owners and developers: the operator of a media server sees the keys of the users who publish to it.
 * (streaming: Records)
 */

const unknown = { 'stream_server.unknown': 404 }
const settingProblems = { 'stream_server.invalid': 400, 'stream_server.name_taken': 409 }

const list = query({
  name: 'streamServers.list',
  method: 'GET',
  path: '/admin/streamServers',
  scope: 'rest:read',
  allow: ownersAndDevelopers,
  summary: 'The media servers that users may publish to, by name, without their secrets.',
  description: `All of them at once: there may be ${maxServers}.`,
  reply: { 200: Type.Array(StreamServerView) },
  run: async ({ db, now }) => (await listServers(db)).map((server) => streamServerView(server, now)),
})

const create = command({
  name: 'streamServers.create',
  returnsSecret: true,
  method: 'POST',
  path: '/admin/streamServers',
  scope: 'rest:write',
  allow: ownersAndDevelopers,
  // Unknown members are refused: a misspelt `networks` would leave a server open to every address.
  strict: true,
  summary: 'Add a media server.',
  description:
    'Whoever runs it sees the keys of those who publish to it. Its secret is in this answer alone; the server is configured with it and with its GUID.',
  body: NewServerBody,
  reply: { 201: NewStreamServerView },
  problems: { ...settingProblems, 'stream_server.limit_reached': 409 },
  run: async ({ tx, actor, body, services: { seal }, now }) => {
    const secret = newSecret()
    return { ...streamServerView(await createServer(tx, actor, body, secret, { seal, now }), now), secret }
  },
})

const read = query({
  name: 'streamServers.read',
  method: 'GET',
  path: '/admin/streamServers/:streamServer',
  scope: 'rest:read',
  allow: ownersAndDevelopers,
  summary: 'A media server, without its secret.',
  description: 'With when it last asked, and why its control interface was of no use the last time, if it was not.',
  reply: { 200: StreamServerView },
  run: ({ streamServer, now }) => streamServerView(streamServer, now),
})

const update = command({
  name: 'streamServers.update',
  method: 'PATCH',
  path: '/admin/streamServers/:streamServer',
  scope: 'rest:write',
  allow: ownersAndDevelopers,
  strict: true,
  summary: 'Change a media server; what is not given stays.',
  description:
    'Disabling it ends the streams that go through it, and refuses all others. `control` is replaced as a whole, but for a password that is left out. The kind stays.',
  body: ServerBody,
  reply: { 200: StreamServerView },
  problems: { ...unknown, ...settingProblems, 'stream_server.nothing_given': 400 },
  run: async ({ tx, actor, streamServer, body, services: { seal }, now }) =>
    streamServerView(await changeServer(tx, actor, streamServer.guid, body, { seal, now }), now),
})

const remove = command({
  name: 'streamServers.delete',
  method: 'DELETE',
  path: '/admin/streamServers/:streamServer',
  scope: 'rest:write',
  allow: ownersAndDevelopers,
  summary: 'Delete a media server, with the record of what went through it.',
  description: 'Not while somebody is live through it: disable it first, which ends its streams.',
  reply: { 204: nullable(Type.String()) },
  problems: { ...unknown, 'stream_server.live': 409 },
  run: async ({ tx, actor, streamServer }) => {
    await deleteServer(tx, actor, streamServer.guid)
    return new Answer(204)
  },
})

const rotateSecret = command({
  name: 'streamServers.rotateSecret',
  returnsSecret: true,
  method: 'POST',
  path: '/admin/streamServers/:streamServer/secret',
  scope: 'rest:write',
  allow: ownersAndDevelopers,
  summary: 'Give a media server a new secret.',
  description:
    'The old one is refused from then on, or when `graceSeconds` are over, so that the server can be configured meanwhile. At most two count at a time.',
  body: RotationBody,
  bodyOptional: true,
  reply: { 200: NewSecretView },
  problems: unknown,
  run: async ({ tx, actor, streamServer, body, services: { seal }, now }) => {
    const secret = newSecret()
    const graceSeconds = body?.graceSeconds ?? 0
    await rotateServerSecret(tx, actor, streamServer.guid, { secret, graceSeconds }, { seal, now })
    return { secret }
  },
})

const test = command({
  name: 'streamServers.test',
  method: 'POST',
  path: '/admin/streamServers/:streamServer/test',
  scope: 'rest:write',
  allow: ownersAndDevelopers,
  summary: 'Ask a media server by its control address what is live.',
  description:
    'What came of it is remembered as `controlError`, with `controlFailingSince`. Streams are counted, not named. A server that is disabled is asked too.',
  reply: { 200: ControlTestView },
  problems: { 'stream_server.no_control': 409 },
  prepare: async ({ clients, services: { seal }, streamServer }) => {
    const control = controlOf(seal, streamServer)
    if (control === null) throw noControl()
    return askControl(clients, streamServer.kind, control)
  },
  run: async ({ tx, streamServer, prepared: { view, failure }, now }) => {
    await noteTest(tx, streamServer, failure, now)
    return view
  },
})

export const streamServersOperations = [list, create, read, update, remove, rotateSecret, test]
