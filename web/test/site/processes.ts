import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy in front of several processes of one service, which passes each connection to the next of them. */
export interface Balancer extends AsyncDisposable {
  readonly url: string
  /** The address of the processes, in turn. */
  targets: readonly string[]
  /** The process of each open connection, in the order of their beginning. */
  readonly open: () => readonly string[]
  /** Cuts an open connection, without a word to either side. @returns whether there was one */
  cut(index: number): boolean
}

export async function startBalancer(scheme: 'http' | 'ws'): Promise<Balancer> {
  const pairs = new Map<Socket, { readonly target: string; readonly upstream: Socket }>()
  let turn = 0
  const server = createServer((socket) => {
    const target = balancer.targets[turn++ % balancer.targets.length] ?? ''
    const { hostname, port } = new URL(target)
    const upstream = connect(Number(port), hostname)
    pairs.set(socket, { target, upstream })
    socket.pipe(upstream).pipe(socket)
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        pairs.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const balancer: Balancer = {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets: [],
    open: () => [...pairs.values()].map(({ target }) => target),
    cut(index) {
      const socket = [...pairs.keys()][index]
      socket?.resetAndDestroy()
      return socket !== undefined
    },
    async [Symbol.asyncDispose]() {
      for (const socket of pairs.keys()) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return balancer
}
