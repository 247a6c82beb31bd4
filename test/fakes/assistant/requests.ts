import { randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { create } from '@bufbuild/protobuf'
import type { Command } from '../../../src/infra/clients/assistant/generated/commands_pb.ts'
import {
  type Match,
  Tournament_TournamentSettings_PoolSchema as PoolSchema,
  type QualifierEvent,
  type Tournament,
  type User,
} from '../../../src/infra/clients/assistant/generated/models_pb.ts'
import type { Packet } from '../../../src/infra/clients/assistant/generated/packets_pb.ts'
import type { Request } from '../../../src/infra/clients/assistant/generated/requests_pb.ts'
import {
  type ResponseSchema,
  Response_ResponseType as ResponseType,
} from '../../../src/infra/clients/assistant/generated/responses_pb.ts'
import { adopted } from './maps.ts'
import { neededFor, seeHiddenScores } from './permissions.ts'
import { areHidden, type Boards } from './qualifiers.ts'
import { packetOf } from './wire.ts'
import type { Peer, Room, World } from './world.ts'

/** What the server does with what it is asked and ordered. */

export interface Desk {
  readonly world: World
  readonly boards: Boards
  /** Code of the version that a client must have. */
  version: number
}

type Details = NonNullable<MessageInitShape<typeof ResponseSchema>['details']>

interface Answer {
  readonly isFine: boolean
  readonly details: Details
}

/** Answers a request, or forwards it to those who answer it themselves. */
export function request(desk: Desk, peer: Peer, packet: Packet, { type }: Request): void {
  const answer = answerTo(desk, peer, packet, type)
  if (answer === null) return
  const { isFine, details } = answer
  const response = { type: isFine ? ResponseType.Success : ResponseType.Fail, respondingToPacketId: packet.id, details }
  peer.deliver(packetOf({ case: 'response', value: response }))
}

/** Forwards a command; without the permission it is dropped without a word. */
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
  if (type.case === undefined || !('tournamentId' in type.value)) return fine(false, { case: undefined })
  const room = desk.world.rooms.get(type.value.tournamentId)
  if (room === undefined) {
    const value = { message: 'The tournament does not exist' }
    return fine(false, type.case === 'join' ? { case: 'join', value } : { case: 'updateTournament', value })
  }
  const needed = neededFor[type.case]
  if (needed !== undefined && !desk.world.may(peer.identity, needed, room)) {
    const currentPermissions = [...desk.world.permissions.of(peer.identity)].join(', ')
    return fine(false, { case: 'permissionError', value: { requiredPermission: needed, currentPermissions } })
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

const fine = (isFine: boolean, details: Details): Answer => ({ isFine, details })

function connect({ world, version }: Desk, peer: Peer, clientVersion: number): Answer {
  if (clientVersion !== version) {
    const message = `Version mismatch, this server is on version ${version}`
    return fine(false, { case: 'connect', value: { serverVersion: version, message } })
  }
  const state = world.stateFor(peer.identity, null)
  return fine(true, { case: 'connect', value: { serverVersion: version, state, message: 'Connected' } })
}

function join({ world }: Desk, peer: Peer, room: Room, password: string): Answer {
  const { guid: tournamentId, settings } = room.tournament
  if (room.password !== '' && room.password !== password) {
    const message = `Incorrect password for ${settings?.tournamentName}`
    return fine(false, { case: 'join', value: { tournamentId, message } })
  }
  world.enter(peer, room)
  const state = world.stateFor(peer.identity, tournamentId)
  return fine(true, { case: 'join', value: { tournamentId, selfGuid: peer.user.guid, state, message: 'Joined' } })
}

/** A game tells how it is; a coordinator tells the place and the delay of a player's stream. */
function updateUser({ world }: Desk, room: Room, given: User | undefined): Answer {
  const peer = world.peers.get(given?.guid ?? '')
  if (given === undefined || peer === undefined || peer.joined !== room.tournament.guid) {
    return fine(false, { case: 'updateUser', value: { message: 'The user does not exist' } })
  }
  const { playState, downloadState, modList, streamDelayMs, streamSyncStartMs, streamScreenCoordinates, teamId } = given
  Object.assign(peer.user, { playState, downloadState, modList, streamDelayMs, streamSyncStartMs, teamId })
  if (streamScreenCoordinates !== undefined) peer.user.streamScreenCoordinates = streamScreenCoordinates
  world.userChanged(peer)
  return fine(true, { case: 'updateUser', value: { user: peer.user } })
}

function ofMatch({ world }: Desk, { tournament }: Room, type: Request['type']): Answer | null {
  if (type.case === 'createMatch') {
    const { associatedUsers = [], leader = '' } = type.value.match ?? {}
    return fine(true, { case: 'createMatch', value: { match: world.createMatch(tournament, associatedUsers, leader) } })
  }
  if (type.case === 'deleteMatch') {
    // Success for one that is not there, too.
    const match = matchIn(tournament, type.value.matchId)
    if (match !== undefined) world.deleteMatch(tournament, match)
    return fine(true, { case: 'deleteMatch', value: match === undefined ? {} : { match } })
  }
  const change = changeOfMatch(type)
  if (change === null) return null
  const match = matchIn(tournament, change.match)
  if (match === undefined) return fine(false, { case: 'updateMatch', value: { message: 'The match does not exist' } })
  if (change.without === undefined) world.changeMatch(tournament, match, change.act)
  else world.removeFromMatch(tournament, match, change.without)
  return fine(true, { case: 'updateMatch', value: { match } })
}

interface ChangeOfMatch {
  readonly match: string
  readonly act: (match: Match) => void
  /** GUID of a user who goes. */
  readonly without?: string
}

function changeOfMatch(type: Request['type']): ChangeOfMatch | null {
  switch (type.case) {
    case 'addUserToMatch': {
      // Also where they are there already: the server adds doubles.
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

function ofQualifier(desk: Desk, peer: Peer, room: Room, type: Request['type']): Answer | null {
  const { world, boards } = desk
  const { tournament } = room
  const eventIn = (guid: string) => tournament.qualifiers.find((event) => event.guid === guid)
  const missing = fine(false, { case: 'updateQualifierEvent', value: { message: 'The qualifier does not exist' } })
  switch (type.case) {
    case 'qualifierScores': {
      const event = eventIn(type.value.eventId)
      if (event === undefined) return missing
      const isShown = !areHidden(event) || world.may(peer.identity, seeHiddenScores, room)
      const scores = isShown ? boards.board(event, type.value.mapId) : []
      return fine(true, { case: 'leaderboardEntries', value: { scores } })
    }
    case 'submitQualifierScore': {
      const { qualifierScore: entry, map } = type.value
      const event = eventIn(entry?.eventId ?? '')
      if (event === undefined || entry === undefined) return missing
      submit(desk, tournament, event, entry, map)
      return fine(true, { case: 'leaderboardEntries', value: { scores: boards.board(event, entry.mapId) } })
    }
    case 'remainingAttempts': {
      const { eventId, mapId } = type.value
      const allowed = eventIn(eventId)?.qualifierMaps.find(({ guid }) => guid === mapId)?.gameplayParameters?.attempts
      const made = boards.rows(eventId, mapId).filter(({ platformId }) => platformId === peer.identity.platformId)
      return fine(true, { case: 'remainingAttempts', value: { remainingAttempts: (allowed ?? 0) - made.length } })
    }
    case 'refundAttempts': {
      const { eventId, mapId, platformId, count } = type.value
      const event = eventIn(eventId)
      if (event === undefined) return fine(false, { case: 'refundAttempts', value: { message: 'No such qualifier' } })
      boards.refund(event, mapId, platformId, count)
      return fine(true, { case: 'refundAttempts', value: {} })
    }
    case 'addQualifierMaps':
    case 'updateQualifierMap':
    case 'removeQualifierMap': {
      const event = eventIn(type.value.qualifierId)
      if (event === undefined) return missing
      changeMaps(event, 'qualifierMaps', type)
      world.tellQualifier(tournament, event)
      return fine(true, { case: 'updateQualifierEvent', value: { qualifier: event } })
    }
    default:
      return null
  }
}

/** Everybody is told of a row. */
export function submit(
  { world, boards }: Desk,
  { guid: tournamentId }: Tournament,
  event: QualifierEvent,
  qualifierScore: Parameters<Boards['submit']>[0],
  given?: NonNullable<QualifierEvent['qualifierMaps'][number]['gameplayParameters']>,
): void {
  boards.submit(qualifierScore)
  const known = event.qualifierMaps.find(({ guid }) => guid === qualifierScore.mapId)?.gameplayParameters
  const map = given ?? known
  const value = { tournamentId, event, qualifierScore, ...(map === undefined ? {} : { map }) }
  world.tell(tournamentId, { case: 'push', value: { data: { case: 'qualifierScoreSubmtited', value } } })
}

function ofPool({ world }: Desk, peer: Peer, { tournament }: Room, type: Request['type']): Answer {
  const nothing = fine(false, { case: undefined })
  const { settings } = tournament
  if (settings === undefined) return nothing
  const done = () => {
    world.tellTournament(tournament)
    return fine(true, { case: 'updateTournament', value: { tournament: world.shown(peer.identity, tournament) } })
  }
  if (type.case === 'addTournamentPool') {
    const { name = '', image = '', maps = [] } = type.value.pool ?? {}
    settings.pools.push(create(PoolSchema, { guid: randomUUID(), name, image, maps: maps.map(adopted) }))
    return done()
  }
  if (type.case === undefined || !('poolId' in type.value)) return nothing
  const { poolId } = type.value
  const pool = settings.pools.find(({ guid }) => guid === poolId)
  if (pool === undefined) return fine(false, { case: 'updateTournament', value: { message: 'No such pool' } })
  switch (type.case) {
    case 'setTournamentPoolName':
      pool.name = type.value.poolName
      return done()
    case 'removeTournamentPool':
      settings.pools = settings.pools.filter((other) => other !== pool)
      return done()
    case 'addTournamentPoolMaps':
    case 'updateTournamentPoolMap':
    case 'removeTournamentPoolMap':
      changeMaps(pool, 'maps', type)
      return done()
    default:
      return nothing
  }
}

type MapsChange = Extract<
  Request['type'],
  {
    case:
      | 'addQualifierMaps'
      | 'updateQualifierMap'
      | 'removeQualifierMap'
      | 'addTournamentPoolMaps'
      | 'updateTournamentPoolMap'
      | 'removeTournamentPoolMap'
  }
>

function changeMaps<Member extends string>(
  list: Record<Member, QualifierEvent['qualifierMaps']>,
  member: Member,
  { value }: MapsChange,
): void {
  if ('maps' in value) list[member].push(...value.maps.map(adopted))
  else if ('mapId' in value) list[member] = list[member].filter(({ guid }) => guid !== value.mapId)
  else {
    const { map } = value
    if (map !== undefined) list[member] = list[member].map((old) => (old.guid === map.guid ? map : old))
  }
}

function matchIn({ matches }: Tournament, guid: string): Match | undefined {
  return matches.find((match) => match.guid === guid)
}
