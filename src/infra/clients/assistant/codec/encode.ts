import { randomUUID } from 'node:crypto'
import { create, type MessageInitShape, toBinary, type UnknownEnum } from '@bufbuild/protobuf'
import { Command_ModifyGameplay_Modifier, type CommandSchema } from '../generated/commands_pb.ts'
import {
  GameplayModifiers_GameOptions,
  type GameplayParametersSchema,
  type MapSchema,
  PlayerSpecificSettings_PlayerOptions,
} from '../generated/models_pb.ts'
import { PacketSchema } from '../generated/packets_pb.ts'
import type { RequestSchema } from '../generated/requests_pb.ts'
import { type Ask, difficulties, type Order, type Parameters } from '../messages.ts'
import { levelOf } from './levels.ts'

/** The members of every packet. (AS32) */
export interface Heading {
  readonly token: string
  /** The id of this packet, which its answer repeats. */
  readonly id: string
  /** Our own GUID from the answer to `join`; empty before. */
  readonly from: string
  /** GUID of the assistant's tournament. */
  readonly tournament: string
}

type PacketInit = NonNullable<MessageInitShape<typeof PacketSchema>['packet']>
type RequestInit = NonNullable<MessageInitShape<typeof RequestSchema>['type']>
type CommandInit = NonNullable<MessageInitShape<typeof CommandSchema>['type']>

/** Encodes one packet as one binary message. (AS32) */
export function encode(message: Ask | Order, { token, id, from, tournament }: Heading): Uint8Array {
  return toBinary(PacketSchema, create(PacketSchema, { token, id, from, packet: packetOf(message, tournament) }))
}

function packetOf(message: Ask | Order, tournamentId: string): PacketInit {
  switch (message.type) {
    case 'heartbeat':
      return { case: 'heartbeat', value: true }
    case 'playSong':
    case 'returnToMenu':
    case 'delayTestFinish':
    case 'modify':
    case 'showColor':
      return {
        case: 'command',
        value: { tournamentId, forwardTo: [...message.to], type: commandOf(message) },
      }
    default:
      return { case: 'request', value: { type: requestOf(message, tournamentId) } }
  }
}

function commandOf(order: Exclude<Order, { type: 'heartbeat' }>): CommandInit {
  switch (order.type) {
    case 'playSong':
      return { case: 'playSong', value: { gameplayParameters: { ...parametersOf(order.map), useSync: order.useSync } } }
    case 'returnToMenu':
      return { case: 'returnToMenu', value: true }
    case 'delayTestFinish':
      return { case: 'delayTestFinish', value: true }
    case 'modify':
      return { case: 'modifyGameplay', value: { modifier: Command_ModifyGameplay_Modifier[order.modifier] } }
    case 'showColor':
      return { case: 'showColorForStreamSync', value: { color: order.color } }
  }
}

