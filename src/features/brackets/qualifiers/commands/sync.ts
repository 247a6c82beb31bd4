import type { SignedIn } from '../../../../core/actor.ts'
import type { EventOf } from '../../../../core/events.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { type LinkUse, noteUse } from '../../../assistant/assistantLinks/commands.ts'
import { shownText } from '../../../assistant/assistantLinks/rules/outcomes.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import {
  type AssistantBoard,
  attemptOf,
  countsOf,
  labelOf,
  lostBoard,
  placeOf,
  playKey,
  resultId,
  tiedMap,
} from '../rules/assistant.ts'
import { type BoardRow, externalIdOf, mapOf } from '../rules/board.ts'
import { type GivenAttempt, maxPoints } from '../rules/recording.ts'
import { checkTakesBoards, statusAt } from '../rules/status.ts'
import { findPlayers, listCountedBoards, listKnownPlays } from '../store/assistant.ts'
import { findUsers } from '../store/attempts.ts'
import { listMaps, updateQualifier } from '../store/qualifiers.ts'
import { listUnmatched, readSync, replaceUnmatched, saveSync } from '../store/sync.ts'
import type { Qualifier, QualifierMap, UnmatchedRow } from '../types.ts'
import { record } from './attempts.ts'
import { lockQualifier } from './qualifier.ts'

/** The fetched rows, or the reason of the failure as one sentence. */
export type Fetched = (
  | { readonly rows: readonly BoardRow[] }
  | { readonly boards: readonly AssistantBoard[] }
  | { readonly failure: string }
) & {
  /** How the link was used, if an assistant was asked. */
  readonly use?: LinkUse
}

export interface SyncOutcome {
  readonly success: boolean
  readonly message: string
  /** When the stored board was fetched. */
  readonly fetchedAt: Date | null
  readonly recorded: number
  readonly unmatched: number
}

/**
 * Adds the new results of a board to the ledger. If the board cannot be fetched, or has lost all its rows, only the
 * reported outcome changes. (additions: Qualifiers; rest-interface: QualifierSyncResult; AS22, AS23)
 * @throws Problem `qualifier.unknown`, `qualifier.not_open`, `qualifier.final`, `tournament.cancelled`
 */
export async function synchronise(
  tx: Tx,
  actor: SignedIn,
  tournament: Pick<Tournament, 'guid' | 'status'>,
  fetched: Fetched,
  now: Date,
): Promise<SyncOutcome> {
  if (fetched.use !== undefined) await noteUse(tx, actor, fetched.use, now)
  const qualifier = await lockQualifier(tx, tournament.guid)
  const before = await readSync(tx, qualifier.guid)
  const emitSynchronised = (after: EventOf<'qualifier.synchronised'>['after']) =>
    emit(tx, {
      type: 'qualifier.synchronised',
      subject: qualifier.guid,
      tournament: tournament.guid,
      actor: actor.guid,
      after,
    })
  const board = await judge(tx, qualifier, fetched, before.rowCount)
  if ('failure' in board) {
    const { fetchedAt } = before
    await saveSync(tx, qualifier.guid, { ...before, lastError: board.failure })
    emitSynchronised({ success: false })
    return { success: false, message: kept(board.failure, fetchedAt), fetchedAt, recorded: 0, unmatched: 0 }
  }
  checkNotCancelled(tournament)
  checkTakesBoards(statusAt(qualifier, now))
  const maps = await listMaps(tx, tournament.guid)
  const results =
    'rows' in board
      ? await resultsOfRows(tx, board.rows, maps, now)
      : await resultsOfBoards(tx, qualifier, board.boards, maps, now)
  const given = results.map(({ attempt }) => attempt)
  const { accepted, rejected } = await record(tx, actor.guid, { qualifier, maps }, given, now)
  const unmatched = rejected.flatMap(({ index, message }) => unmatchedRow(results[index], message))
  await replaceUnmatched(tx, qualifier.guid, unmatched)
  await saveSync(tx, qualifier.guid, { fetchedAt: now, rowCount: rowsOf(board), lastError: null })
  if (accepted.length > 0) await updateQualifier(tx, qualifier.guid, { boardChangedAt: now })
  emitSynchronised({ success: true, attempts: accepted.length })
  const message = `${count(accepted.length, 'new result')} recorded; ${count(rejected.length, 'row')} could not be matched.`
  return { success: true, message, fetchedAt: now, recorded: accepted.length, unmatched: rejected.length }
}

