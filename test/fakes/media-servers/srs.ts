import type { StreamProtocol } from '../../../src/infra/clients/media-servers/types.ts'
import type { FakeAnswer, SeenRequest } from '../server.ts'
import {
  type Connection,
  type EncoderOptions,
  type FakeKind,
  type FakeMediaServer,
  type Inner,
  startFakeMediaServer,
} from './media-server.ts'

/**
 * SRS (ossrs/srs: trunk/src/app/srs_app_http_hooks.cpp, srs_app_statistic.cpp, srs_app_http_api.cpp,
 * trunk/3rdparty/srs-docs/doc/http-callback.md and http-api.md; read on 2026-11-23). It calls JSON `application-json`,
 * needs status 200 with code 0 as permission, and refuses a second publisher itself after asking; then it reports that
 * publisher's end too.
 */
export function startFakeSrs(): Promise<FakeMediaServer> {
  return startFakeMediaServer({
    kind: 'srs',
    credentials: { user: 'admin', password: 'of SRS', vhost: null, app: null },
    publish,
    async read(server, path, view) {
      const [app = '', stream = ''] = path.split('/')
      const param = view === undefined ? '' : `?view=${view}`
      const told = { action: 'on_play', client_id: nextId(), ip: '198.51.100.9', app, stream, param, pageUrl: '' }
      return isLeave(await server.ask(hookOf(told)))
    },
    control,
  } satisfies FakeKind)
}

let count = 0
const nextId = () => `c${(++count).toString(36).padStart(7, '0')}`

const hookOf = (told: object) => ({
  body: JSON.stringify({ server_id: 'vid-0xk989d', service_id: 's1', vhost: '__defaultVhost__', ...told }),
  contentType: 'application-json',
  hasSecret: true,
})

function isLeave(answer: { readonly status: number; readonly text: string } | null): boolean {
  if (answer?.status !== 200) return false
  const value: unknown = JSON.parse(answer.text)
  return value === 0 || (typeof value === 'object' && value !== null && 'code' in value && value.code === 0)
}

const schemes: Readonly<Partial<Record<StreamProtocol, string>>> = { rtmp: 'rtmp', srt: 'srt', whip: 'webrtc' }

async function publish(
  server: Inner,
  { key, userGuid, protocol, address }: Required<EncoderOptions>,
): Promise<Connection | null> {
  const scheme = schemes[protocol]
  if (scheme === undefined) throw new Error(`SRS takes no ${protocol}`)
  const id = nextId()
  const stream = { app: 'live', stream: userGuid, param: `?key=${key}` }
  const urls = {
    tcUrl: `${scheme}://media.example.org/live`,
    stream_url: `/live/${userGuid}`,
    stream_id: 'vid-124q9y3',
  }
  const told = { client_id: id, ip: address, ...stream, ...urls }
  if (!isLeave(await server.ask(hookOf({ action: 'on_publish', ...told })))) return null
  const tellsEnd = () => server.report(hookOf({ action: 'on_unpublish', ...told }))
  const path = `live/${userGuid}`
  if (server.connections.some((one) => one.path === path)) {
    await tellsEnd()
    return null
  }
  const connection: Connection = { id, path, protocol, isLive: true, tellsEnd }
  server.connections.push(connection)
  return connection
}

const clientNotFound = { status: 200, body: { code: 2_049 } }
const about = { code: 0, server: 'vid-0xk989d', service: 's1', pid: '1' }

function control(server: Inner, { method, path, query }: SeenRequest): FakeAnswer {
  if (method === 'GET' && path === '/api/v1/streams') {
    const start = Number(query.get('start') ?? 0)
    // At least ten per page.
    const shown = server.connections.slice(start, start + Math.max(10, Number(query.get('count') ?? 0)))
    return { status: 200, body: { ...about, streams: shown.map(streamOf) } }
  }
  const id = /^\/api\/v1\/clients\/([^/]+)$/.exec(path)?.[1]
  if (method !== 'DELETE' || id === undefined) return { status: 404, body: 'Not Found' }
  const client = server.connections.find((one) => one.id === id)
  if (client === undefined) return clientNotFound
  void server.drop(client)
  return { status: 200, body: about }
}

function streamOf({ id, path, protocol }: Connection) {
  const [app, name] = path.split('/')
  return {
    id: 'vid-124q9y3',
    name,
    vhost: 'vid-b8z7c6x',
    app,
    tcUrl: `${schemes[protocol]}://media.example.org/live`,
    url: `/${path}`,
    live_ms: 1_763_874_000_000,
    clients: 3,
    frames: 900,
    send_bytes: 0,
    recv_bytes: 250_000,
    kbps: { recv_30s: 2_628, send_30s: 0 },
    publish: { active: true, cid: id },
    video: { codec: 'H264', profile: 'High', level: '3.1', width: 1280, height: 720 },
    audio: { codec: 'AAC', sample_rate: 44_100, channel: 2, profile: 'LC' },
  }
}
