import { type Static, Type } from 'typebox'
import { anyone } from '../../../../core/actor.ts'
import { Answer, command } from '../../../../core/operation.ts'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { isPlausible } from '../../../../infra/clients/media-servers/hooks.ts'
import {
  type HookAnswer,
  type HookQuestion,
  type HookRequest,
  streamProtocols,
  type Verdict,
} from '../../../../infra/clients/media-servers/types.ts'
import { noteSeen } from '../../streamServers/store.ts'
import { decide } from '../commands/deciding.ts'
import { findServerBySecret, prepareQuestion, proveServer } from '../prepare.ts'
import { userOfPath } from '../rules.ts'

const secretProblems = {
  'stream_server.secret_wrong': 401,
  'request.limited': 429,
} as const

/** Converts a request for the parser of the server's kind. */
function requestOf(bytes: Uint8Array, { secret }: { secret?: string }, headers: Headers): HookRequest {
  return {
    query: new URLSearchParams(secret === undefined ? {} : { secret }),
    authorization: headers.authorization ?? null,
    signature: headers['x-ome-signature'] ?? null,
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }
}

interface Headers {
  readonly authorization?: string
  readonly 'x-ome-signature'?: string
}

function answerOf({ status, headers, body, contentType = 'text/plain; charset=utf-8' }: HookAnswer): Answer {
  return new Answer(status, { body: body ?? '', contentType, ...(headers === undefined ? {} : { headers }) })
}

const hook = command({
  name: 'streamSessions.hook',
  method: 'POST',
  path: '/streaming/hooks/:mediaServer',
  scope: 'public',
  allow: anyone,
  ownCredentials: true,
  summary: 'What a media server asks and tells, in the form of its kind.',
  description:
    'For MediaMTX, OvenMediaEngine, SRS and nginx-rtmp, set up as described for each. The server proves itself by its secret: in the query, as the password of HTTP Basic, or by a signature. Whatever cannot be decided is refused.',
  query: Type.Object({
    secret: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'What the server proves itself by, where its kind cannot do it otherwise.',
      }),
    ),
  }),
  headers: Type.Object({
    authorization: Type.Optional(Type.String({ maxLength: 4_096 })),
    'x-ome-signature': Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'By which OvenMediaEngine proves itself, over the bytes of the body.',
      }),
    ),
  }),
  bodyType: 'raw',
  contentType: 'text/plain',
  reply: {
    200: Type.String({ description: 'As the kind of server wants it.' }),
    302: Type.String({ description: 'nginx-rtmp: the stream goes on under the name in `Location`.' }),
    401: Type.String({ description: 'No credentials of the publisher were sent.' }),
    403: Type.String({ description: 'Refused.' }),
  },
  problems: { ...secretProblems, 'stream_server.unknown': 404 },
  async prepare({ mediaServer, query, headers, request: { address, bytes, countGuess }, db, services, clients, now }) {
    const asking = { db, services, clients, countGuess, now }
    const request = requestOf(bytes, query, headers)
    const { server, form } = await proveServer(asking, mediaServer, request, address)
    const read = form.read(request)
    const question = read !== null && isPlausible(read) ? read : null
    const prepared = question === null ? null : await prepareQuestion(asking, server, question)
    return { server, form, request, question, prepared }
  },
  async run({ tx, prepared: { server, form, request, question, prepared }, services, now }) {
    await noteSeen(tx, server, now)
    if (question === null || prepared === null)
      return answerOf(form.refusal(request, 'The question is not understood.'))
    const { verdict } = await decide(tx, server, prepared, { seal: services.seal, now })
    return answerOf(form.answer(request, question, verdict))
  },
})

const ValidateBody = Type.Object(
  {
    action: oneOf(['publish', 'read', 'done']),
    key: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'To publish: the stream key. Of an end it may stand in place of `path`.',
      }),
    ),
    path: Type.Optional(Type.String({ maxLength: 200, description: 'Public path: `live/` and the GUID of the user.' })),
    protocol: oneOf(streamProtocols),
    ip: Type.String({ maxLength: 64, description: 'Of whoever publishes or watches.' }),
    clientId: Type.Optional(Type.String({ maxLength: 200, description: 'What the server calls the connection.' })),
    view: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'To watch a test: the token that the user has from the settings.' }),
    ),
  },
  { examples: [{ action: 'publish', key: 'sk-…', protocol: 'rtmp', ip: '203.0.113.7', clientId: '17' }] },
)

const validate = command({
  name: 'streamSessions.validate',
  method: 'POST',
  path: '/streaming/validate',
  scope: 'public',
  allow: anyone,
  ownCredentials: true,
  summary: 'Whether somebody may publish or watch, for media servers of any kind.',
  description:
    'The server sends its secret as a bearer token. `publish` begins a session, which `done` ends; `lifetimeMs` is for how long it may go on, 0 for as long as it likes. The stream must be public under `path` and never under its key.',
  headers: Type.Object({ authorization: Type.Optional(Type.String({ maxLength: 4_096 })) }),
  body: ValidateBody,
  reply: {
    200: Type.Object({
      allowed: Type.Boolean(),
      userGuid: nullable(Guid),
      path: nullable(Type.String()),
      lifetimeMs: nullable(Type.Integer({ minimum: 0 })),
      session: nullable(Guid),
      reason: nullable(Type.String({ description: 'Why not.' })),
    }),
  },
  problems: secretProblems,
  async prepare({ headers, body, request: { address, countGuess }, db, services, clients, now }) {
    const asking = { db, services, clients, countGuess, now }
    const secret = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
    const server = await findServerBySecret(asking, secret, address)
    return { server, prepared: await prepareQuestion(asking, server, questionOf(body)) }
  },
  async run({ tx, prepared: { server, prepared }, services, now }) {
    await noteSeen(tx, server, now)
    const { verdict, session } = await decide(tx, server, prepared, { seal: services.seal, now })
    return validationOf(verdict, session?.guid ?? null)
  },
})

function questionOf({ action, key, path, protocol, ip, clientId, view }: Static<typeof ValidateBody>): HookQuestion {
  const userGuid = path === undefined ? null : userOfPath(path)
  if (action === 'read') return { action, userGuid, view: view ?? null }
  if (action === 'done') return { action, key: key ?? null, userGuid, clientId: clientId ?? null }
  if (key === undefined) return { action: 'bare' }
  // A path that belongs to no user never matches the key.
  return {
    action,
    key,
    claimed: path === undefined ? null : (userGuid ?? ''),
    protocol,
    address: ip,
    clientId: clientId ?? null,
  }
}

function validationOf(verdict: Verdict, session: string | null) {
  if (!verdict.allowed) {
    return { allowed: false, userGuid: null, path: null, lifetimeMs: null, session: null, reason: verdict.reason }
  }
  const { userGuid, lifetimeMs } = verdict
  return { allowed: true, userGuid, path: `live/${userGuid}`, lifetimeMs, session, reason: null }
}

export const hookOperations = [hook, validate]
