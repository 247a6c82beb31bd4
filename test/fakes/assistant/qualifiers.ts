import { create } from '@bufbuild/protobuf'
import {
  type LeaderboardEntry,
  LeaderboardEntrySchema,
  type QualifierEvent,
  QualifierEvent_EventSettings as Settings,
  QualifierEvent_LeaderboardSort as Sort,
} from '../../../src/infra/clients/assistant/generated/models_pb.ts'

/** The boards of qualifiers: all submitted rows; a board shows the best row of each player. */

export interface FakeScore {
  readonly platformId: string
  readonly username?: string
  readonly score: number
  readonly maxScore?: number
  readonly misses?: number
  readonly badCuts?: number
  readonly goodCuts?: number
  readonly maxCombo?: number
  readonly fullCombo?: boolean
  /** The server writes a placeholder when a limited map is started. */
  readonly isPlaceholder?: boolean
}

export class Boards {
  #rows: LeaderboardEntry[] = []

  /** A real score replaces the player's oldest placeholder on that map. */
  submit(entry: LeaderboardEntry): void {
    if (!entry.isPlaceholder) {
      const placeholder = this.#rows.find((row) => row.isPlaceholder && isSamePlace(row, entry))
      this.#rows = this.#rows.filter((row) => row !== placeholder)
    }
    this.#rows.push(entry)
  }

  /** All rows, including placeholders. */
  rows(event: string, map: string): readonly LeaderboardEntry[] {
    return this.#rows.filter((row) => row.eventId === event && row.mapId === map)
  }

  board(event: QualifierEvent, map: string): LeaderboardEntry[] {
    const better = comparison(event, map)
    const rows = this.rows(event.guid, map)
      .filter((row) => !row.isPlaceholder)
      .sort(better)
    return rows.filter((row, index) => rows.findIndex(({ platformId }) => platformId === row.platformId) === index)
  }

  /** Removes the player's worst rows, placeholders first. */
  refund(event: QualifierEvent, map: string, platformId: string, count: number): void {
    const better = comparison(event, map)
    const own = this.rows(event.guid, map).filter((row) => row.platformId === platformId)
    const worst = own.sort((a, b) => Number(b.isPlaceholder) - Number(a.isPlaceholder) || better(b, a)).slice(0, count)
    this.#rows = this.#rows.filter((row) => !worst.includes(row))
  }

  /** Removes rows, like an update of the game that lost them. */
  empty(event: string, map?: string): void {
    this.#rows = this.#rows.filter((row) => row.eventId !== event || (map !== undefined && row.mapId !== map))
  }
}

export function areHidden({ flags }: QualifierEvent): boolean {
  return (flags & Settings.HideScoresFromPlayers) !== 0
}

export function entryOf(eventId: string, mapId: string, given: FakeScore): LeaderboardEntry {
  const { platformId, score, username = `Player ${platformId}`, maxScore = 1_000_000, isPlaceholder = false } = given
  return create(LeaderboardEntrySchema, {
    eventId,
    mapId,
    platformId,
    username,
    isPlaceholder,
    multipliedScore: score,
    modifiedScore: score,
    maxPossibleScore: maxScore,
    accuracy: score / maxScore,
    notesMissed: given.misses ?? 0,
    badCuts: given.badCuts ?? 0,
    goodCuts: given.goodCuts ?? 0,
    maxCombo: given.maxCombo ?? 0,
    fullCombo: given.fullCombo ?? false,
  })
}

function isSamePlace(a: LeaderboardEntry, b: LeaderboardEntry): boolean {
  return a.eventId === b.eventId && a.mapId === b.mapId && a.platformId === b.platformId
}

/** Sorts better rows first. The number of the sort selects one of five values and one of three ways. */
function comparison({ sort, qualifierMaps }: QualifierEvent, map: string) {
  const target = qualifierMaps.find(({ guid }) => guid === map)?.gameplayParameters?.target ?? 0
  const fields = ['modifiedScore', 'notesMissed', 'badCuts', 'maxCombo', 'goodCuts'] as const
  const field = fields[Math.floor(sort / 3)] ?? 'modifiedScore'
  const way = sort % 3
  return (a: LeaderboardEntry, b: LeaderboardEntry): number => {
    if (way === Sort.ModifiedScoreTarget) return Math.abs(a[field] - target) - Math.abs(b[field] - target)
    return way === Sort.ModifiedScoreAscending ? a[field] - b[field] : b[field] - a[field]
  }
}
