import type {
  Match,
  Tournament_TournamentSettings_Pool as Pool,
  QualifierEvent,
  QualifierEvent_LeaderboardSort as Sort,
  User,
} from '../../../src/infra/clients/assistant/generated/models_pb.ts'
import type { Faults } from './faults.ts'
import type { FakeMap } from './maps.ts'
import type { Permissions } from './permissions.ts'
import type { FakePlayer } from './players.ts'
import type { Boards, FakeScore } from './qualifiers.ts'
import type { PlayerOptions } from './scripts.ts'
import type { TrustedKeys } from './tokens.ts'
import type { Seen } from './wire.ts'

/** The interface of the fake for tests. */

/** A running server; `startFakeAssistant` documents its behaviour. */
export interface FakeAssistant extends AsyncDisposable {
  /** `127.0.0.1`. */
  readonly host: string
  readonly port: number
  /** `ws:` or `wss:`. */
  readonly url: string
  /** SHA-256 of its certificate, in lower case without colons; null without TLS. */
  readonly fingerprint: string | null
  /** The version code that clients must have; 1310 by default. */
  version: number
  /** The tournament that players join. */
  readonly tournament: FakeTournament
  addTournament(options: TournamentOptions): FakeTournament
  readonly permissions: Permissions
  /** Trusts further keys, in addition to those from the start. */
  trust(keys: TrustedKeys): void
  /** @returns a token */
  bot(name?: string): string

  /** A player who connects immediately, to the main tournament. */
  player(options: PlayerOptions): FakePlayer
  readonly players: readonly FakePlayer[]

  /** The current state of the main tournament. */
  readonly matches: readonly Match[]
  readonly users: readonly User[]
  readonly qualifiers: readonly QualifierEvent[]
  readonly pools: readonly Pool[]
  /** Acts of other users in the main tournament. */
  readonly others: Others

  addQualifier(options: QualifierOptions): FakeQualifier
  addPool(name: string, maps?: readonly FakeMap[]): Pool
  /** Submits a score like a player's game, and notifies everybody. `map` is a GUID. */
  submit(qualifier: { readonly guid: string }, map: string, score: FakeScore): void
  readonly boards: Boards

  /** All received packets with their tokens, the oldest first, including those before a restart. */
  readonly received: readonly Seen[]
  /** All tokens in these packets. */
  readonly tokens: ReadonlySet<string>
  /** All sent packets. */
  readonly sent: readonly Seen[]
  /** The number of open sockets. */
  readonly connections: number
  readonly faults: Faults

  /**
   * Ends all sockets, forgets users and matches, and listens on the same port again; players reconnect with new GUIDs.
   *
   * @param options `downMs`: how long it does not listen; `withoutPlayers`: players stay away until `reconnect`
   */
  restart(options?: { readonly downMs?: number; readonly withoutPlayers?: boolean }): Promise<void>
  /**
   * Resolves once the condition holds; it is checked after every packet and change. @throws after `ms`, 5 s by default
   */
  until(isSo: () => unknown, ms?: number): Promise<void>
  close(): Promise<void>
}

export interface FakeTournament {
  readonly guid: string
  readonly name: string
}

export interface TournamentOptions {
  readonly name?: string
  readonly password?: string
  readonly allowUnauthorizedView?: boolean
}

export interface AssistantOptions extends TournamentOptions {
  readonly version?: number
  /** No keys by default. */
  readonly keys?: TrustedKeys
  /** With the fixed self-signed certificate, or with the given one, as PEM. */
  readonly tls?: boolean | { readonly cert: string; readonly key: string }
}

export interface Others {
  createMatch(users: readonly string[], leader?: string): Match
  addUser(match: string, user: string): void
  removeUser(match: string, user: string): void
  setLeader(match: string, user: string): void
  setMap(match: string, map: FakeMap): void
  deleteMatch(match: string): void
}

export interface QualifierOptions {
  readonly name?: string
  readonly maps: readonly FakeMap[]
  readonly hideScores?: boolean
  readonly sort?: Sort
}

export interface FakeQualifier extends FakeTournament {
  /** GUIDs in the given order. */
  readonly maps: readonly string[]
}
