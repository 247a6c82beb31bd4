import { createHash } from 'node:crypto'
import { accuracyLimit } from '../../../../engine/score-limits.ts'
import type { AssistantMap, BoardEntry } from '../../../../infra/clients/assistant/messages.ts'
import type { QualifierMap } from '../types.ts'
import { identityOf } from './maps.ts'
import type { GivenAttempt } from './recording.ts'

/** Results as an assistant tells them: boards when they are asked for, attempts as they are made. */

/** What players did best on one map of one event. (AS22) */
export interface AssistantBoard {
  /** GUID at the assistant, as that of the map. */
  readonly event: string
  readonly map: AssistantMap
  readonly entries: readonly BoardEntry[]
}

/** All boards together may hold so many rows: twenty times what a great qualifier has. */
export const maxAssistantRows = 200_000

/** Maps are tied by level, characteristic and difficulty. (AS22) */
export function tiedMap(map: AssistantMap, maps: readonly QualifierMap[]): QualifierMap | undefined {
  const { hash, characteristic, difficulty } = map
  if (hash === null || difficulty === null) return undefined
  const wanted = identityOf({ hash, characteristic, difficulty })
  return maps.find((own) => identityOf(own) === wanted)
}

/** How staff are told of a map that may be none of the qualifier's; the same for the same map of each event. */
export function labelOf({ hash, levelId, characteristic, difficulty }: AssistantMap): string {
  return [hash ?? levelId, characteristic, difficulty].join('/').slice(0, 200)
}

export const boardKey = ({ event, map }: Pick<AssistantBoard, 'event' | 'map'>): string => `${event}:${map.guid}`

/** What tells results of a player on a map from each other, whichever way they came. (AS22) */
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

/** What is counted is never below 0, whatever a game says. */
export function countsOf(entry: BoardEntry): Pick<SamePlay, 'score' | 'misses' | 'badCuts' | 'maxCombo'> {
  const { score, misses, badCuts, maxCombo } = entry
  const least = (count: number) => Math.max(0, count)
  return { score: least(score), misses: least(misses), badCuts: least(badCuts), maxCombo: least(maxCombo) }
}

/** Under which what a player does on a map of an event is known: `{event}:{map}:{platformId}`. (AS22) */
export function placeOf({ event, map }: { readonly event: string; readonly map: string }, platformId: string): string {
  return `${event}:${map}:${platformId}`
}

/** The same result has the same id, whenever and by whichever way it comes. (AS22) */
export function resultId(place: string, entry: BoardEntry): string {
  const { score, misses, badCuts, maxCombo } = countsOf(entry)
  const digest = createHash('sha256').update([score, misses, badCuts, maxCombo].join(':')).digest('hex').slice(0, 16)
  return `${place}:${digest}`
}

/** Attempts that were announced are counted, since they look all alike. (AS24) */
export function placeholderId(place: string, count: number): string {
  return `${place}:${count}`
}

/** The assistant's names of what was played, by the id that it is known under; null for what came in another way. */
export function toldPlaceOf(externalId: string | null): {
  readonly event: string
  readonly map: string
  readonly platformId: string
} | null {
  const parts = externalId?.split(':') ?? []
  const [event = '', map = '', platformId = ''] = parts
  if (parts.length !== 4 || event === '' || map === '' || platformId === '') return null
  return { event, map, platformId }
}

/** A row as an attempt; without a share of the highest score where the game does not say it. */
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
 * A board that had rows has not lost all of them because somebody took them back: that is also what a missing right to see hidden
 * scores looks like. (AS23)
 * @param had keys of the boards from which something counts now
 * @param hadUnmatched labels of maps whose rows were nobody's result here
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
