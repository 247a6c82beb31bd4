import type { Config } from './config.ts'
import type { Operation } from './core/operation.ts'
import type { SessionHolders } from './features/assistant/assistantSessions/prepare.ts'
import type { endSessions } from './features/flows/flowSessions/commands/cancelling.ts'
import type { Catalogue } from './features/maps/catalogue/cache.ts'
import type { ControlTurns } from './features/overlays/control/prepare.ts'
import type { RankingCache } from './features/people/rankings/cache.ts'
import type { AssistantClient } from './infra/clients/assistant/types.ts'
import type { ChatClient } from './infra/clients/chat.ts'
import type { ChatWebhookClient } from './infra/clients/chat-webhooks.ts'
import type { DownloadClient } from './infra/clients/downloads.ts'
import type { GameProvers } from './infra/clients/game-proof/types.ts'
import type { MailClient } from './infra/clients/mail.ts'
import type { MediaServersClient } from './infra/clients/media-servers/media-servers.ts'
import type { HonouringRankingClient, RankingClient } from './infra/clients/ranking.ts'
import type { WebhookClient } from './infra/clients/webhook.ts'
import type { MediaDecoder } from './infra/decoder/work.ts'
import type { LeasedOnce } from './infra/jobs/leased-once.ts'
import type { Pictures } from './infra/pictures/pictures.ts'
import type { DocumentKind } from './infra/realtime/documents/kind.ts'
import type { EphemeralTopic } from './infra/realtime/ephemeral/topic.ts'
import type { Realtime } from './infra/realtime/realtime.ts'
import type { Storage } from './infra/storage/storage.ts'
import type { Threads } from './infra/threads/threads.ts'
import type { KeyRing } from './oauth/keys.ts'
import type { Tokens } from './oauth/tokens.ts'

/** What handlers act through beside the database. Nothing here goes to the network. */
export interface Services {
  readonly config: Config
  readonly tokens: Tokens
  readonly keys: KeyRing
  /** SHA-256 keyed by a secret of this installation; binds values to cookies. */
  readonly seal: (text: string) => string
  /** For what keeps a processor busy for long. */
  readonly threads: Threads
  /** Covers that callers send, and those that are drawn from names. */
  readonly pictures: Pictures
  /** Whatever users send is read in processes of their own. (M6) */
  readonly decoder: MediaDecoder
  /** Where media are kept. */
  readonly storage: Storage
  /** What is told as it happens. */
  readonly realtime: Realtime
  /** Everything that the API does, for answers about the API itself. */
  readonly operations: readonly Operation[]
  /** What can be followed beside reads. */
  readonly topics: { readonly ephemeral: readonly EphemeralTopic[]; readonly documents: readonly DocumentKind[] }
  /** Ends what is played in a tournament, for slices that sessions stand above. */
  readonly endSessions: typeof endSessions
}

/** The outside world: only for `prepare` and jobs, never inside a transaction. */
export interface Clients {
  readonly chat: ChatClient
  readonly chatWebhooks: ChatWebhookClient
  readonly rankings: { readonly a: HonouringRankingClient; readonly b: RankingClient }
  /** The same platforms, asked for countries and ranks at most every few minutes. */
  readonly rankingCache: RankingCache
  /** What the map catalogue says of songs; remembered, so that it answers while the catalogue does not. */
  readonly catalogue: Catalogue
  /** To the chat platform's webhooks, wherever the operator says that it is, and to those of users. */
  readonly webhooks: { readonly chat: WebhookClient; readonly custom: WebhookClient }
  /** From wherever users say. (D34) */
  readonly downloads: DownloadClient
  /** Pictures elsewhere, which records name. (M26) */
  readonly pictures: Pick<DownloadClient, 'save'>
  /** Where players publish to; each by the address that its record holds. (S8, S9) */
  readonly mediaServers: MediaServersClient
  /** The servers that players' games are connected to, wherever organisers say. (AS1; D34) */
  readonly assistant: AssistantClient
  /** The processes that hold the assistant's sessions of matches. (AS6) */
  readonly assistantSessions: SessionHolders
  /** Where changes of what overlays show stand in line. (OV12) */
  readonly controlTurns: ControlTurns
  /** What one at a time may do, of all processes. */
  readonly leased: LeasedOnce
  /** Where games prove who plays. (AS27) */
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
