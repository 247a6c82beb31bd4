import { fromBinary } from '@bufbuild/protobuf'
import type { Event } from '../generated/events_pb.ts'
import type { RealtimeScore, ScoreTrackerHand } from '../generated/models_pb.ts'
import { type Packet, PacketSchema } from '../generated/packets_pb.ts'
import type { Push, Push_SongFinished } from '../generated/pushes_pb.ts'
import type { Completion, Finished, LiveHand, Scored, Told } from '../messages.ts'
import { answerOf } from './answers.ts'
import { hashOf } from './levels.ts'
import { entryOf, mapOf, matchOf, userOf } from './models.ts'
import { difficultyOf, finite, known, nonEmpty, text, texts } from './values.ts'

/** The bytes are no packet of an assistant. The message quotes none of them. */
export class MalformedPacket extends Error {
  override readonly name = 'MalformedPacket'
}

const mebibyte = 1024 * 1024

export interface Expectation {
  /** GUID of the assistant's tournament; users and matches of other tournaments are ignored. */
  readonly tournament: string
  /** False until the answer to `join`, which contains the state of the whole server and may be large. */
  readonly hasJoined: boolean
}

/**
 * Reads a packet of up to 1 MiB, or up to 16 MiB before we have joined. Additions of newer servers (fields, packets,
 * enum values) are ignored. (assistant: Failures)
 * @throws MalformedPacket
 */
export function decode(bytes: Uint8Array, { tournament, hasJoined }: Expectation): Told {
  if (bytes.length > (hasJoined ? 1 : 16) * mebibyte) throw new MalformedPacket('too large')
  return toldOf(read(bytes), tournament)
}

function read(bytes: Uint8Array): Packet {
  try {
    return fromBinary(PacketSchema, bytes, { readUnknownFields: false })
  } catch {
    // The parser throws many kinds of errors for wrong bytes.
    throw new MalformedPacket('not protobuf')
  }
}

function toldOf({ from, packet }: Packet, tournament: string): Told {
  switch (packet.case) {
    case 'response':
      return answerOf(packet.value, { from: text(from), tournament })
    case 'event':
      return changeOf(packet.value, tournament)
    case 'push':
      return pushOf(packet.value, tournament)
    case 'command':
      return { type: packet.value.type.case === 'discordAuthorize' ? 'unauthorised' : 'other' }
    default:
      return { type: 'other' }
  }
}

const userChanges = { userAdded: 'added', userUpdated: 'updated', userLeft: 'left' } as const
const matchChanges = { matchCreated: 'created', matchUpdated: 'updated', matchDeleted: 'deleted' } as const

function changeOf({ changedObject: { case: name, value } }: Event, tournament: string): Told {
  switch (name) {
    case 'userAdded':
    case 'userUpdated':
    case 'userLeft':
      if (value.tournamentId !== tournament || value.user === undefined) return { type: 'other' }
      return { type: 'user', change: userChanges[name], user: userOf(value.user) }
    case 'matchCreated':
    case 'matchUpdated':
    case 'matchDeleted':
      if (value.tournamentId !== tournament || value.match === undefined) return { type: 'other' }
      return { type: 'match', change: matchChanges[name], match: matchOf(value.match) }
    default:
      return { type: 'other' }
  }
}

export function pushOf({ data }: Push, tournament: string): Told {
  switch (data.case) {
    case 'realtimeScore':
      return scoredOf(data.value)
    case 'songFinished':
      return finishedOf(data.value) ?? { type: 'other' }
    case 'qualifierScoreSubmtited': {
      const { tournamentId, event, map, qualifierScore } = data.value
      if (tournamentId !== tournament || qualifierScore === undefined) return { type: 'other' }
      const entry = entryOf(qualifierScore)
      const played = map ?? event?.qualifierMaps.find(({ guid }) => guid === qualifierScore.mapId)?.gameplayParameters
      return {
        type: 'attempt',
        tournament: text(tournamentId),
        event: entry.eventGuid === '' ? text(event?.guid ?? '') : entry.eventGuid,
        map: played === undefined ? null : mapOf(entry.mapGuid, played),
        entry,
      }
    }
    default:
      return { type: 'other' }
  }
}

function scoredOf(score: RealtimeScore): Scored {
  return {
    type: 'score',
    user: text(score.userGuid),
    score: score.score,
    modifiedScore: score.scoreWithModifiers,
    maxScore: score.maxScore,
    accuracy: finite(score.accuracy),
    combo: score.combo,
    maxCombo: score.maxCombo,
    misses: score.notesMissed,
    badCuts: score.badCuts,
    bombHits: score.bombHits,
    wallHits: score.wallHits,
    health: finite(score.playerHealth),
    songTime: finite(score.songPosition),
    left: handOf(score.leftHand),
    right: handOf(score.rightHand),
  }
}

function handOf(hand: ScoreTrackerHand | undefined): LiveHand | null {
  if (hand === undefined) return null
  const [before, accuracy, after] = hand.avgCut
  const isWhole = hand.avgCut.length === 3 && hand.avgCut.every(Number.isFinite)
  return {
    hits: hand.hit,
    misses: hand.miss,
    badCuts: hand.badCut,
    cut: isWhole ? [before ?? 0, accuracy ?? 0, after ?? 0] : null,
  }
}

const completions: readonly Completion[] = ['passed', 'failed', 'quit']

/** Null for an unknown kind of end. */
function finishedOf(push: Push_SongFinished): Finished | null {
  const completion = known(completions, push.type)
  if (completion === null) return null
  return {
    type: 'finished',
    player: {
      guid: text(push.player?.guid ?? ''),
      platformId: text(push.player?.platformId ?? ''),
      name: text(push.player?.name ?? ''),
      mods: texts(push.player?.modList ?? []),
    },
    levelId: text(push.beatmap?.levelId ?? ''),
    hash: hashOf(push.beatmap?.levelId ?? ''),
    characteristic: text(push.beatmap?.characteristic?.serializedName ?? ''),
    difficulty: push.beatmap === undefined ? null : difficultyOf(push.beatmap.difficulty),
    completion,
    score: push.score,
    // Clients that do not know the value leave it out, which is 0 on the wire.
    maxScore: push.maxScore === 0 ? null : push.maxScore,
    accuracy: finite(push.accuracy) === 0 ? null : push.accuracy,
    misses: push.misses,
    badCuts: push.badCuts,
    goodCuts: push.goodCuts,
    endTime: finite(push.endTime),
    tournament: nonEmpty(push.tournamentId),
    match: nonEmpty(push.matchId),
  }
}
