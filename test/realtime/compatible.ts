import { decode, encode } from '@msgpack/msgpack'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { Harness } from '../harness.ts'

/** A client of the compatibility door, with the libraries that real clients use. */

// biome-ignore lint/suspicious/noExplicitAny: tests read packets as JSON and check their form.
export type Body = any

export interface Told {
  readonly event: string
  readonly body: Body
}

export interface CompatClient extends AsyncDisposable {
  readonly socket: Socket
  /** All received events in order, without answers. */
  readonly told: readonly Told[]
  /** The last received overlay, from any event. */
  held(): Body
  /** The reason of the disconnection, as the client reports it, and the close code of its WebSocket. */
  readonly ended: Promise<{ readonly reason: string; readonly code: number }>
  send(event: string, argument: unknown): void
  /** Resolves with the answer. */
  ask(event: string, argument: unknown): Promise<Body>
  /** Resolves with the first event of a name, and removes it from `told`. */
  next(event: string): Promise<Body>
}

const answers: Readonly<Record<string, string>> = { authenticate: 'authentication:response' }
const answerTo = (event: string) => answers[event] ?? `${event}:response`

export function addressOf(api: Pick<Harness, 'app'>): string {
  return (api.app.socketAddress ?? '').replace(/^ws/, 'http')
}

/** @throws Error when the connection is refused */
export async function openCompat(
  api: Pick<Harness, 'app'>,
  { namespace = '', ...options }: Partial<ManagerOptions & SocketOptions> & { readonly namespace?: string } = {},
): Promise<CompatClient> {
  const socket = io(`${addressOf(api)}${namespace}`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    ...options,
  })
  const told: Told[] = []
  let overlay: Body = null
  const waiting = new Map<string, ((body: Body) => void)[]>()
  socket.onAny((event: string, argument: Uint8Array) => {
    const body = decode(argument) as Body
    overlay = body.newOverlay ?? body.overlay ?? overlay
    const next = waiting.get(event)?.shift()
    if (next !== undefined) next(body)
    else told.push({ event, body })
  })
  const reason = new Promise<string>((resolve) => void socket.on('disconnect', resolve))
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve)
      socket.on('connect_error', reject)
    })
  } catch (error) {
    socket.close()
    throw error
  }
  const { ws } = socket.io.engine.transport as unknown as { readonly ws: WebSocket }
  const code = new Promise<number>((resolve) => void ws.on('close', resolve))
  const ended = Promise.all([reason, code]).then(([why, by]) => ({ reason: why, code: by }))
  const send = (event: string, argument: unknown) => void socket.emit(event, encode(argument))
  const awaited = (event: string) =>
    new Promise<Body>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${event}`)), 60_000)
      const all = waiting.get(event) ?? []
      waiting.set(event, all)
      all.push((body) => {
        clearTimeout(timer)
        resolve(body)
      })
    })
  return {
    socket,
    told,
    ended,
    send,
    held: () => overlay,
    ask(event, argument) {
      const answer = awaited(answerTo(event))
      send(event, argument)
      return answer
    },
    async next(event) {
      await vi.waitUntil(() => told.some((each) => each.event === event), { timeout: 60_000, interval: 5 })
      const [found] = told.splice(
        told.findIndex((each) => each.event === event),
        1,
      )
      return found?.body
    },
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}
