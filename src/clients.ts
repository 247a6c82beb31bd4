import type { Config } from './config.ts'
import { createChatClient } from './infra/clients/chat.ts'
import { createHttpClient } from './infra/clients/http.ts'
import { createMailClient } from './infra/clients/mail.ts'
import { createRankingClients } from './infra/clients/ranking.ts'
import type { Cleanups } from './runtime.ts'
import type { Clients } from './services.ts'

/** How long an answer may take, and how long a mail server may take for a mail: many let strangers wait at first. */
export interface Timeouts {
  readonly answerMs: number
  readonly mailMs: number
}

const usualTimeouts: Timeouts = { answerMs: 8_000, mailMs: 20_000 }

/** The outside world, at the configured addresses. */
export function createClients(
  config: Config,
  cleanups: Cleanups,
  timeouts: Timeouts = usualTimeouts,
): Omit<Clients, 'rankingCache'> {
  const http = createHttpClient({
    userAgent: `Downbeat (${config.publicUrl}, 0.1)`,
    timeoutMs: timeouts.answerMs,
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
    mail: config.mail === null ? null : createMailClient({ ...config.mail, timeoutMs: timeouts.mailMs }),
  }
}