function rowsOf(board: Exclude<Fetched, { readonly failure: string }>): number {
  return 'rows' in board ? board.rows.length : board.boards.reduce((sum, { entries }) => sum + entries.length, 0)
}

/**
 * Rejects a board that had rows and is now empty: that does not prove that the results were taken back. (domain: 4.1;
 * AS23)
 */
async function judge(tx: Tx, { guid }: Qualifier, fetched: Fetched, rowsBefore: number): Promise<Fetched> {
  if ('failure' in fetched) return fetched
  if (rowsOf(fetched) === 0 && rowsBefore > 0) {
    return { failure: `The board is empty, and had ${count(rowsBefore, 'row')} before.` }
  }
  if ('rows' in fetched) return fetched
  const unmatched = await listUnmatched(tx, guid)
  const lost = lostBoard(fetched.boards, await listCountedBoards(tx, guid), new Set(unmatched.map(({ map }) => map)))
  if (lost === undefined) return fetched
  const name = shownText(lost.map.name)
  return {
    failure: `The board of “${name}” is empty, and had rows before; check that the link may see hidden scores.`,
  }
}

function kept(failure: string, fetchedAt: Date | null): string {
  return fetchedAt === null ? failure : `${failure} What was fetched at ${formatInstant(fetchedAt)} is kept.`
}

/** A row of a board, and the attempt that it would be in the ledger. */
interface Result {
  readonly row: Pick<UnmatchedRow, 'player' | 'name' | 'map' | 'score'>
  readonly attempt: GivenAttempt
}

async function resultsOfRows(
  db: Db,
  rows: readonly BoardRow[],
  maps: readonly QualifierMap[],
  now: Date,
): Promise<Result[]> {
  const users = await findUsers(
    db,
    rows.map(({ player }) => player),
  )
  return rows.map((row) => {
    const userGuid = users.get(row.player) ?? null
    const mapGuid = mapOf(row, maps)?.guid ?? ''
    const attempt: GivenAttempt = {
      mapGuid,
      userGuid,
      score: row.score,
      accuracy: row.accuracy,
      misses: row.misses,
      badCuts: row.badCuts,
      maxCombo: row.maxCombo,
      fullCombo: row.fullCombo,
      completion: row.completion,
      source: 'assistant',
      externalId: userGuid === null ? row.externalId : externalIdOf(row, userGuid, mapGuid),
      playedAt: row.playedAt ?? now,
    }
    return { row, attempt }
  })
}

/** The results of the boards that the ledger does not have yet, whichever way the known results came. (AS22) */
async function resultsOfBoards(
  db: Db,
  { guid }: Qualifier,
  boards: readonly AssistantBoard[],
  maps: readonly QualifierMap[],
  now: Date,
): Promise<readonly Result[]> {
  const users = await findPlayers(
    db,
    boards.flatMap(({ entries }) => entries.map(({ platformId }) => platformId)),
  )
  const results = boards.flatMap(({ event, map, entries }) => {
    const mapGuid = tiedMap(map, maps)?.guid ?? ''
    const label = labelOf(map)
    return entries.map((entry) => {
      const { platformId: player, name } = entry
      const userGuid = users.get(player) ?? null
      const externalId = resultId(placeOf({ event, map: map.guid }, player), entry)
      const attempt = attemptOf(entry, { userGuid, mapGuid, externalId, playedAt: now })
      return { row: { player, name: name || null, map: label, score: attempt.score ?? 0 }, attempt, entry }
    })
  })
  const known = new Set(await listKnownPlays(db, guid, [...users.values()]))
  return results.filter(({ attempt: { userGuid, mapGuid }, entry }) => {
    if (userGuid === null || mapGuid === '') return true
    const key = playKey({ userGuid, mapGuid, ...countsOf(entry) })
    const isKnown = known.has(key)
    known.add(key)
    return !isKnown
  })
}

function unmatchedRow(result: Result | undefined, reason: string): UnmatchedRow[] {
  if (result === undefined) return []
  const { player, name, map } = result.row
  const isScore = result.row.score !== null && result.row.score >= 0 && result.row.score <= maxPoints
  const score = isScore ? result.row.score : null
  return [{ player, userGuid: result.attempt.userGuid, name, map, score, reason }]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
