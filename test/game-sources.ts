import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { WebSocketServer } from 'ws'

/** A game's local sources, as the page of the bridge finds them: on their own ports, which nobody can choose. (AS30) */

export interface GameSource extends AsyncDisposable {
  readonly say: (message: object) => void
  /** Resolves when somebody reads it. */
  readonly read: () => Promise<void>
}

const ports = { bsplus: 2947, status: 6557 } as const
/** Whoever listens here has both of them. */
const claimPort = 2946

/**
 * Both ports for as long as a file takes: a page that is open reads whatever game it finds there, that of another run of the tests
 * on the same machine as well. Waits for its turn.
 */
export async function claimGamePorts(): Promise<AsyncDisposable> {
  const server = await listen(claimPort)
  return {
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** @param hello said to whoever connects */
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

/** Somebody else on the machine may have the port for a while. */
async function listen(port: number): Promise<WebSocketServer> {
  for (let attempt = 0; ; attempt++) {
    const server = new WebSocketServer({ host: '127.0.0.1', port })
    // `once` of another event would fail by itself where there is an error.
    const fault = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      server.once('listening', () => resolve(null)).once('error', resolve)
    })
    if (fault === null) return server
    if (fault.code !== 'EADDRINUSE' || attempt === 600) throw fault
    await setTimeout(200)
  }
}
