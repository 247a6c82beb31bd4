import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { inject } from 'vitest'
import { freePort } from './harness.ts'

/** A connection to a server that can be slowed, blocked without notice, or cut. */
export interface Way {
  readonly port: number
  block(): void
  unblock(): void
  /** Delays everything from now on, in each direction. */
  delay(ms: number): void
  /** Blocks the current connections for ever; new ones are not affected. */
  strand(): void
  /** Ends all connections; new ones are refused until `restore`. */
  cut(): Promise<void>
  restore(): Promise<void>
  close(): Promise<void>
}

/** @param reach connects to the server */
export async function openWay(reach: () => Socket): Promise<Way> {
  const sockets = new Set<Socket>()
  const stranded = new Set<Socket>()
  let isBlocked = false
  let delayMs = 0
  const server = createServer((near) => {
    const far = reach()
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('close', () => {
        sockets.delete(from)
        stranded.delete(from)
        to.destroy()
      })
      from.on('error', () => {})
      pass(from, to)
      if (isBlocked) from.pause()
    }
  })
  const port = await freePort()

  function pass(from: Socket, to: Socket): void {
    let line: Promise<unknown> | null = null
    from.on('data', (chunk) => {
      if (delayMs === 0 && line === null) {
        to.write(chunk)
        return
      }
      // Data after a change of the delay stays behind data that is still delayed.
      const turn = Promise.all([wait(delayMs), line]).then(() => {
        to.write(chunk)
        if (line === turn) line = null
      })
      line = turn
    })
  }
  async function restore(): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  async function cut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of [...sockets, ...stranded]) socket.destroy()
    await closed
  }

  await restore()
  return {
    port,
    block() {
      isBlocked = true
      for (const socket of sockets) socket.pause()
    },
    unblock() {
      isBlocked = false
      for (const socket of sockets) socket.resume()
    },
    delay(ms) {
      delayMs = ms
    },
    strand() {
      for (const socket of sockets) {
        socket.pause()
        stranded.add(socket)
      }
      sockets.clear()
    },
    cut,
    restore,
    async close() {
      if (server.listening) await cut()
    },
  }
}

export interface WayToDatabase extends Way {
  /** The address of the database through this connection. */
  readonly url: string
}

/** @param database its name in the PostgreSQL server of the tests */
export async function openWayToDatabase(database: string): Promise<WayToDatabase> {
  const { host, port, user } = inject('postgres')
  const way = await openWay(() => connect(`${host}/.s.PGSQL.${port}`))
  return { ...way, url: `postgres://${user}@127.0.0.1:${way.port}/${database}` }
}
