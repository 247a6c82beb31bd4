import { readFileSync } from 'node:fs'
import { type Config, standInClient, standInUrl } from './config.ts'
import { isPublicAddress } from './core/network.ts'
import { createAssistantClient } from './infra/clients/assistant/client.ts'
import type { AssistantClient } from './infra/clients/assistant/types.ts'
import { type CatalogueClient, createCatalogueClient } from './infra/clients/catalogue.ts'
import { createChatClient } from './infra/clients/chat.ts'
import { createChatWebhookClient } from './infra/clients/chat-webhooks.ts'
import { createDownloadClient, type DownloadClient } from './infra/clients/downloads.ts'
import { createBeatLeaderProver } from './infra/clients/game-proof/beatleader.ts'
import { createScoreSaberProver } from './infra/clients/game-proof/scoresaber.ts'
import { createHttpClient } from './infra/clients/http.ts'
import { machineNames, publicNames, type Reach } from './infra/clients/internet.ts'
import { createLeaderboardClients, type LeaderboardClient } from './infra/clients/leaderboards.ts'
import { createMailClient } from './infra/clients/mail.ts'
import { createMediaServersClient, type MediaServersClient } from './infra/clients/media-servers/media-servers.ts'
import { createPushClient, type PushClient, type VapidKeys } from './infra/clients/push.ts'
import { createRankingClients } from './infra/clients/ranking.ts'
import { createWebhookClient } from './infra/clients/webhook.ts'
import type { Cleanups } from './runtime.ts'
import type { Clients } from './services.ts'

/**
 * Timeouts, in milliseconds, of requests to other services. `mailMs` is longer because many mail servers delay unknown
 * senders at first. `assistantMs` is the time to open a connection to an assistant's server. `cataloguePatienceMs` is
 * the time that one caller waits for all answers of the map catalogue together; `catalogueRetryMs` is the wait before a
 * request to it is repeated. `advanceMs` is for what is due in a rehearsal, which asks no other service: the time that
 * one call may spend on it.
 */
export interface Timeouts {
  readonly answerMs: number
  readonly mailMs: number
  readonly webhookMs: number
  readonly catalogueMs: number
  readonly cataloguePatienceMs: number
  readonly catalogueRetryMs: number
  readonly pictureMs: number
  readonly mediaServerMs: number
  readonly assistantMs: number
  readonly advanceMs: number
}

export const defaultTimeouts: Timeouts = {
  answerMs: 8_000,
  mailMs: 20_000,
  webhookMs: 10_000,
  catalogueMs: 10_000,
  cataloguePatienceMs: 12_000,
  catalogueRetryMs: 300,
  pictureMs: 5_000,
  mediaServerMs: 4_000,
  assistantMs: 10_000,
  advanceMs: 20_000,
}

/** The clients that `createClients` creates, and those that the service only uses through a cache of their answers. */
export interface Outside
  extends Omit<
    Clients,
    | 'push'
    | 'rankingCache'
    | 'catalogue'
    | 'assistantSessions'
    | 'controlTurns'
    | 'rehearsalClocks'
    | 'simulatedPlayers'
    | 'leased'
    | 'outside'
  > {
  readonly catalogueClient: CatalogueClient
  readonly leaderboards: { readonly a: LeaderboardClient; readonly b: LeaderboardClient }
}

