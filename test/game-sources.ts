import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { WebSocketServer } from 'ws'

/** The local sources of a game for the page of the bridge, on their fixed ports. (AS30) */

export interface GameSource extends AsyncDisposable {
  readonly say: (message: object) => void
  /** Resolves when a client has connected. */
  readonly read: () => Promise<void>
}

const ports = { bsplus: 2947, status: 6557 } as const
/** A process that listens here owns both other ports. */
const claimPort = 2946

/**
 * Claims both ports for the duration of a test file, because an open page reads every game that it finds there, also
 * that of another test run on the same machine. Waits for its turn.
 */
export async function claimGamePorts(): Promise<AsyncDisposable> {
  const server = await listen(claimPort)
  return {
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** @param hello sent to every client */
export async function startGameSource(name: keyof typeof ports, hello: object): Promise<GameSource> {
  const server = await listen(ports[name])
  server.on('connection', (socket) => socket.send(JSON.stringify(hello)))
  return {
    say: (message) => {
      for (const client of server.clients) client.send(JSON.stringify(message))
    },
    async read() {
      if (server.clients.size === 0) await once(server, 'connection')
    },
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Retries, because another process may use the port for a while. */
async function listen(port: number): Promise<WebSocketServer> {
  for (let attempt = 0; ; attempt++) {
    const server = new WebSocketServer({ host: '127.0.0.1', port })
    // `once` of `node:events` would reject by itself on an error.
    const fault = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      server.once('listening', () => resolve(null)).once('error', resolve)
    })
    if (fault === null) return server
    if (fault.code !== 'EADDRINUSE' || attempt === 600) throw fault
    await setTimeout(200)
  }
}
