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

/** What tests ask of the fake, and give it. */

/** A running server, whose habits stand with `startFakeAssistant`. */
export interface FakeAssistant extends AsyncDisposable {
  /** `127.0.0.1`. */
  readonly host: string
  readonly port: number
  /** `ws:` or `wss:`. */
  readonly url: string
  /** SHA-256 of its certificate, in lower case without colons; null without TLS. */
  readonly fingerprint: string | null
  /** Code that clients must have; 1310, unless it is set. */
  version: number
  /** The one that players join. */
  readonly tournament: FakeTournament
  addTournament(options: TournamentOptions): FakeTournament
  readonly permissions: Permissions
  /** Trusts others' keys, beside those from the start. */
  trust(keys: TrustedKeys): void
  /** @returns a token */
  bot(name?: string): string

  /** A player who connects at once, to the main tournament. */
  player(options: PlayerOptions): FakePlayer
  readonly players: readonly FakePlayer[]

  /** Of the main tournament, as they are now. */
  readonly matches: readonly Match[]
  readonly users: readonly User[]
  readonly qualifiers: readonly QualifierEvent[]
  readonly pools: readonly Pool[]
  /** What somebody else does in the main tournament. */
  readonly others: Others

  addQualifier(options: QualifierOptions): FakeQualifier
  addPool(name: string, maps?: readonly FakeMap[]): Pool
  /** Whatever a player's game submits; everybody is told. `map` is a GUID. */
  submit(qualifier: { readonly guid: string }, map: string, score: FakeScore): void
  readonly boards: Boards

  /** Every packet that came over a socket, with its token, the oldest first, those before a restart too. */
  readonly received: readonly Seen[]
  /** Every token that stood in one of them. */
  readonly tokens: ReadonlySet<string>
  /** Every packet that went over a socket. */
  readonly sent: readonly Seen[]
  /** Sockets that are open. */
  readonly connections: number
  readonly faults: Faults

  /**
   * Ends every socket, forgets users and matches, and listens on the same port again; players come back with new GUIDs.
   *
   * @param options `downMs`: for how long it does not listen; `withoutPlayers`: they stay away until `reconnect`
   */
  restart(options?: { readonly downMs?: number; readonly withoutPlayers?: boolean }): Promise<void>
  /** Resolves once it is so, looked at after every packet and change. @throws after `ms`, 5 s unless it is given */
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
  /** None, unless they are given. */
  readonly keys?: TrustedKeys
  /** With the fixed self-signed certificate, or with a given one, as PEM. */
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
  /** GUIDs, in the order in which they were given. */
  readonly maps: readonly string[]
}
