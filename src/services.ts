import type { Config } from './config.ts'
import type { Operation } from './core/operation.ts'
import type { SessionHolders } from './features/assistant/assistantSessions/prepare.ts'
import type { endSessions } from './features/flows/flowSessions/commands/cancelling.ts'
import type { Catalogue } from './features/maps/catalogue/cache.ts'
import type { ControlTurns } from './features/overlays/control/prepare.ts'
import type { RankingCache } from './features/people/rankings/cache.ts'
import type { SimulatedPlayers } from './features/planning/playing/prepare.ts'
import type { RehearsalClocks } from './features/planning/rehearsals/prepare.ts'
import type { AssistantClient } from './infra/clients/assistant/types.ts'
import type { ChatClient } from './infra/clients/chat.ts'
import type { ChatWebhookClient } from './infra/clients/chat-webhooks.ts'
import type { DownloadClient } from './infra/clients/downloads.ts'
import type { GameProvers } from './infra/clients/game-proof/types.ts'
import type { MailClient } from './infra/clients/mail.ts'
import type { MediaServersClient } from './infra/clients/media-servers/media-servers.ts'
import type { PushClient } from './infra/clients/push.ts'
import type { HonouringRankingClient, RankingClient } from './infra/clients/ranking.ts'
import type { WebhookClient } from './infra/clients/webhook.ts'
import type { MediaDecoder } from './infra/decoder/requests.ts'
import type { Check, Health } from './infra/health/types.ts'
import type { LeasedOnce } from './infra/jobs/leased-once.ts'
import type { PackageMaking } from './infra/packages/making.ts'
import type { Pictures } from './infra/pictures/pictures.ts'
import type { DocumentKind } from './infra/realtime/documents/kind.ts'
import type { EphemeralTopic } from './infra/realtime/ephemeral/topic.ts'
import type { Realtime } from './infra/realtime/realtime.ts'
import type { Storage } from './infra/storage/storage.ts'
import type { MarkdownRendering } from './infra/threads/markdown-rendering.ts'
import type { Threads } from './infra/threads/threads.ts'
import type { KeyRing } from './oauth/keys.ts'
import type { Tokens } from './oauth/tokens.ts'

/** What handlers use in addition to the database. Nothing here sends network requests. */
export interface Services {
  readonly config: Config
  readonly tokens: Tokens
  readonly keys: KeyRing
  /** HMAC-SHA-256 with a secret of this installation; binds values to cookies. */
  readonly seal: (text: string) => string
  /** For long computations that would block the event loop. */
  readonly threads: Threads
  /** Renders stored Markdown to HTML in a thread. (D36) */
  readonly markdown: MarkdownRendering
  /** Reads uploaded covers, and draws covers from names. */
  readonly pictures: Pictures
  /** Decodes users' files in separate processes. (M6) */
  readonly decoder: MediaDecoder
  /** The storage of media files. */
  readonly storage: Storage
  /** What is known of whether the service is well. */
  readonly health: Health
  /** The real-time service. */
  readonly realtime: Realtime
  /** What packages of tournaments are made with. */
  readonly packages: PackageMaking
  /** All operations of the API, for answers about the API itself. */
  readonly operations: readonly Operation[]
  /** Topics that are not reads. */
  readonly topics: { readonly ephemeral: readonly EphemeralTopic[]; readonly documents: readonly DocumentKind[] }
  /** Ends a tournament's running sessions; for slices that may not import the sessions' slice. */
  readonly endSessions: typeof endSessions
}

/** Clients of other services: only for `prepare` and jobs, never inside a transaction. */
export interface Clients {
  readonly chat: ChatClient
  readonly chatWebhooks: ChatWebhookClient
  readonly rankings: { readonly a: HonouringRankingClient; readonly b: RankingClient }
  /** The cached countries and ranks of these platforms, refreshed at most every few minutes. */
  readonly rankingCache: RankingCache
  /** The map catalogue's data on songs; cached, so that it answers while the catalogue is down. */
  readonly catalogue: Catalogue
  /** Clients for the chat platform's webhooks, at the operator's address, and for users' webhooks. */
  readonly webhooks: { readonly chat: WebhookClient; readonly custom: WebhookClient }
  /** The push services of users' browsers. (additions: Push) */
  readonly push: PushClient
  /** Downloads from addresses that users give. (D34) */
  readonly downloads: DownloadClient
  /** Downloads external pictures that records name. (M26) */
  readonly pictures: Pick<DownloadClient, 'save'>
  /** The media servers that players publish to; each at the address in its record. (S8, S9) */
  readonly mediaServers: MediaServersClient
  /** The servers that players' games connect to, at addresses that organisers choose. (AS1; D34) */
  readonly assistant: AssistantClient
  /** The processes that hold the assistant's match sessions. (AS6) */
  readonly assistantSessions: SessionHolders
  /** The queue for changes of what overlays show. (OV12) */
  readonly controlTurns: ControlTurns
  /** The clocks of rehearsals. (R2) */
  readonly rehearsalClocks: RehearsalClocks
  /** Simulated teams that play rehearsals. (R4) */
  readonly simulatedPlayers: SimulatedPlayers
  /** Whether the other services answer; asked once a minute at most. */
  readonly outside: () => Promise<readonly Check[]>
  /** Runs a task in only one process at a time. */
  readonly leased: LeasedOnce
  /** The ranking platforms' sign-in, with which games prove who the player is. (AS27) */
  readonly gameProvers: GameProvers
  /** null where no mail server is configured. (D37) */
  readonly mail: MailClient | null
}

declare module './core/operation.ts' {
  interface Effects {
    services: Services
    clients: Clients
  }
}
