import type * as wire from '../generated/models_pb.ts'
import type {
  AssistantMap,
  AssistantMatch,
  AssistantPool,
  AssistantQualifier,
  AssistantTournament,
  AssistantUser,
  BoardEntry,
  ClientType,
  DownloadState,
  PlayState,
} from '../messages.ts'
import { hashOf } from './levels.ts'
import { difficultyOf, finite, known, text, texts } from './values.ts'

/** What the assistant holds, in our words. */

const clientTypes: readonly ClientType[] = ['player', 'socket', 'rest']
const playStates: readonly PlayState[] = ['menu', 'waiting', 'game']
const downloadStates: readonly DownloadState[] = ['none', 'downloading', 'downloaded', 'error']

export function tournamentOf({ guid, settings, users, matches, qualifiers }: wire.Tournament): AssistantTournament {
  return {
    guid: text(guid),
    name: text(settings?.tournamentName ?? ''),
    users: users.map(userOf),
    matches: matches.map(matchOf),
    qualifiers: qualifiers.map(qualifierOf),
    pools: settings?.pools.map(poolOf) ?? [],
    permissions: texts(settings?.myPermissions ?? []),
  }
}

export function userOf(user: wire.User): AssistantUser {
  return {
    guid: text(user.guid),
    name: text(user.name),
    platformId: text(user.platformId),
    clientType: known(clientTypes, user.clientType),
    playState: known(playStates, user.playState),
    downloadState: known(downloadStates, user.downloadState),
    mods: texts(user.modList),
    streamDelayMs: Number(user.streamDelayMs),
  }
}

export function matchOf({ guid, associatedUsers, leader, selectedMap }: wire.Match): AssistantMatch {
  return { guid: text(guid), users: texts(associatedUsers), leader: text(leader), map: heldMap(selectedMap) }
}

export function qualifierOf({ guid, name, qualifierMaps }: wire.QualifierEvent): AssistantQualifier {
  return { guid: text(guid), name: text(name), maps: heldMaps(qualifierMaps) }
}

function poolOf({ guid, name, maps }: wire.Tournament_TournamentSettings_Pool): AssistantPool {
  return { guid: text(guid), name: text(name), maps: heldMaps(maps) }
}

function heldMaps(maps: readonly wire.Map[]): readonly AssistantMap[] {
  return maps.flatMap((map) => heldMap(map) ?? [])
}

/** null where it does not say what is played: a map that was taken away again. */
function heldMap(map: wire.Map | undefined): AssistantMap | null {
  return map?.gameplayParameters === undefined ? null : mapOf(map.guid, map.gameplayParameters)
}

export function mapOf(guid: string, { beatmap }: wire.GameplayParameters): AssistantMap {
  const levelId = beatmap?.levelId ?? ''
  return {
    guid: text(guid),
    hash: hashOf(levelId),
    levelId: text(levelId),
    characteristic: text(beatmap?.characteristic?.serializedName ?? ''),
    difficulty: beatmap === undefined ? null : difficultyOf(beatmap.difficulty),
    name: text(beatmap?.name ?? ''),
  }
}

/** Of its two scores, the one that modifiers are counted in, as in songs that were finished. */
export function entryOf(entry: wire.LeaderboardEntry): BoardEntry {
  return {
    eventGuid: text(entry.eventId),
    mapGuid: text(entry.mapId),
    platformId: text(entry.platformId),
    name: text(entry.username),
    score: entry.modifiedScore,
    maxScore: entry.maxPossibleScore,
    accuracy: finite(entry.accuracy),
    misses: entry.notesMissed,
    badCuts: entry.badCuts,
    goodCuts: entry.goodCuts,
    maxCombo: entry.maxCombo,
    fullCombo: entry.fullCombo,
    isPlaceholder: entry.isPlaceholder,
  }
}