function requestOf(ask: Ask, tournamentId: string): RequestInit {
  switch (ask.type) {
    case 'connect':
      return { case: 'connect', value: { clientVersion: ask.clientVersion, uiVersion: ask.clientVersion } }
    case 'join':
      return { case: 'join', value: { tournamentId, password: ask.password } }
    case 'createMatch':
      return {
        case: 'createMatch',
        value: { tournamentId, match: { associatedUsers: [...ask.users], leader: ask.leader } },
      }
    case 'addUser':
      return { case: 'addUserToMatch', value: { tournamentId, matchId: ask.match, userId: ask.user } }
    case 'removeUser':
      return { case: 'removeUserFromMatch', value: { tournamentId, matchId: ask.match, userId: ask.user } }
    case 'setLeader':
      return { case: 'setMatchLeader', value: { tournamentId, matchId: ask.match, userId: ask.user } }
    case 'setMap':
      return { case: 'setMatchMap', value: { tournamentId, matchId: ask.match, map: newMap(ask.map) } }
    case 'deleteMatch':
      return { case: 'deleteMatch', value: { tournamentId, matchId: ask.match } }
    case 'loadSong':
      return { case: 'loadSong', value: { tournamentId, levelId: levelOf(ask.hash), forwardTo: [...ask.to] } }
    case 'showPrompt':
      return {
        case: 'showPrompt',
        value: {
          tournamentId,
          promptId: ask.promptId,
          messageTitle: ask.title,
          messageText: ask.text,
          timeout: ask.seconds,
          showTimer: true,
          options: ask.options.map(({ label, value }) => ({ label, value })),
          forwardTo: [...ask.to],
        },
      }
    case 'qualifierScores':
      return { case: 'qualifierScores', value: { tournamentId, eventId: ask.event, mapId: ask.map } }
    case 'refundAttempts':
      return {
        case: 'refundAttempts',
        value: { tournamentId, eventId: ask.event, mapId: ask.map, platformId: ask.platformId, count: ask.count },
      }
    case 'addPool':
      return { case: 'addTournamentPool', value: { tournamentId, pool: { guid: randomUUID(), name: ask.name } } }
    case 'setPoolName':
      return { case: 'setTournamentPoolName', value: { tournamentId, poolId: ask.pool, poolName: ask.name } }
    case 'addPoolMaps':
      return { case: 'addTournamentPoolMaps', value: { tournamentId, poolId: ask.pool, maps: ask.maps.map(newMap) } }
    case 'updatePoolMap':
      return {
        case: 'updateTournamentPoolMap',
        value: { tournamentId, poolId: ask.pool, map: mapOf(ask.mapGuid, ask.map) },
      }
    case 'removePoolMap':
      return { case: 'removeTournamentPoolMap', value: { tournamentId, poolId: ask.pool, mapId: ask.mapGuid } }
    case 'addQualifierMaps':
      return {
        case: 'addQualifierMaps',
        value: { tournamentId, qualifierId: ask.event, maps: ask.maps.map(newMap) },
      }
    case 'updateQualifierMap':
      return {
        case: 'updateQualifierMap',
        value: { tournamentId, qualifierId: ask.event, map: mapOf(ask.mapGuid, ask.map) },
      }
    case 'removeQualifierMap':
      return { case: 'removeQualifierMap', value: { tournamentId, qualifierId: ask.event, mapId: ask.mapGuid } }
  }
}

/** The sender chooses the GUID of a new map. */
function newMap(map: Parameters): MessageInitShape<typeof MapSchema> {
  return mapOf(randomUUID(), map)
}

function mapOf(guid: string, map: Parameters): MessageInitShape<typeof MapSchema> {
  return { guid, gameplayParameters: parametersOf(map) }
}

function parametersOf(map: Parameters): MessageInitShape<typeof GameplayParametersSchema> {
  return {
    beatmap: {
      name: map.name,
      levelId: levelOf(map.hash),
      characteristic: { serializedName: map.characteristic },
      difficulty: difficulties.indexOf(map.difficulty),
    },
    playerSettings: { options: flags(PlayerSpecificSettings_PlayerOptions, map.playerOptions) },
    gameplayModifiers: { options: flags(GameplayModifiers_GameOptions, map.modifiers) },
    attempts: map.attempts,
    showScoreboard: map.showScoreboard,
    disablePause: map.disablePause,
    disableFail: map.disableFail,
    disableScoresaberSubmission: map.disableScoreSubmission,
    disableCustomNotesOnStream: map.disableCustomNotesOnStream,
    target: map.target,
  }
}

/**
 * The options as one number with a bit for each, which is no value of the generated enum.
 * @throws RangeError for an unknown name: leaving it out would start another game than requested
 */
function flags(bits: Readonly<Record<string, number>>, names: readonly string[]): UnknownEnum {
  return names.reduce((sum, name) => {
    const bit = Object.hasOwn(bits, name) ? bits[name] : undefined
    if (bit === undefined) throw new RangeError('an option is not one of the assistant’s')
    return sum | bit
  }, 0) as UnknownEnum
}
