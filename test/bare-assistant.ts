import { once } from 'node:events'
import { createServer as createPlainServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server as TcpServer } from 'node:net'
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { expect } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { type AssistantClientOptions, createAssistantClient } from '../src/infra/clients/assistant/client.ts'
import { type Packet, PacketSchema } from '../src/infra/clients/assistant/generated/packets_pb.ts'
import type { Told } from '../src/infra/clients/assistant/messages.ts'
import type { AssistantAddress, AssistantConnection } from '../src/infra/clients/assistant/types.ts'
import { Unreachable } from '../src/infra/clients/http.ts'

/** Servers that imitate the behaviour of servers and networks without being an assistant, and clients for them. */

/** Self-signed for assistant.test, from 2020 to 2120; the key protects nothing. */
export const cert = `-----BEGIN CERTIFICATE-----
MIIBbzCCARagAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5hc3Npc3Rh
bnQudGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOYXNzaXN0YW50LnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ+
5LWvLhIWxecX39s9UuiV/gKWdn4RiUeaRQe27YNOGr3rQazejAaOt6aVPMwr/pK0
fsjzQwP5SWZYpAMK/mNVo00wSzAZBgNVHREEEjAQgg5hc3Npc3RhbnQudGVzdDAP
BgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBSb8H2lBCFvFsiZY2LJtgWxHuXO9zAK
BggqhkjOPQQDAgNHADBEAiBsQosWzuSBAv/+thy5l5l8pzwXTyL6y7lkbJGd4o6L
hQIgU/QIN2hFIRIbb68YD0XUhGMBduRczmWkYvYb44NPnoQ=
-----END CERTIFICATE-----
`
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbm6AVyx0GOhHmmw6
mdPLmiJZ4+1vDWzMuGllHoDPOdmhRANCAAQ+5LWvLhIWxecX39s9UuiV/gKWdn4R
iUeaRQe27YNOGr3rQazejAaOt6aVPMwr/pK0fsjzQwP5SWZYpAMK/mNV
-----END PRIVATE KEY-----
`
export const fingerprint = '475f3733089ba4c102d6250fb366899f1b6773444d726be75f6c35a3af85bebf'

export const secret = 'token-that-nobody-may-read'
const cleanups: (() => Promise<unknown> | unknown)[] = []

/** Runs all registered cleanups, the last first. */
export async function endAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

export function whenDone(cleanup: () => Promise<unknown> | unknown): void {
  cleanups.push(cleanup)
}

export async function listen(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

export interface Standing {
  readonly port: number
  readonly sockets: WebSocket[]
  readonly requests: IncomingMessage[]
  /** Packets in the order in which they came. */
  readonly received: Packet[]
}

/** @param serve handles each connection */
export async function assistant(
  serve: (socket: WebSocket) => void = () => {},
  { withTls = false, autoPong = true } = {},
): Promise<Standing> {
  const http = withTls ? createTlsServer({ cert, key }) : createPlainServer()
  const sockets: WebSocket[] = []
  const requests: IncomingMessage[] = []
  const received: Packet[] = []
  const server = new WebSocketServer({ server: http, autoPong })
  server.on('connection', (socket, request) => {
    sockets.push(socket)
    requests.push(request)
    socket.on('message', (data) => received.push(fromBinary(PacketSchema, data as Buffer)))
    socket.on('error', () => {})
    serve(socket)
  })
  const port = await listen(http)
  whenDone(() => {
    for (const socket of sockets) socket.terminate()
  })
  return { port, sockets, requests, received }
}

export function packet(init: MessageInitShape<typeof PacketSchema>['packet'], from = 'server'): Uint8Array {
  return toBinary(PacketSchema, create(PacketSchema, { id: 'x', from, packet: init ?? { case: undefined } }))
}

export const scored = (user: string) =>
  packet({ case: 'push', value: { data: { case: 'realtimeScore', value: { userGuid: user } } } })

export function clientOf(given: Partial<AssistantClientOptions> = {}) {
  const client = createAssistantClient({
    isAllowed: () => true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    allowPlain: true,
    timeoutMs: 2_000,
    ...given,
  })
  whenDone(() => client.close())
  return client
}

export const addressOf = (port: number, given: Partial<AssistantAddress> = {}): AssistantAddress => ({
  host: 'assistant.test',
  port,
  tls: false,
  certificate: 'public',
  ...given,
})

export async function opened(address: AssistantAddress, client = clientOf()) {
  const told: Told[] = []
  const ends: { end: string; words: string }[] = []
  const connection: AssistantConnection = await client.open({
    address,
    token: () => secret,
    tournament: 't1',
    onMessage: (one) => told.push(one),
    onEnd: (end, words) => ends.push({ end, words }),
  })
  return { connection, told, ends, client }
}

/** The error that the caller gets. */
export async function refused(address: AssistantAddress, client = clientOf()): Promise<Unreachable> {
  const error = await opened(address, client).then(
    () => new Error('it was opened'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Unreachable)) throw error
  expect(error.message).not.toContain(secret)
  expect(error.cause).toBeUndefined()
  return error
}
