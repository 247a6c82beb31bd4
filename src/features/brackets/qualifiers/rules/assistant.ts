import { createHash } from 'node:crypto'
import { accuracyLimit } from '../../../../engine/score-limits.ts'
import type { AssistantMap, BoardEntry } from '../../../../infra/clients/assistant/messages.ts'
import type { QualifierMap } from '../types.ts'
import { identityOf } from './maps.ts'
import type { GivenAttempt } from './recording.ts'

/** Results that an assistant reports: boards on request, attempts when they are made. */

/** The best results of players on one map of one event. (AS22) */
export interface AssistantBoard {
  /** The assistant's GUIDs of the event and of the map. */
  readonly event: string
  readonly map: AssistantMap
  readonly entries: readonly BoardEntry[]
}

/** The maximum of rows in all boards together: twenty times those of a large qualifier. */
export const maxAssistantRows = 200_000

/** Finds the qualifier's map with the same level, characteristic and difficulty. (AS22) */
export function tiedMap(map: AssistantMap, maps: readonly QualifierMap[]): QualifierMap | undefined {
  const { hash, characteristic, difficulty } = map
  if (hash === null || difficulty === null) return undefined
  const wanted = identityOf({ hash, characteristic, difficulty })
  return maps.find((own) => identityOf(own) === wanted)
}

/** The label that shows staff a map which may not be in the qualifier; the same for the same map of each event. */
export function labelOf({ hash, levelId, characteristic, difficulty }: AssistantMap): string {
  return [hash ?? levelId, characteristic, difficulty].join('/').slice(0, 200)
}

export const boardKey = ({ event, map }: Pick<AssistantBoard, 'event' | 'map'>): string => `${event}:${map.guid}`

/** The members that tell results of a player on a map apart, whichever way they came. (AS22) */
export interface SamePlay {
  readonly userGuid: string
  readonly mapGuid: string
  readonly score: number
  readonly misses: number
  readonly badCuts: number
  readonly maxCombo: number
}

export function playKey({ userGuid, mapGuid, ...play }: SamePlay): string {
  return [userGuid, mapGuid, play.score, play.misses, play.badCuts, play.maxCombo].join(':')
}

/** Counts are never below 0, whatever the game reports. */
export function countsOf(entry: BoardEntry): Pick<SamePlay, 'score' | 'misses' | 'badCuts' | 'maxCombo'> {
  const { score, misses, badCuts, maxCombo } = entry
  const least = (count: number) => Math.max(0, count)
  return { score: least(score), misses: least(misses), badCuts: least(badCuts), maxCombo: least(maxCombo) }
}

/** The key of a player's results on a map of an event: `{event}:{map}:{platformId}`. (AS22) */
export function placeOf({ event, map }: { readonly event: string; readonly map: string }, platformId: string): string {
  return `${event}:${map}:${platformId}`
}

/** The external id of a result, which is the same whenever and by whichever way it comes. (AS22) */
export function resultId(place: string, entry: BoardEntry): string {
  const { score, misses, badCuts, maxCombo } = countsOf(entry)
  const digest = createHash('sha256').update([score, misses, badCuts, maxCombo].join(':')).digest('hex').slice(0, 16)
  return `${place}:${digest}`
}

/** The external id of a placeholder. Placeholders have no result to tell them apart, so they are numbered. (AS24) */
export function placeholderId(place: string, count: number): string {
  return `${place}:${count}`
}

/** The assistant's event, map and player in an external id; null if the attempt came in another way. */
export function reportedPlaceOf(externalId: string | null): {
  readonly event: string
  readonly map: string
  readonly platformId: string
} | null {
  const parts = externalId?.split(':') ?? []
  const [event = '', map = '', platformId = ''] = parts
  if (parts.length !== 4 || event === '' || map === '' || platformId === '') return null
  return { event, map, platformId }
}

/** Converts a row to an attempt. The accuracy is null if the game does not report it. */
export function attemptOf(
  entry: BoardEntry,
  facts: Pick<GivenAttempt, 'userGuid' | 'mapGuid' | 'externalId' | 'playedAt'>,
): GivenAttempt {
  const { accuracy, fullCombo, isPlaceholder } = entry
  const counts = countsOf(entry)
  const isShare = accuracy > 0 && accuracy <= accuracyLimit('any')
  if (isPlaceholder) {
    const nothing = { accuracy: null, misses: null, badCuts: null, maxCombo: null, fullCombo: null }
    return { ...facts, ...nothing, score: null, completion: 'placeholder', source: 'assistant' }
  }
  return {
    ...facts,
    ...counts,
    accuracy: isShare ? accuracy : null,
    fullCombo,
    completion: 'passed',
    source: 'assistant',
  }
}

/**
 * Finds a board that had rows and is now empty. An empty board is no proof that its results were taken back, since a
 * missing right to see hidden scores looks the same. (AS23)
 * @param had keys of the boards that have counting attempts now
 * @param hadUnmatched labels of maps whose rows matched no player or map here
 */
export function lostBoard(
  boards: readonly AssistantBoard[],
  had: ReadonlySet<string>,
  hadUnmatched: ReadonlySet<string>,
): AssistantBoard | undefined {
  const filled = new Set(boards.flatMap(({ map, entries }) => (entries.length > 0 ? [labelOf(map)] : [])))
  return boards.find(
    (board) =>
      board.entries.length === 0 &&
      (had.has(boardKey(board)) || (hadUnmatched.has(labelOf(board.map)) && !filled.has(labelOf(board.map)))),
  )
}
