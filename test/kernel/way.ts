import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { inject } from 'vitest'
import { freePort } from '../harness.ts'

/** A way to a test's database that can be blocked, so that nothing arrives and nobody is told, or cut. */
export interface Way {
  /** Of the database, by this way. */
  readonly url: string
  block(): void
  unblock(): void
  /** Ends all connections; nobody can connect until it is restored. */
  cut(): Promise<void>
  restore(): Promise<void>
  close(): Promise<void>
}

/** @param database its name */
export async function openWay(database: string): Promise<Way> {
  const { host, port, user } = inject('postgres')
  const sockets = new Set<Socket>()
  let isBlocked = false
  const server = createServer((near) => {
    const far = connect(`${host}/.s.PGSQL.${port}`)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('error', () => {})
      from.on('data', (chunk) => to.write(chunk))
      if (isBlocked) from.pause()
    }
  })
  const door = await freePort()

  async function restore(): Promise<void> {
    server.listen(door, '127.0.0.1')
    await once(server, 'listening')
  }
  async function cut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await restore()
  return {
    url: `postgres://${user}@127.0.0.1:${door}/${database}`,
    block() {
      isBlocked = true
      for (const socket of sockets) socket.pause()
    },
    unblock() {
      isBlocked = false
      for (const socket of sockets) socket.resume()
    },
    cut,
    restore,
    async close() {
      if (server.listening) await cut()
    },
  }
}
