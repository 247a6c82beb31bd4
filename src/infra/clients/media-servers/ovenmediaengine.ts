import { createHmac } from 'node:crypto'
import pLimit from 'p-limit'
import { type Static, Type } from 'typebox'
import { shapeOf } from '../../../core/shape.ts'
import { readBody } from '../answers.ts'
import type { HttpClient } from '../http.ts'
import { ask, positive, positiveInteger, toKbps } from './asking.ts'
import { isOneOf, jsonReader, liveApp, orNull, shownKey, userOfName, withoutSlash } from './hooks.ts'
import type {
  ControlAddress,
  ControlForm,
  HookAnswer,
  HookForm,
  HookQuestion,
  MediaServerKind,
  ServedStream,
  StreamProtocol,
} from './types.ts'

/**
 * OvenMediaEngine: it asks through AdmissionWebhooks, signs its requests, and is controlled through its REST API
 * (version 1).
 */

const Hook = Type.Object({
  client: Type.Object({ address: Type.Optional(Type.String()), port: Type.Optional(Type.Integer()) }),
  request: Type.Object({
    direction: Type.String(),
    protocol: Type.String(),
    status: Type.String(),
    url: Type.String(),
    new_url: Type.Optional(Type.String()),
  }),
})
const readHook = jsonReader(Hook)

const protocols: Readonly<Record<string, StreamProtocol>> = { rtmp: 'rtmp', srt: 'srt', webrtc: 'whip' }

const hooks: HookForm = {
  proves({ signature, body }, secrets) {
    if (signature === null) return false
    // The base64 padding of the signature is optional.
    const given = signature.replace(/=+$/, '')
    return secrets
      .map((secret) => isOneOf(given, [createHmac('sha1', secret).update(body).digest('base64url')]))
      .includes(true)
  },

  read(request) {
    const hook = readHook(request)
    if (hook === null) return null
    const { direction, status } = hook.request
    if (status !== 'opening' && status !== 'closing') return null
    if (direction === 'incoming') return incoming(hook)
    if (direction !== 'outgoing') return null
    return status === 'opening' ? watching(hook) : { action: 'other' }
  },

  answer(request, question, verdict) {
    // The end of a stream is always acknowledged with an empty object.
    if (question.action === 'done' || question.action === 'other') return json({})
    if (!verdict.allowed) return json({ allowed: false, reason: verdict.reason })
    if (question.action === 'read') return json({ allowed: true })
    const url = readHook(request)?.request.url
    // Without a new address it would publish under the key. (S1)
    const renamed = url === undefined ? null : renamedUrl(url, verdict.userGuid)
    if (renamed === null) return json({ allowed: false, reason: 'The address cannot be read.' })
    return json({ allowed: true, new_url: renamed, lifetime: verdict.lifetimeMs })
  },

  refusal: (_request, reason) => json({ allowed: false, reason }),
}

/** The server accepts only answers with status 200. */
function json(value: object): HookAnswer {
  return { status: 200, body: JSON.stringify(value), contentType: 'application/json' }
}

function incoming({ client, request }: Static<typeof Hook>): HookQuestion | null {
  const key = streamOf(request.url)
  const protocol = protocols[request.protocol.toLowerCase()]
  if (key === null || protocol === undefined) return null
  const clientId = clientIdOf(client, protocol)
  if (request.status === 'opening') {
    return { action: 'publish', key, claimed: null, protocol, address: orNull(client.address), clientId }
  }
  const publicName = request.new_url === undefined ? null : streamOf(request.new_url)
  return { action: 'done', key, userGuid: userOfName(publicName ?? ''), clientId }
}

/**
 * The id of a connection. The server gives connections no ids, but each has one address and port while it lasts, so the
 * ends of a replaced and a replacing connection can be told apart. WebRTC asks over connections that end before the
 * stream, so all of them share one id.
 */
function clientIdOf({ address, port }: Static<typeof Hook>['client'], protocol: StreamProtocol): string | null {
  if (protocol === 'whip') return anyWebRtc
  return address === undefined || port === undefined ? null : `${address}:${port}`
}

const anyWebRtc = 'webrtc'

/** `/{app}/{stream}/{file}`, where the file is a playlist or missing. */
function watching({ request }: Static<typeof Hook>): HookQuestion | null {
  const url = URL.parse(request.url)
  if (url === null) return null
  const [, , name = ''] = url.pathname.split('/')
  return { action: 'read', userGuid: userOfName(name), view: orNull(url.searchParams.get('view')) }
}

