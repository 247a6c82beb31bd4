import { type Static, Type } from 'typebox'
import { shapeOf } from '../../../core/shape.ts'
import { readBody } from '../answers.ts'
import type { HttpClient } from '../http.ts'
import { allPages, ask, positiveInteger } from './asking.ts'
import {
  basicPassword,
  isOneOf,
  jsonReader,
  orNull,
  provesByQuery,
  shownKey,
  userOfPath,
  withoutSlash,
} from './hooks.ts'
import type {
  ControlAddress,
  ControlForm,
  Cut,
  HookForm,
  HookQuestion,
  MediaServerKind,
  ServedStream,
  StreamProtocol,
} from './types.ts'

/** MediaMTX: it asks through `authHTTPAddress`, reports no ends, and is controlled through its API (version 3). */

const Hook = Type.Object({
  user: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
  ip: Type.Optional(Type.String()),
  action: Type.String(),
  path: Type.String(),
  protocol: Type.Optional(Type.String()),
  id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  query: Type.Optional(Type.String()),
})
const readHook = jsonReader(Hook)

/** It sends `rtmp` for RTMPS too. */
const protocols: Readonly<Record<string, StreamProtocol>> = { rtmp: 'rtmp', srt: 'srt', webrtc: 'whip', rtsp: 'rtsp' }

const hooks: HookForm = {
  proves(request, secrets) {
    const password = basicPassword(request.authorization)
    return provesByQuery(request, secrets) || (password !== null && isOneOf(password, secrets))
  },

  read(request) {
    const hook = readHook(request)
    if (hook === null) return null
    if (hook.action === 'publish') return publishing(hook)
    if (hook.action !== 'read' && hook.action !== 'playback') return null
    const view = new URLSearchParams(hook.query).get('view')
    return { action: 'read', userGuid: userOfPath(hook.path), view: orNull(view) }
  },

  answer(_request, question, verdict) {
    if (question.action === 'bare') return { status: 401 }
    return { status: verdict.allowed ? 200 : 403 }
  },

  // The refusal has no body, because the server writes it into its log.
  refusal: () => ({ status: 403 }),
}

function publishing(hook: Static<typeof Hook>): HookQuestion | null {
  const protocol = protocols[hook.protocol ?? '']
  const claimed = userOfPath(hook.path)
  const key = keyOf(hook)
  // Encoders send credentials only after a first refusal, so this is not a wrong key. (S10)
  if (key === null) return hook.user === '' || hook.user === undefined ? { action: 'bare' } : null
  if (protocol === undefined || claimed === null) return null
  return {
    action: 'publish',
    key,
    claimed,
    protocol,
    address: orNull(hook.ip),
    clientId: orNull(hook.id),
  }
}

function keyOf({ token, password, query }: Static<typeof Hook>): string | null {
  const asked = new URLSearchParams(query)
  const places = [token, password, asked.get('token'), asked.get('pass'), asked.get('key')]
  return places.map(orNull).find((key) => key !== null) ?? null
}

const Tracks = Type.Array(
  Type.Object({
    codecProps: Type.Optional(
      Type.Union([
        Type.Object({ width: Type.Optional(Type.Unknown()), height: Type.Optional(Type.Unknown()) }),
        Type.Null(),
      ]),
    ),
  }),
)

const Path = Type.Object({
  name: Type.String(),
  source: Type.Optional(Type.Union([Type.Object({ type: Type.String(), id: Type.String() }), Type.Null()])),
  /** Sent by older versions; newer ones send `online` instead. */
  ready: Type.Optional(Type.Boolean()),
  online: Type.Optional(Type.Boolean()),
  tracks2: Type.Optional(Type.Union([Tracks, Type.Null()])),
  readers: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
})

const pathShape = shapeOf(Path)
const pathsShape = shapeOf(Type.Object({ items: Type.Array(Path) }))

const pageSize = 1_000

