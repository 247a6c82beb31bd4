import type { Command } from '../../../src/infra/clients/assistant/generated/commands_pb.ts'
import type { Match, Tournament, User } from '../../../src/infra/clients/assistant/generated/models_pb.ts'
import type { Packet } from '../../../src/infra/clients/assistant/generated/packets_pb.ts'
import type { Request } from '../../../src/infra/clients/assistant/generated/requests_pb.ts'
import { Response_ResponseType as ResponseType } from '../../../src/infra/clients/assistant/generated/responses_pb.ts'
import { type Answer, answer, type Desk } from './desk.ts'
import { ofPool, ofQualifier } from './lists.ts'
import { neededFor } from './permissions.ts'
import { packetOf } from './wire.ts'
import type { Peer, Room } from './world.ts'

/** How the server handles requests and commands. */

/** Answers a request, or forwards it to the players who answer it. */
export function request(desk: Desk, peer: Peer, packet: Packet, { type }: Request): void {
  const given = answerTo(desk, peer, packet, type)
  if (given === null) return
  const { isFine, details } = given
  const response = { type: isFine ? ResponseType.Success : ResponseType.Fail, respondingToPacketId: packet.id, details }
  peer.deliver(packetOf({ case: 'response', value: response }))
}

/** Forwards a command; a command without the permission is silently dropped. */
export function command({ world }: Desk, peer: Peer, packet: Packet, { type, tournamentId, forwardTo }: Command): void {
  const room = world.rooms.get(tournamentId)
  if (room === undefined || type.case === undefined) return
  const needed = [neededForCommand[type.case] ?? []].flat()
  if (type.case === 'playSong' && type.value.gameplayParameters?.useSync) {
    needed.push('tournament:player:play_with_stream_sync')
  }
  if (needed.every((permission) => world.may(peer.identity, permission, room))) world.forward(peer, forwardTo, packet)
}

const neededForCommand: Readonly<Partial<Record<NonNullable<Command['type']['case']>, string>>> = {
  playSong: 'tournament:player:play_song',
  returnToMenu: 'tournament:player:return_to_menu',
  modifyGameplay: 'tournament:player:modify_gameplay',
  delayTestFinish: 'tournament:player:play_with_stream_sync',
  showColorForStreamSync: 'tournament:player:play_with_stream_sync',
  streamSyncShowImage: 'tournament:player:play_with_stream_sync',
}

function answerTo(desk: Desk, peer: Peer, packet: Packet, type: Request['type']): Answer | null {
  if (type.case === 'connect') return connect(desk, peer, type.value.clientVersion)
  if (type.case === undefined || !('tournamentId' in type.value)) return answer(false, { case: undefined })
  const room = desk.world.rooms.get(type.value.tournamentId)
  if (room === undefined) {
    const value = { message: 'The tournament does not exist' }
    return answer(false, type.case === 'join' ? { case: 'join', value } : { case: 'updateTournament', value })
  }
  const needed = neededFor[type.case]
  if (needed !== undefined && !desk.world.may(peer.identity, needed, room)) {
    const currentPermissions = [...desk.world.permissions.of(peer.identity)].join(', ')
    return answer(false, { case: 'permissionError', value: { requiredPermission: needed, currentPermissions } })
  }
  switch (type.case) {
    case 'join':
      return join(desk, peer, room, type.value.password)
    case 'updateUser':
      return updateUser(desk, room, type.value.user)
    case 'loadSong':
    case 'showPrompt':
    case 'preloadImageForStreamSync':
      desk.world.forward(peer, type.value.forwardTo, packet)
      return null
    default:
      return ofMatch(desk, room, type) ?? ofQualifier(desk, peer, room, type) ?? ofPool(desk, peer, room, type)
  }
}