/** The version of the service. */
export function release(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

/** The clients of all other services, at the configured addresses. */
export function createClients(config: Config, cleanups: Cleanups, given: Partial<Timeouts> = {}): Outside {
  const timeouts = { ...defaultTimeouts, ...given }
  const userAgent = userAgentOf(config)
  const http = createHttpClient({
    userAgent,
    timeoutMs: timeouts.answerMs,
    maxBodyBytes: 1024 * 1024,
    connections: 16,
  })
  cleanups.add(() => http.close())
  // An answer about fifty maps is far larger than any other, and the catalogue requires a user agent with a contact.
  const mapsHttp = createHttpClient({
    userAgent: `Downbeat/${release()} (+${config.publicUrl})`,
    timeoutMs: timeouts.catalogueMs,
    maxBodyBytes: 4 * 1024 * 1024,
    connections: 4,
  })
  cleanups.add(() => mapsHttp.close())
  const rankingUrls = { scoreSaberUrl: config.rankingAUrl, beatLeaderUrl: config.rankingBUrl }
  // Without credentials the service acts as the chat platform itself, at an address of its own. (D20)
  const standIn = standInUrl(config)
  const { credentials, ...addresses } = config.chat
  const chat =
    credentials === null
      ? {
          clientId: standInClient.id,
          clientSecret: standInClient.secret,
          apiUrl: standIn,
          authorizeUrl: `${standIn}/oauth2/authorize`,
          cdnUrl: addresses.cdnUrl,
        }
      : { ...addresses, ...credentials }
  return {
    chat: createChatClient({ http, ...chat }),
    chatWebhooks: createChatWebhookClient(http),
    rankings: createRankingClients({ http, ...rankingUrls }),
    catalogueClient: createCatalogueClient({ http: mapsHttp, baseUrl: config.catalogueUrl }),
    leaderboards: createLeaderboardClients({ http: mapsHttp, ...rankingUrls }),
    webhooks: createWebhookClients(config, cleanups, { userAgent, timeoutMs: timeouts.webhookMs }),
    downloads: createDownloads(config, cleanups, { userAgent, timeoutMs: timeouts.answerMs }),
    pictures: createPictures(config, cleanups, { userAgent, timeoutMs: timeouts.pictureMs }),
    mediaServers: createMediaServers(cleanups, { userAgent, timeoutMs: timeouts.mediaServerMs }),
    assistant: createAssistant(config, cleanups, timeouts.assistantMs),
    gameProvers: createGameProvers(config, cleanups, { userAgent, timeoutMs: timeouts.answerMs }),
    mail: config.mail === null ? null : createMailClient({ ...config.mail, timeoutMs: timeouts.mailMs }),
  }
}

function userAgentOf({ publicUrl }: Config): string {
  return `Downbeat (${publicUrl}, 0.1)`
}

const everywhere: Reach = { isAllowed: () => true, resolve: machineNames }
const internet: Reach = { isAllowed: isPublicAddress, resolve: publicNames }

/**
 * The chat platform may have any address, because the operator configures it. Addresses that users give must be public
 * ones. (D34)
 */
function createWebhookClients(
  config: Config,
  cleanups: Cleanups,
  { userAgent, timeoutMs }: { readonly userAgent: string; readonly timeoutMs: number },
): Clients['webhooks'] {
  const usual = { userAgent, timeoutMs, maxBodyBytes: 4_096, connections: { perOrigin: 8, total: 32 } }
  const chat = createWebhookClient({ ...usual, ...everywhere, allowHttp: true })
  const custom = createWebhookClient({
    ...usual,
    ...(config.webhookAllowPrivate ? everywhere : internet),
    allowHttp: config.environment === 'local',
  })
  cleanups.add(() => chat.close())
  cleanups.add(() => custom.close())
  return { chat, custom }
}

/** Browsers of users choose the addresses of push services. (additions: Push; D34) */
export function createPush(config: Config, vapid: VapidKeys, cleanups: Cleanups, timeoutMs: number): PushClient {
  const http = createWebhookClient({
    ...(config.webhookAllowPrivate ? everywhere : internet),
    userAgent: userAgentOf(config),
    timeoutMs,
    maxBodyBytes: 4_096,
    connections: { perOrigin: 8, total: 32 },
    allowHttp: false,
  })
  cleanups.add(() => http.close())
  return createPushClient(http, vapid, config.publicUrl)
}

function createDownloads(
  config: Config,
  cleanups: Cleanups,
  { userAgent, timeoutMs }: { readonly userAgent: string; readonly timeoutMs: number },
): DownloadClient {
  const client = createDownloadClient({
    ...(config.webhookAllowPrivate ? everywhere : internet),
    allowHttp: config.environment === 'local',
    userAgent,
    timeoutMs,
    maxBodyBytes: 1024 * 1024,
    connections: 4,
  })
  cleanups.add(() => client.close())
  return client
}

/**
 * The operator configures the address of the chat platform's pictures; users' pictures may have any address. (M26; D34)
 */
function createPictures(
  config: Config,
  cleanups: Cleanups,
  { userAgent, timeoutMs }: { readonly userAgent: string; readonly timeoutMs: number },
): Clients['pictures'] {
  const usual = { userAgent, timeoutMs, maxBodyBytes: 8 * 1024 * 1024, connections: 4, accept: 'image/*' }
  const chat = createDownloadClient({ ...usual, ...everywhere, allowHttp: true })
  const others = createDownloadClient({
    ...usual,
    ...(config.webhookAllowPrivate ? everywhere : internet),
    allowHttp: config.environment === 'local',
  })
  cleanups.add(() => chat.close())
  cleanups.add(() => others.close())
  const chatPictures = `${config.chat.cdnUrl}/`
  return { save: (url, file) => (url.startsWith(chatPictures) ? chat : others).save(url, file) }
}

/** Small answers are enough, and short timeouts: a game waits ten seconds for all of them together. (AS27) */
function createGameProvers(
  { gameProof, gameSignInUrl, rankingAUrl, rankingBUrl }: Config,
  cleanups: Cleanups,
  { userAgent, timeoutMs }: { readonly userAgent: string; readonly timeoutMs: number },
): Clients['gameProvers'] {
  const http = createHttpClient({ userAgent, timeoutMs, maxBodyBytes: 256 * 1024, connections: 8 })
  cleanups.add(() => http.close())
  const asked = { http, timeoutMs }
  return {
    a: gameProof.has('a') ? createScoreSaberProver({ ...asked, gameUrl: gameSignInUrl, apiUrl: rankingAUrl }) : null,
    b: gameProof.has('b') ? createBeatLeaderProver({ ...asked, apiUrl: rankingBUrl }) : null,
  }
}

/** The owners of the installation set these addresses, so they may be private. */
function createMediaServers(
  cleanups: Cleanups,
  given: { readonly userAgent: string; readonly timeoutMs: number },
): MediaServersClient {
  const http = createHttpClient({ ...given, maxBodyBytes: 4 * 1024 * 1024, connections: 4 })
  cleanups.add(() => http.close())
  return createMediaServersClient(http)
}

/** Organisers choose the servers' addresses. (AS1; D34) */
function createAssistant(config: Config, cleanups: Cleanups, timeoutMs: number): AssistantClient {
  const client = createAssistantClient({
    ...(config.webhookAllowPrivate ? everywhere : internet),
    allowPlain: config.environment === 'local',
    timeoutMs,
  })
  cleanups.add(() => client.close())
  return client
}
