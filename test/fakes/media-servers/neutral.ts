import { randomUUID } from 'node:crypto'
import type { Harness } from '../../harness.ts'
import { type MadeStreamServer, validate } from '../../streaming.ts'
import type { FakeMediaServer, FakeStream } from './media-server.ts'

/**
 * A media server that its owners have written, or a program in front of one, which asks at the neutral address. It
 * cannot be controlled.
 */
export function startNeutralServer(
  api: Harness,
  server: MadeStreamServer,
): Pick<FakeMediaServer, 'kind' | 'publish' | 'read' | 'live'> {
  const paths = new Map<string, string>()
  return {
    kind: 'generic',
    async publish({ key, userGuid, protocol = 'rtmp', address = '203.0.113.7' }): Promise<FakeStream> {
      const clientId = randomUUID()
      const asked = { action: 'publish', key, path: `live/${userGuid}`, protocol, ip: address, clientId }
      const { allowed, path } = (await validate(api, server, asked)).body
      // A new publisher replaces the previous one.
      if (allowed) paths.set(path, clientId)
      return {
        allowed,
        path,
        clientId,
        get isLive() {
          return allowed && paths.get(path) === clientId
        },
        async end() {
          if (paths.get(path) === clientId) paths.delete(path)
          await validate(api, server, { action: 'done', path, clientId })
        },
      }
    },
    async read(path, view) {
      return (await validate(api, server, { action: 'read', path, ...(view === undefined ? {} : { view }) })).body
        .allowed
    },
    live: () => [...paths.keys()],
  }
}
