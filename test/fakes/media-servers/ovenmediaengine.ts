import { createHmac } from 'node:crypto'
import type { StreamProtocol } from '../../../src/infra/clients/media-servers/types.ts'
import type { FakeAnswer, SeenRequest } from '../server.ts'
import {
  admit,
  type Connection,
  type EncoderOptions,
  type FakeKind,
  type FakeMediaServer,
  type Inner,
  startFakeMediaServer,
} from './media-server.ts'

/**
 * OvenMediaEngine (AirenSoft/OvenMediaEngine:
 * src/projects/modules/access_control/admission_webhooks/admission_webhooks.cpp,
 * docs/access-control/admission-webhooks.md, docs/rest-api; read on 2026-11-23). It signs its requests, accepts only
 * answers with status 200, publishes under the address of the answer, or else under the requested one, ends a
 * connection after its lifetime, and reports its end with both addresses. A new publisher replaces the previous one.
 */
export function startFakeOvenMediaEngine(): Promise<FakeMediaServer> {
  return startFakeMediaServer({
    kind: 'ovenmediaengine',
    credentials: { user: null, password: 'of OvenMediaEngine', vhost: 'default', app: 'live' },
    publish,
    async read(server, path, view) {
      const query = view === undefined ? '' : `?view=${view}`
      const url = `https://media.example.org:3334/${path}/llhls.m3u8${query}`
      const verdict = await askAs(server, { direction: 'outgoing', protocol: 'llhls', status: 'opening', url }, viewer)
      return verdict?.allowed === true
    },
    control,
  } satisfies FakeKind)
}

interface Client {
  readonly address: string
  readonly port: number
}
const viewer: Client = { address: '198.51.100.9', port: 50_000 }

interface Verdict {
  readonly allowed?: boolean
  readonly new_url?: string
  readonly lifetime?: number
}

interface Request {
  readonly direction: 'incoming' | 'outgoing'
  readonly protocol: string
  readonly status: 'opening' | 'closing'
  readonly url: string
  readonly new_url?: string
}

function hookOf(server: Inner, request: Request, client: Client) {
  const told = { ...client, real_ip: client.address, user_agent: 'an encoder' }
  const body = JSON.stringify({ client: told, request: { ...request, time: '2026-11-23T05:00:00.000Z' } })
  const signature = createHmac('sha1', server.secret).update(body).digest('base64url')
  return { body, contentType: 'application/json', headers: { 'x-ome-signature': signature }, hasSecret: false }
}

/** Null for any answer without status 200. */
async function askAs(server: Inner, request: Request, client: Client): Promise<Verdict | null> {
  const answer = await server.ask(hookOf(server, request, client))
  return answer?.status === 200 ? (JSON.parse(answer.text) as Verdict) : null
}

let port = 40_000
const names: Readonly<Partial<Record<StreamProtocol, string>>> = { rtmp: 'rtmp', srt: 'srt', whip: 'webrtc' }

async function publish(
  server: Inner,
  { key, protocol, address }: Required<EncoderOptions>,
): Promise<Connection | null> {
  const name = names[protocol]
  if (name === undefined) throw new Error(`OvenMediaEngine takes no ${protocol}`)
  const client = { address, port: ++port }
  const scheme = protocol === 'whip' ? 'https' : protocol
  const query = protocol === 'whip' ? '?direction=whip' : ''
  const url = `${scheme}://media.example.org/live/${key}${query}`
  const asked = { direction: 'incoming', protocol: name, url } as const
  const verdict = await askAs(server, { ...asked, status: 'opening' }, client)
  if (verdict?.allowed !== true) return null
  // Without a new address it publishes under the requested one.
  const path = new URL(verdict.new_url ?? url).pathname.slice(1)
  const connection: Connection = {
    id: `${client.address}:${client.port}`,
    path,
    protocol,
    isLive: true,
    tellsEnd: () =>
      server.report(hookOf(server, { ...asked, status: 'closing', new_url: verdict.new_url ?? url }, client)),
  }
  const { lifetime = 0 } = verdict
  if (lifetime > 0) setTimeout(() => void server.drop(connection), lifetime).unref()
  return admit(server, connection)
}

const ok = (response?: unknown): FakeAnswer => ({ status: 200, body: { message: 'OK', statusCode: 200, response } })
const notFound: FakeAnswer = {
  status: 404,
  body: { message: 'Could not find the application or stream (404)', statusCode: 404 },
}
const sourceTypes: Readonly<Partial<Record<StreamProtocol, string>>> = { rtmp: 'Rtmp', srt: 'Srt', whip: 'WebRTC' }

function control(server: Inner, { method, path }: SeenRequest): FakeAnswer {
  const [, statistics, name] =
    /^\/v1(\/stats\/current)?\/vhosts\/default\/apps\/live\/streams(?:\/([^/]+))?$/.exec(path) ?? []
  if (!path.includes('/vhosts/default/apps/live/streams')) return notFound
  if (name === undefined) return ok(server.connections.map((one) => one.path.slice('live/'.length)))
  const connection = server.connections.find((one) => one.path === `live/${name}`)
  if (connection === undefined) return notFound
  if (method === 'DELETE') {
    void server.drop(connection)
    return ok()
  }
  return statistics === undefined ? ok(detailsOf(connection, name)) : ok({ totalConnections: 3, totalBytesIn: 250_000 })
}

function detailsOf({ protocol }: Connection, name: string) {
  const video = { bitrate: '2500000', bypass: false, codec: 'H264', framerate: 30.0, height: 720, width: 1280 }
  const audio = { bitrate: '128000', bypass: false, channel: 2, codec: 'AAC', samplerate: 48_000 }
  const tracks = [
    { id: 0, type: 'Video', video },
    { id: 1, type: 'Audio', audio },
  ]
  const input = { createdTime: '2026-11-23T05:00:00.000Z', sourceType: sourceTypes[protocol], tracks }
  return { name, input, outputs: [{ name, tracks: [{ id: 0, type: 'Video', video: { bypass: true } }] }] }
}