function connect({ world, version }: Desk, peer: Peer, clientVersion: number): Answer {
  if (clientVersion !== version) {
    const message = `Version mismatch, this server is on version ${version}`
    return answer(false, { case: 'connect', value: { serverVersion: version, message } })
  }
  const state = world.stateFor(peer.identity, null)
  return answer(true, { case: 'connect', value: { serverVersion: version, state, message: 'Connected' } })
}

function join({ world }: Desk, peer: Peer, room: Room, password: string): Answer {
  const { guid: tournamentId, settings } = room.tournament
  if (room.password !== '' && room.password !== password) {
    const message = `Incorrect password for ${settings?.tournamentName}`
    return answer(false, { case: 'join', value: { tournamentId, message } })
  }
  world.enter(peer, room)
  const state = world.stateFor(peer.identity, tournamentId)
  return answer(true, { case: 'join', value: { tournamentId, selfGuid: peer.user.guid, state, message: 'Joined' } })
}

/** A game sends its state; a coordinator sets the position and the delay of a player's stream. */
function updateUser({ world }: Desk, room: Room, given: User | undefined): Answer {
  const peer = world.peers.get(given?.guid ?? '')
  if (given === undefined || peer === undefined || peer.joined !== room.tournament.guid) {
    return answer(false, { case: 'updateUser', value: { message: 'The user does not exist' } })
  }
  const { playState, downloadState, modList, streamDelayMs, streamSyncStartMs, streamScreenCoordinates, teamId } = given
  Object.assign(peer.user, { playState, downloadState, modList, streamDelayMs, streamSyncStartMs, teamId })
  if (streamScreenCoordinates !== undefined) peer.user.streamScreenCoordinates = streamScreenCoordinates
  world.userChanged(peer)
  return answer(true, { case: 'updateUser', value: { user: peer.user } })
}

function ofMatch({ world }: Desk, { tournament }: Room, type: Request['type']): Answer | null {
  if (type.case === 'createMatch') {
    const { associatedUsers = [], leader = '' } = type.value.match ?? {}
    return answer(true, {
      case: 'createMatch',
      value: { match: world.createMatch(tournament, associatedUsers, leader) },
    })
  }
  if (type.case === 'deleteMatch') {
    // Succeeds for a missing match too.
    const match = matchIn(tournament, type.value.matchId)
    if (match !== undefined) world.deleteMatch(tournament, match)
    return answer(true, { case: 'deleteMatch', value: match === undefined ? {} : { match } })
  }
  const change = changeOfMatch(type)
  if (change === null) return null
  const match = matchIn(tournament, change.match)
  if (match === undefined) return answer(false, { case: 'updateMatch', value: { message: 'The match does not exist' } })
  if (change.without === undefined) world.changeMatch(tournament, match, change.act)
  else world.removeFromMatch(tournament, match, change.without)
  return answer(true, { case: 'updateMatch', value: { match } })
}

interface ChangeOfMatch {
  readonly match: string
  readonly act: (match: Match) => void
  /** GUID of a user who is removed. */
  readonly without?: string
}

function changeOfMatch(type: Request['type']): ChangeOfMatch | null {
  switch (type.case) {
    case 'addUserToMatch': {
      // The real server adds a user again who is already there.
      const { matchId: match, userId } = type.value
      return { match, act: ({ associatedUsers }) => void associatedUsers.push(userId) }
    }
    case 'removeUserFromMatch':
      return { match: type.value.matchId, act: () => {}, without: type.value.userId }
    case 'setMatchLeader': {
      const { matchId, userId } = type.value
      return {
        match: matchId,
        act(match) {
          match.leader = userId
        },
      }
    }
    case 'setMatchMap': {
      const { matchId, map } = type.value
      return {
        match: matchId,
        act(match) {
          if (map === undefined) delete match.selectedMap
          else match.selectedMap = map
        },
      }
    }
    default:
      return null
  }
}

function matchIn({ matches }: Tournament, guid: string): Match | undefined {
  return matches.find((match) => match.guid === guid)
}
