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

/** Another run of the tests on the machine may have the port for a while. */
async function listen(port: number): Promise<WebSocketServer> {
  for (let attempt = 0; ; attempt++) {
    const server = new WebSocketServer({ host: '127.0.0.1', port })
    const fault = await Promise.race([
      once(server, 'listening').then(() => null),
      once(server, 'error').then(([error]) => error as NodeJS.ErrnoException),
    ])
    if (fault === null) return server
    if (fault.code !== 'EADDRINUSE' || attempt === 600) throw fault
    await setTimeout(200)
  }
}
