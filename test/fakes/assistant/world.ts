import { randomUUID } from 'node:crypto'
import { clone, create } from '@bufbuild/protobuf'
import {
  type Match,
  MatchSchema,
  type QualifierEvent,
  type State,
  StateSchema,
  type Tournament,
  TournamentSchema,
  type User,
  User_ClientTypes,
} from '../../../src/infra/clients/assistant/generated/models_pb.ts'
import type { Packet } from '../../../src/infra/clients/assistant/generated/packets_pb.ts'
import { type Permissions, seeTournament } from './permissions.ts'
import type { Identity } from './tokens.ts'
import { type Body, packetOf } from './wire.ts'

/**
 * The state of the server. Tournaments with their pools and qualifiers survive a restart, like in a database; users and
 * matches are only in memory.
 */

/** A connected client: a socket, or a scripted player. */
export interface Peer {
  readonly user: User
  readonly identity: Identity
  /** GUID of the joined tournament, or null. */
  joined: string | null
  deliver(packet: Packet): void
}

export interface Room {
  readonly tournament: Tournament
  readonly password: string
}

export class World {
  readonly rooms = new Map<string, Room>()
  /** By the GUID of their user. */
  readonly peers = new Map<string, Peer>()
  readonly permissions: Permissions
  /** Called after each change. */
  readonly changed: () => void

  constructor(permissions: Permissions, changed: () => void) {
    this.permissions = permissions
    this.changed = changed
  }

  addTournament(name: string, password: string, allowUnauthorizedView: boolean): Room {
    const tournament = create(TournamentSchema, {
      guid: randomUUID(),
      settings: { tournamentName: name, scoreUpdateFrequency: 30, allowUnauthorizedView, enablePools: true },
    })
    const room = { tournament, password }
    this.rooms.set(tournament.guid, room)
    return room
  }

  /** A bearer of a read-only token may see only tournaments that allow this. */
  may(identity: Identity, permission: string, { tournament }: Room): boolean {
    if (identity.kind === 'readonly' && !tournament.settings?.allowUnauthorizedView) return false
    return this.permissions.of(identity).has(permission)
  }

  /** Only the joined tournament contains more than its name. */
  stateFor(identity: Identity, joined: string | null): State {
    const rooms = [...this.rooms.values()].filter((room) => this.may(identity, seeTournament, room))
    return create(StateSchema, {
      tournaments: rooms.map((room) =>
        room.tournament.guid === joined ? this.shown(identity, room.tournament) : outsideOf(room.tournament),
      ),
      knownServers: [{ name: 'A server', address: '127.0.0.1' }],
    })
  }

  /** The tournament as a member with this identity sees it. */
  shown(identity: Identity, tournament: Tournament): Tournament {
    const shown = clone(TournamentSchema, tournament)
    if (shown.settings !== undefined) shown.settings.myPermissions = [...this.permissions.of(identity)]
    return shown
  }

  /** Sends a packet to all who have joined. */
  tell(tournament: string, body: Body): void {
    const packet = packetOf(body)
    for (const peer of [...this.peers.values()]) if (peer.joined === tournament) peer.deliver(packet)
    this.changed()
  }

  /** Sends a packet to everybody on the server, whatever tournament they have joined. */
  tellAll(body: Body, from?: string): void {
    const packet = packetOf(body, from)
    for (const peer of [...this.peers.values()]) peer.deliver(packet)
    this.changed()
  }

  /** Forwards a packet with a new sender; answers still name the request. */
  forward(from: Peer, to: readonly string[], { id, packet }: Packet): void {
    for (const guid of to) this.peers.get(guid)?.deliver(packetOf(packet as Body, from.user.guid, id))
    this.changed()
  }

  enter(peer: Peer, { tournament }: Room): void {
    peer.joined = tournament.guid
    if (!tournament.users.includes(peer.user)) tournament.users.push(peer.user)
    this.tellUser('userAdded', tournament, peer.user)
  }

