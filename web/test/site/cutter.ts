import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Route } from 'playwright-core'

/** Answers that are cut in the middle of their body, as when a connection is lost or a proxy gives up. */

/** `torn` breaks off before the length that was announced; `short` ends early in good order, as an answer without one. */
export type Cut = 'torn' | 'short'

export interface Cutter extends AsyncDisposable {
  /** Answers a request of a page with the start of a body. */
  answer(route: Route, how: Cut): Promise<void>
}

const heads: Readonly<Record<Cut, string>> = { torn: 'content-length: 5000\r\n', short: '' }

export async function startCutter(): Promise<Cutter> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    socket.once('data', (asked) => {
      const how: Cut = String(asked).includes(' /torn ') ? 'torn' : 'short'
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nrequest-id: cut\r\n${heads[how]}connection: close\r\n\r\n`
      socket.end(`${head}{"matches":[{"guid":"0b5e`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    answer: (route, how) => route.continue({ url: `http://127.0.0.1:${port}/${how}` }),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
