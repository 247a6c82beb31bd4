import type { Config } from './config.ts'
import { createChatClient } from './infra/clients/chat.ts'
import { createHttpClient } from './infra/clients/http.ts'
import { createRankingClients } from './infra/clients/ranking.ts'
import type { Cleanups } from './runtime.ts'
import type { Clients } from './services.ts'

/** The outside world, at the configured addresses. `timeoutMs`: for an answer. */
export function createClients(config: Config, cleanups: Cleanups, timeoutMs = 8_000): Omit<Clients, 'rankingCache'> {
  const http = createHttpClient({
    userAgent: `Downbeat (${config.publicUrl}, 0.1)`,
    timeoutMs,
    maxBodyBytes: 1024 * 1024,
    connections: 16,
  })
  cleanups.add(() => http.close())
  // Without credentials the service plays the chat platform itself, at an address of its own. (D20)
  const standIn = `${config.publicUrl}/api/auth/stand-in`
  const { credentials, ...addresses } = config.chat
  const chat =
    credentials === null
      ? {
          clientId: 'local',
          clientSecret: 'local',
          apiUrl: standIn,
          authorizeUrl: `${standIn}/oauth2/authorize`,
          cdnUrl: addresses.cdnUrl,
        }
      : { ...addresses, ...credentials }
  return {
    chat: createChatClient({ http, ...chat }),
    rankings: createRankingClients({ http, scoreSaberUrl: config.rankingAUrl, beatLeaderUrl: config.rankingBUrl }),
  }
}
