import { type Client, connect, type Status } from '../../../client/connect.ts'
import { renewToken } from './api.ts'
import { socketUrl } from './settings.ts'

/** The one connection of the tab to the real-time service. (W8) */

let client: Client | undefined
let isSignedIn = false
const watchers = new Set<() => void>()
let status: Status = { state: 'connecting' }
/** When the connection was lost, by this machine's clock; null while there is one. */
let lostAt: number | null = null

export function live(): Client {
  client ??= connect({
    url: new URL(socketUrl, location.href).href,
    apiUrl: new URL('/api', location.href).href,
    ...(isSignedIn && { token: renewToken }),
    onStatus(next) {
      status = next
      if (next.state === 'waiting' || next.state === 'closed') lostAt ??= Date.now()
      else if (next.state !== 'connecting') lostAt = null
      for (const tell of watchers) tell()
    },
  })
  return client
}

/** Follows as somebody else from now on; topics that are followed begin anew. */
export function followAs(signedIn: boolean): void {
  if (signedIn === isSignedIn) return
  isSignedIn = signedIn
  client?.close()
  client = undefined
}

export const connection = {
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
  lostAt: () => lostAt,
  state: () => status.state,
}

/** The time of the service in milliseconds since 1970. (W13) */
export const now = (): number => client?.clock.now() ?? Date.now()
