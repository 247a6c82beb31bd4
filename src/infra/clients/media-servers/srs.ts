import { type Static, Type } from 'typebox'
import { shapeOf } from '../../../core/shape.ts'
import { readBody, unexpected } from '../answers.ts'
import type { HttpClient } from '../http.ts'
import { allPages, ask, positiveInteger } from './asking.ts'
import {
  jsonReader,
  liveApp,
  orNull,
  protocolOfUrl,
  provesByQuery,
  shownKey,
  userOfName,
  withoutSlash,
} from './hooks.ts'
import type {
  ControlAddress,
  ControlForm,
  HookAnswer,
  HookForm,
  HookQuestion,
  MediaServerKind,
  ServedStream,
} from './types.ts'

/** SRS: it asks through `http_hooks`, and is controlled through its HTTP API (version 1). */

/** Text since version 4, a number before. */
const Id = Type.Union([Type.String(), Type.Integer()])

const Hook = Type.Object({
  action: Type.String(),
  client_id: Type.Optional(Id),
  ip: Type.Optional(Type.String()),
  app: Type.Optional(Type.String()),
  stream: Type.Optional(Type.String()),
  param: Type.Optional(Type.String()),
  tcUrl: Type.Optional(Type.String()),
})
const readHook = jsonReader(Hook)

/** Hooks that only report, so that the server does not wait for a decision. */
const reports: ReadonlySet<string> = new Set(['on_connect', 'on_close', 'on_stop', 'on_dvr', 'on_hls'])

const hooks: HookForm = {
  proves: provesByQuery,

  read(request) {
    const hook = readHook(request)
    if (hook === null) return null
    if (reports.has(hook.action)) return { action: 'other' }
    if (hook.action === 'on_publish') return publishing(hook)
    const userGuid = hook.app === liveApp ? userOfName(hook.stream ?? '') : null
    if (hook.action === 'on_play') {
      return { action: 'read', userGuid, view: orNull(paramsOf(hook).get('view')) }
    }
    return hook.action === 'on_unpublish'
      ? { action: 'done', key: orNull(paramsOf(hook).get('key')), userGuid, clientId: idOf(hook.client_id) }
      : null
  },

  answer(_request, question, verdict) {
    const isAsked = question.action === 'publish' || question.action === 'read'
    return isAsked && !verdict.allowed ? refused : accepted
  },

  refusal: () => refused,
}

const accepted: HookAnswer = { status: 200, body: '{"code":0}', contentType: 'application/json' }
const refused: HookAnswer = { status: 403, body: '{"code":403}', contentType: 'application/json' }

/** The server publishes into any application that an encoder names, but streams are public in only one. (S1) */
function publishing(hook: Static<typeof Hook>): HookQuestion | null {
  const key = orNull(paramsOf(hook).get('key'))
  const claimed = userOfName(hook.stream ?? '')
  if (key === null || claimed === null || hook.app !== liveApp) return null
  return {
    action: 'publish',
    key,
    claimed,
    protocol: protocolOfUrl(hook.tcUrl ?? '') ?? 'rtmp',
    address: orNull(hook.ip),
    clientId: idOf(hook.client_id),
  }
}

/** Begins with a question mark, unless it is empty. */
function paramsOf({ param }: Static<typeof Hook>): URLSearchParams {
  return new URLSearchParams(param)
}

function idOf(id: string | number | undefined): string | null {
  return id === undefined ? null : orNull(String(id))
}

const Stream = Type.Object({
  name: Type.String(),
  app: Type.String(),
  tcUrl: Type.Optional(Type.String()),
  clients: Type.Optional(Type.Number()),
  kbps: Type.Optional(Type.Object({ recv_30s: Type.Optional(Type.Unknown()) })),
  publish: Type.Object({ active: Type.Boolean(), cid: Type.Optional(Id) }),
  video: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({ width: Type.Optional(Type.Unknown()), height: Type.Optional(Type.Unknown()) }),
    ]),
  ),
})
const streamsShape = shapeOf(Type.Object({ code: Type.Literal(0), streams: Type.Array(Stream) }))
const codeShape = shapeOf(Type.Object({ code: Type.Integer() }))

const pageSize = 1_000
const unknownClient = 2_049

const control: ControlForm = {
  async list(http, address) {
    const streams = await activeStreams(http, address)
    return streams.map(served)
  },

  async cut(http, address, cut) {
    const id = cut.clientId ?? (await publisherOf(http, address, cut.userGuid))
    if (id === null) return false
    const path = `/api/v1/clients/${encodeURIComponent(id)}`
    const answer = await ask(http, address, { method: 'DELETE', path, meant: [404] })
    if (answer.status === 404) return false
    // The body, with status 200, says what went wrong.
    const { code } = readBody(answer, codeShape)
    if (code !== 0 && code !== unknownClient) throw unexpected(answer)
    return code === 0
  },
}

async function publisherOf(http: HttpClient, address: ControlAddress, userGuid: string): Promise<string | null> {
  const streams = await activeStreams(http, address)
  return idOf(streams.find(({ name }) => name === userGuid)?.publish.cid)
}

/** The streams with a publisher: a stream without one is listed while a viewer waits for it. */
async function activeStreams(http: HttpClient, address: ControlAddress): Promise<readonly Static<typeof Stream>[]> {
  const streams = await allPages(pageSize, async (page) => {
    const path = `/api/v1/streams?start=${page * pageSize}&count=${pageSize}`
    return readBody(await ask(http, address, { method: 'GET', path }), streamsShape).streams
  })
  return streams.filter(({ app, publish }) => publish.active && app === (address.app ?? liveApp))
}

function served({ name, app, tcUrl, clients, kbps, publish, video }: Static<typeof Stream>): ServedStream {
  return {
    userGuid: userOfName(name),
    path: `${app}/${name}`,
    clientId: idOf(publish.cid),
    protocol: tcUrl === undefined ? null : protocolOfUrl(tcUrl),
    width: positiveInteger(video?.width),
    height: positiveInteger(video?.height),
    fps: null,
    // The rate of picture and sound together; sound is a small part of it.
    videoKbps: positiveInteger(kbps?.recv_30s),
    audioKbps: null,
    // The publisher is counted as a client.
    readers: clients === undefined ? null : Math.max(0, Math.round(clients) - 1),
  }
}

export const srs: MediaServerKind = {
  hooks,
  control,
  takesNewer: false,
  encoderFields({ protocol, url }, userGuid, key) {
    const address = withoutSlash(url)
    const inAddress = key === null ? null : ''
    if (protocol === 'srt') {
      const streamId = `#!::r=${liveApp}/${userGuid},key=${shownKey(key)},m=publish`
      return { serverField: `${address}?streamid=${streamId}`, keyField: inAddress }
    }
    if (protocol === 'whip') {
      const query = `app=${liveApp}&stream=${userGuid}&key=${shownKey(key)}`
      return { serverField: `${address}/?${query}`, keyField: inAddress }
    }
    return { serverField: address, keyField: key === null ? null : `${userGuid}?key=${key}` }
  },
}