/** The list of connections in which a connection is kicked, by the type of its source. */
const kinds: Readonly<Record<string, { readonly protocol: StreamProtocol; readonly list: string }>> = {
  rtmpConn: { protocol: 'rtmp', list: 'rtmpconns' },
  rtmpsConn: { protocol: 'rtmps', list: 'rtmpsconns' },
  srtConn: { protocol: 'srt', list: 'srtconns' },
  webRTCSession: { protocol: 'whip', list: 'webrtcsessions' },
  rtspSession: { protocol: 'rtsp', list: 'rtspsessions' },
  rtspsSession: { protocol: 'rtsp', list: 'rtspssessions' },
}

/** Its hook sends the same name for a protocol with and without encryption, but their connections are in two lists. */
const lists: Readonly<Record<StreamProtocol, readonly string[]>> = {
  rtmp: ['rtmpconns', 'rtmpsconns'],
  rtmps: ['rtmpsconns', 'rtmpconns'],
  srt: ['srtconns'],
  whip: ['webrtcsessions'],
  rtsp: ['rtspsessions', 'rtspssessions'],
}

const control: ControlForm = {
  async list(http, address) {
    const paths = await allPages(pageSize, async (page) => {
      const path = `/v3/paths/list?itemsPerPage=${pageSize}&page=${page}`
      return readBody(await ask(http, address, { method: 'GET', path }), pathsShape).items
    })
    return paths.filter(isLive).map(served)
  },

  async cut(http, address, cut) {
    if (cut.clientId !== null) return kicked(http, address, lists[cut.protocol], cut.clientId)
    const source = await sourceOf(http, address, cut)
    const list = kinds[source?.type ?? '']?.list
    return source !== null && list !== undefined && kicked(http, address, [list], source.id)
  },
}

/** A missing connection may be in the other list, and a list is missing when its server is disabled. */
async function kicked(
  http: HttpClient,
  address: ControlAddress,
  candidates: readonly string[],
  id: string,
): Promise<boolean> {
  for (const list of candidates) {
    const path = `/v3/${list}/kick/${encodeURIComponent(id)}`
    const { status } = await ask(http, address, { method: 'POST', path, meant: [404] })
    if (status === 200) return true
  }
  return false
}

async function sourceOf(http: HttpClient, address: ControlAddress, { path }: Cut) {
  const asked = `/v3/paths/get/${path.split('/').map(encodeURIComponent).join('/')}`
  const answer = await ask(http, address, { method: 'GET', path: asked, meant: [404] })
  return answer.status === 404 ? null : (readBody(answer, pathShape).source ?? null)
}

/** A path without a publisher exists while a viewer waits for one. */
function isLive({ source, ready, online }: Static<typeof Path>): boolean {
  return source !== undefined && source !== null && (online ?? ready) === true
}

function served({ name, source, tracks2, readers }: Static<typeof Path>): ServedStream {
  const props = (tracks2 ?? []).map(({ codecProps }) => codecProps ?? {})
  const video = props.find(({ width }) => positiveInteger(width) !== null)
  return {
    userGuid: userOfPath(name),
    path: name,
    clientId: orNull(source?.id),
    protocol: kinds[source?.type ?? '']?.protocol ?? null,
    width: positiveInteger(video?.width),
    height: positiveInteger(video?.height),
    // It counts bytes, and reports no rates.
    fps: null,
    videoKbps: null,
    audioKbps: null,
    readers: readers?.length ?? 0,
  }
}

export const mediamtx: MediaServerKind = {
  hooks,
  control,
  // `overridePublisher`, which is on by default.
  takesNewer: true,
  encoderFields({ protocol, url }, userGuid, key) {
    const address = withoutSlash(url)
    const inAddress = key === null ? null : ''
    if (protocol === 'srt') {
      const streamId = `publish:live/${userGuid}:user:${shownKey(key)}`
      return { serverField: `${address}?streamid=${streamId}&pkt_size=1316`, keyField: inAddress }
    }
    if (protocol === 'rtsp') {
      return { serverField: `${address}/${userGuid}?token=${shownKey(key)}`, keyField: inAddress }
    }
    // The encoder sends the key as a bearer token.
    if (protocol === 'whip') return { serverField: `${address}/${userGuid}/whip`, keyField: key }
    return { serverField: address, keyField: key === null ? null : `${userGuid}?token=${key}` }
  },
}
