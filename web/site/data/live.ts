import type { Client, connect } from '../../../client/connect.ts'
import type { WebSocketLike } from '../../../client/platform.ts'
import { renewToken } from './api.ts'
import { connection } from './connection.ts'
import { socketUrl } from './settings.ts'

/** The one connection of the tab to the real-time service; none while the tab has been hidden for long. (W8) */

const hiddenMs = 300_000

let client: Client | undefined
let isSignedIn = false
/** Changes with each connection, since topics must be followed anew there; null while there is to be none. */
let epoch: number | null = null
let epochs = 0
const watchers = new Set<() => void>()

/** The code of the connection: it comes once a page is shown that may follow something, not before its first paint. */
let code: { readonly connect: typeof connect } | 'coming' | undefined

async function begin(): Promise<void> {
  if (code !== undefined) return
  code = 'coming'
  try {
    code = await import('../../../client/connect.ts')
    if (!document.hidden) restart(true)
  } catch {
    // The next page asks again; what is read without a connection stays as it is.
    code = undefined
  }
}

/** @throws while `epochOfLive` is null */
export function live(): Client {
  if (client !== undefined) return client
  if (code === undefined || code === 'coming') throw new Error('there is no connection yet')
  const made: Client = code.connect(
    {
      url: new URL(socketUrl, location.href).href,
      apiUrl: new URL('/api', location.href).href,
      ...(isSignedIn && { token: renewToken }),
      onStatus({ state }) {
        if (state === 'connecting' || client !== made) return
        connection.socket(state === 'waiting' || state === 'closed')
      },
    },
    {
      onOnline(run) {
        addEventListener('online', run)
        addEventListener('focus', run)
        return () => {
          removeEventListener('online', run)
          removeEventListener('focus', run)
        }
      },
      open(url, protocol) {
        const socket = new WebSocket(url, protocol)
        socket.addEventListener('message', connection.heard)
        return socket as WebSocketLike
      },
    },
  )
  client = made
  return made
}

function restart(isOpen: boolean): void {
  const old = client
  client = undefined
  old?.close()
  connection.socket(false)
  epoch = isOpen ? ++epochs : null
  for (const tell of watchers) tell()
}

/** Begins anew at once, where the connection does not come by itself. */
export function reconnect(): void {
  if (typeof code === 'object') restart(true)
  else void begin()
}

/** Follows as somebody else from now on; topics that are followed begin anew. */
export function followAs(signedIn: boolean): void {
  if (signedIn === isSignedIn) return
  isSignedIn = signedIn
  restart(epoch !== null)
}

let needed = 0

/** Keeps the connection also while the tab is hidden, such as behind the broadcasting program. (W8) */
export function stayConnected(): () => void {
  needed++
  return () => {
    needed--
  }
}

let timer: ReturnType<typeof setTimeout> | undefined
document.addEventListener('visibilitychange', () => {
  clearTimeout(timer)
  if (document.hidden) timer = setTimeout(() => needed === 0 && restart(false), hiddenMs)
  else if (epoch === null && typeof code === 'object') restart(true)
})

export const epochOfLive = {
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    void begin()
    return () => watchers.delete(watcher)
  },
  get: () => epoch,
}

/** The time of the service in milliseconds since 1970. (W13) */
export const now = (): number => client?.clock.now() ?? Date.now()