  userChanged(peer: Peer): void {
    const room = this.rooms.get(peer.joined ?? '')
    if (room !== undefined) this.tellUser('userUpdated', room.tournament, peer.user)
  }

  /** Removes a user from everything; a match without users is deleted, and a leader who has left stays named. */
  leave(peer: Peer): void {
    this.peers.delete(peer.user.guid)
    for (const { tournament } of this.rooms.values()) {
      if (!tournament.users.includes(peer.user)) continue
      tournament.users.splice(tournament.users.indexOf(peer.user), 1)
      for (const match of tournament.matches.filter(({ associatedUsers: users }) => users.includes(peer.user.guid))) {
        this.removeFromMatch(tournament, match, peer.user.guid)
      }
      this.tellUser('userLeft', tournament, peer.user)
    }
    this.changed()
  }

  createMatch(tournament: Tournament, users: readonly string[], leader: string): Match {
    const match = create(MatchSchema, { guid: randomUUID(), associatedUsers: [...users], leader })
    tournament.matches.push(match)
    this.tellMatch('matchCreated', tournament, match)
    return match
  }

  changeMatch(tournament: Tournament, match: Match, change: (match: Match) => void): Match {
    change(match)
    this.tellMatch('matchUpdated', tournament, match)
    return match
  }

  removeFromMatch(tournament: Tournament, match: Match, user: string): void {
    match.associatedUsers = match.associatedUsers.filter((guid) => guid !== user)
    if (match.associatedUsers.length === 0) this.deleteMatch(tournament, match)
    else this.tellMatch('matchUpdated', tournament, match)
  }

  deleteMatch(tournament: Tournament, match: Match): void {
    tournament.matches = tournament.matches.filter((other) => other !== match)
    this.tellMatch('matchDeleted', tournament, match)
  }

  matchOf(peer: Peer): Match | undefined {
    return this.rooms
      .get(peer.joined ?? '')
      ?.tournament.matches.find(({ associatedUsers }) => associatedUsers.includes(peer.user.guid))
  }

  /** The connections of a match that are no players. */
  watchersOf(match: Match): Peer[] {
    return [...new Set(match.associatedUsers)].flatMap((guid) => {
      const peer = this.peers.get(guid)
      return peer === undefined || peer.user.clientType === User_ClientTypes.Player ? [] : [peer]
    })
  }

  /** Sends the tournament to all members, each with their own permissions. */
  tellTournament(tournament: Tournament): void {
    for (const peer of [...this.peers.values()].filter(({ joined }) => joined === tournament.guid)) {
      const shown = this.shown(peer.identity, tournament)
      const value = { changedObject: { case: 'tournamentUpdated' as const, value: { tournament: shown } } }
      peer.deliver(packetOf({ case: 'event', value }))
    }
    this.changed()
  }

  tellQualifier(tournament: Tournament, event: QualifierEvent): void {
    const value = { tournamentId: tournament.guid, event }
    this.tell(tournament.guid, { case: 'event', value: { changedObject: { case: 'qualifierUpdated', value } } })
  }

  /** Clears the state in memory. */
  forget(): void {
    this.peers.clear()
    for (const { tournament } of this.rooms.values()) {
      tournament.users = []
      tournament.matches = []
    }
  }

  private tellUser(change: 'userAdded' | 'userUpdated' | 'userLeft', { guid }: Tournament, user: User): void {
    this.tell(guid, { case: 'event', value: { changedObject: { case: change, value: { tournamentId: guid, user } } } })
  }

  private tellMatch(
    change: 'matchCreated' | 'matchUpdated' | 'matchDeleted',
    { guid }: Tournament,
    match: Match,
  ): void {
    this.tell(guid, { case: 'event', value: { changedObject: { case: change, value: { tournamentId: guid, match } } } })
  }
}

function outsideOf({ guid, settings }: Tournament): Tournament {
  return create(TournamentSchema, {
    guid,
    settings: {
      tournamentName: settings?.tournamentName ?? '',
      allowUnauthorizedView: settings?.allowUnauthorizedView ?? false,
    },
  })
}
