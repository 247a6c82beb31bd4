import { randomUUID } from 'node:crypto'
import type { StreamProtocol } from '../../../src/infra/clients/media-servers/types.ts'
import type { FakeAnswer, SeenRequest } from '../server.ts'
import {
  admit,
  type Connection,
  type EncoderOptions,
  type FakeKind,
  type FakeMediaServer,
  type Inner,
  pause,
  startFakeMediaServer,
} from './media-server.ts'

/**
 * MediaMTX (bluenviron/mediamtx: internal/auth/manager.go, internal/servers/rtmp/conn.go, internal/api, internal/defs;
 * read on 2026-11-23). For WebRTC and RTSP it first asks without credentials, and again when the encoder sends them. It
 * pauses after a refusal. A new publisher replaces the previous one. It reports no ends. A connection can be kicked
 * only from the list of its protocol; hooks say `rtmp` for RTMPS too.
 */
export function startFakeMediaMtx(options: { readonly pauseMs?: number } = {}): Promise<FakeMediaServer> {
  const { pauseMs = 20 } = options
  return startFakeMediaServer({
    kind: 'mediamtx',
    credentials: { user: 'control', password: 'of MediaMTX', vhost: null, app: null },
    publish: (server, encoder) => publish(server, encoder, pauseMs),
    async read(server, path, view) {
      const query = view === undefined ? '' : `view=${view}`
      const answer = await askAs(server, { action: 'read', path, protocol: 'hls', query })
      return isSuccess(answer)
    },
    control,
  } satisfies FakeKind)
}

/** By protocol: the name in hooks, the type in lists, and the list for kicking. */
const kinds: Readonly<Record<StreamProtocol, { readonly hook: string; readonly type: string; readonly list: string }>> =
  {
    rtmp: { hook: 'rtmp', type: 'rtmpConn', list: 'rtmpconns' },
    rtmps: { hook: 'rtmp', type: 'rtmpsConn', list: 'rtmpsconns' },
    srt: { hook: 'srt', type: 'srtConn', list: 'srtconns' },
    whip: { hook: 'webrtc', type: 'webRTCSession', list: 'webrtcsessions' },
    rtsp: { hook: 'rtsp', type: 'rtspSession', list: 'rtspsessions' },
  }

const isSuccess = (answer: { readonly status: number } | null) =>
  answer !== null && answer.status >= 200 && answer.status < 300

const askAs = (server: Inner, hook: object) => {
  const nobody = { ip: '203.0.113.7', user: '', password: '', token: '', id: null, query: '' }
  return server.ask({ body: JSON.stringify({ ...nobody, ...hook }), contentType: 'application/json', hasSecret: true })
}

async function publish(
  server: Inner,
  { key, userGuid, protocol, address }: Required<EncoderOptions>,
  pauseMs: number,
): Promise<Connection | null> {
  const path = `live/${userGuid}`
  const id = randomUUID()
  const hook = { action: 'publish', path, protocol: kinds[protocol].hook, id, ip: address }
  const isAskedForThem = protocol === 'whip' || protocol === 'rtsp'
  const bare = isAskedForThem ? await askAs(server, hook) : null
  const answer = isSuccess(bare) ? bare : await askAs(server, { ...hook, ...credentialsOf(protocol, key) })
  if (!isSuccess(answer)) {
    await pause(pauseMs)
    return null
  }
  return admit(server, { id, path, protocol, isLive: true, tellsEnd: async () => {} })
}

function credentialsOf(protocol: StreamProtocol, key: string) {
  if (protocol === 'srt') return { user: 'user', password: key }
  return protocol === 'whip' ? { token: key } : { query: `token=${key}` }
}

const notFound: FakeAnswer = { status: 404, body: { status: 'error', error: 'not found' } }

function control(server: Inner, { method, path, query }: SeenRequest): FakeAnswer {
  const named = decodeURIComponent(/^\/v3\/paths\/get\/(.+)$/.exec(path)?.[1] ?? '')
  if (method === 'GET' && path === '/v3/paths/list') {
    const size = Number(query.get('itemsPerPage') ?? 100)
    const from = Number(query.get('page') ?? 0) * size
    const all = server.connections.map(pathOf)
    const counts = { itemCount: all.length, pageCount: Math.ceil(all.length / size) }
    return { status: 200, body: { ...counts, items: all.slice(from, from + size) } }
  }
  if (method === 'GET' && named !== '') {
    const connection = server.connections.find((one) => one.path === named)
    return connection === undefined ? notFound : { status: 200, body: pathOf(connection) }
  }
  const [, list, id] = /^\/v3\/([a-z]+)\/kick\/([^/]+)$/.exec(path) ?? []
  const kicked = server.connections.find((one) => one.id === id && kinds[one.protocol].list === list)
  if (method !== 'POST' || kicked === undefined) return notFound
  void server.drop(kicked)
  return { status: 200, body: { status: 'ok' } }
}

function pathOf({ id, path, protocol }: Connection) {
  const at = '2026-11-23T05:00:00Z'
  return {
    name: path,
    confName: 'all_others',
    ready: true,
    readyTime: at,
    available: true,
    availableTime: at,
    online: true,
    onlineTime: at,
    source: { type: kinds[protocol].type, id },
    tracks: ['H264', 'MPEG-4 Audio'],
    tracks2: [
      { codec: 'H264', codecProps: { width: 1280, height: 720, profile: 'High', level: '3.1' } },
      { codec: 'MPEG-4 Audio', codecProps: { sampleRate: 48_000, channelCount: 2 } },
    ],
    readers: [{ type: 'hlsSession', id: randomUUID() }],
    inboundBytes: 250_000,
    outboundBytes: 0,
    bytesReceived: 250_000,
    bytesSent: 0,
  }
}
