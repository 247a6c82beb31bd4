import * as wire from '../generated/models_pb.ts'
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
  ListedMap,
  Parameters,
  PlayState,
} from '../messages.ts'
import { hashOf } from './levels.ts'
import { difficultyOf, finite, known, text, texts } from './values.ts'

/** The records of the assistant, converted to our types. */

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
  return { guid: text(guid), name: text(name), maps: listedMaps(qualifierMaps) }
}

function poolOf({ guid, name, maps }: wire.Tournament_TournamentSettings_Pool): AssistantPool {
  return { guid: text(guid), name: text(name), maps: listedMaps(maps) }
}

function listedMaps(maps: readonly wire.Map[]): readonly ListedMap[] {
  return maps.flatMap(({ guid, gameplayParameters: given }) => {
    if (given === undefined) return []
    const map = mapOf(guid, given)
    return [{ ...map, parameters: parametersOf(map, given) }]
  })
}

function parametersOf(
  { hash, difficulty, characteristic, name }: AssistantMap,
  { playerSettings, gameplayModifiers, ...given }: wire.GameplayParameters,
): Parameters | null {
  if (hash === null || difficulty === null) return null
  return {
    hash,
    difficulty,
    characteristic,
    name,
    modifiers: namesOf(wire.GameplayModifiers_GameOptions, gameplayModifiers?.options ?? 0),
    playerOptions: namesOf(wire.PlayerSpecificSettings_PlayerOptions, playerSettings?.options ?? 0),
    disablePause: given.disablePause,
    disableFail: given.disableFail,
    disableScoreSubmission: given.disableScoresaberSubmission,
    showScoreboard: given.showScoreboard,
    disableCustomNotesOnStream: given.disableCustomNotesOnStream,
    target: given.target,
    attempts: given.attempts,
  }
}

/** The names of the set bits; unknown bits are left out. */
function namesOf(bits: Readonly<Record<string, string | number>>, options: number): string[] {
  return Object.entries(bits).flatMap(([name, bit]) => (typeof bit === 'number' && (options & bit) !== 0 ? [name] : []))
}

/** Null where the map has no parameters, because it was removed. */
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

/** Uses the score with modifiers, as finished songs do. */
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