/**
 * The last segment of `/{app}/{stream}`. A longer address is refused: the server uses the second segment as the stream,
 * so a key in the last segment would be checked for another stream.
 */
function streamOf(url: string): string | null {
  const [, app, stream, ...more] = URL.parse(url)?.pathname.split('/') ?? []
  return app === undefined || app === '' || more.length > 0 ? null : orNull(stream)
}

/** The address with another last segment and without its query, which may contain anything from the encoder. */
function renamedUrl(url: string, name: string): string | null {
  const renamed = URL.parse(url)
  if (renamed === null) return null
  const before = renamed.pathname.slice(0, renamed.pathname.lastIndexOf('/'))
  return `${renamed.protocol}//${renamed.host}${before}/${name}`
}

const namesShape = shapeOf(Type.Object({ response: Type.Array(Type.String()) }))

const Track = Type.Object({
  type: Type.Optional(Type.String()),
  video: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  audio: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const detailsShape = shapeOf(
  Type.Object({
    response: Type.Object({
      input: Type.Object({ sourceType: Type.Optional(Type.String()), tracks: Type.Optional(Type.Array(Track)) }),
    }),
  }),
)
const statisticsShape = shapeOf(
  Type.Object({ response: Type.Object({ totalConnections: Type.Optional(Type.Unknown()) }) }),
)

/** The details of each stream need two requests. */
const atOnce = 4

const control: ControlForm = {
  async list(http, address) {
    const answer = await ask(http, address, { method: 'GET', path: `/v1${streamsPath(address)}` })
    const names = [...new Set(readBody(answer, namesShape).response)]
    const streams = await pLimit(atOnce).map(names, (name) => served(http, address, name))
    return streams.filter((stream) => stream !== null)
  },

  async cut(http, address, { userGuid }) {
    const path = `/v1${streamsPath(address)}/${encodeURIComponent(userGuid)}`
    const { status } = await ask(http, address, { method: 'DELETE', path, meant: [404] })
    return status === 200
  },
}

function streamsPath({ vhost, app }: ControlAddress): string {
  return `/vhosts/${encodeURIComponent(vhost ?? 'default')}/apps/${encodeURIComponent(app ?? liveApp)}/streams`
}

/** Null for a stream that ended after the list was read. */
async function served(http: HttpClient, address: ControlAddress, name: string): Promise<ServedStream | null> {
  const path = `${streamsPath(address)}/${encodeURIComponent(name)}`
  const answer = await ask(http, address, { method: 'GET', path: `/v1${path}`, meant: [404] })
  if (answer.status === 404) return null
  const { sourceType = '', tracks = [] } = readBody(answer, detailsShape).response.input
  const statistics = await ask(http, address, { method: 'GET', path: `/v1/stats/current${path}`, meant: [404] })
  const protocol = protocols[sourceType.toLowerCase()] ?? null
  const video = tracks.find((track) => track.video !== undefined)?.video ?? {}
  const audio = tracks.find((track) => track.audio !== undefined)?.audio ?? {}
  return {
    userGuid: userOfName(name),
    path: `${address.app ?? liveApp}/${name}`,
    clientId: protocol === 'whip' ? anyWebRtc : null,
    protocol,
    width: positiveInteger(video.width),
    height: positiveInteger(video.height),
    fps: positive(video.framerateLatest) ?? positive(video.framerate),
    videoKbps: toKbps(positive(video.bitrateLatest) ?? positive(video.bitrate)),
    audioKbps: toKbps(positive(audio.bitrateLatest) ?? positive(audio.bitrate)),
    readers:
      statistics.status === 404
        ? null
        : (positiveInteger(readBody(statistics, statisticsShape).response.totalConnections) ?? 0),
  }
}

export const ovenmediaengine: MediaServerKind = {
  hooks,
  control,
  // `BlockDuplicateStreamName` is off in the published configuration.
  takesNewer: true,
  encoderFields({ protocol, url }, _userGuid, key) {
    const address = withoutSlash(url)
    const inAddress = key === null ? null : ''
    if (protocol === 'srt') {
      const named = address.includes('?') ? address : `${address}?streamid=default/${liveApp}`
      return { serverField: `${named}/${shownKey(key)}`, keyField: inAddress }
    }
    if (protocol === 'whip') {
      return { serverField: `${address}/${shownKey(key)}?direction=whip`, keyField: inAddress }
    }
    return { serverField: address, keyField: key }
  },
}
