import type { SignedIn } from '../../../../core/actor.ts'
import type { EventOf } from '../../../../core/events.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { DownloadClient } from '../../../../infra/clients/downloads.ts'
import { Unreachable } from '../../../../infra/clients/http.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { BoardFault, type BoardRow, externalIdOf, mapOf, readBoard, readRows } from '../rules/board.ts'
import type { GivenAttempt } from '../rules/recording.ts'
import { checkTakesBoards, statusAt } from '../rules/status.ts'
import { findUsers } from '../store/attempts.ts'
import { findQualifier, listMaps, updateQualifier } from '../store/qualifiers.ts'
import { readSync, replaceUnmatched, saveSync } from '../store/sync.ts'
import type { QualifierMap, UnmatchedRow } from '../types.ts'
import { record } from './attempts.ts'
import { lockQualifier } from './qualifier.ts'

/** Where a board comes from; without any, from the address that the qualifier is set to. */
export type BoardSource = { readonly url: string } | { readonly rows: readonly unknown[] } | { readonly csv: string }

/** A board, or why there is none, as one sentence. */
export type Fetched = { readonly rows: readonly BoardRow[] } | { readonly failure: string }

/** Gets a board, over the network where it has to. Never rejects because of what is out there. */
export async function fetchBoard(
  db: Db,
  downloads: DownloadClient,
  tournamentGuid: string,
  source: BoardSource | undefined,
): Promise<Fetched> {
  try {
    if (source !== undefined && 'rows' in source) return { rows: readRows(source.rows) }
    if (source !== undefined && 'csv' in source) return { rows: readBoard(source.csv) }
    const url = source?.url ?? (await findQualifier(db, tournamentGuid))?.syncUrl ?? null
    if (url === null) return { failure: 'There is no address to fetch results from; set "syncUrl" first.' }
    return { rows: readBoard(await downloads.get(url)) }
  } catch (error) {
    if (error instanceof BoardFault) return { failure: `The board ${error.message}.` }
    if (error instanceof Unreachable) return { failure: `The board could not be fetched. ${error.message}.` }
    throw error
  }
}

export interface SyncOutcome {
  readonly success: boolean
  readonly message: string
  /** When the board that is kept now was fetched. */
  readonly fetchedAt: Date | null
  readonly recorded: number
  readonly unmatched: number
}

/**
 * Adds to the ledger what a board has beyond it. A board that cannot be had, or that has lost all its rows, changes nothing
 * but what is told of it. (additions: Qualifiers; rest-interface: QualifierSyncResult)
 * @throws Problem `qualifier.unknown`, `qualifier.not_open`, `qualifier.final`, `tournament.cancelled`
 */
export async function synchronise(
  tx: Tx,
  actor: SignedIn,
  tournament: Pick<Tournament, 'guid' | 'status'>,
  fetched: Fetched,
  now: Date,
): Promise<SyncOutcome> {
  const qualifier = await lockQualifier(tx, tournament.guid)
  const before = await readSync(tx, qualifier.guid)
  const told = (after: EventOf<'qualifier.synchronised'>['after']) =>
    emit(tx, {
      type: 'qualifier.synchronised',
      subject: qualifier.guid,
      tournament: tournament.guid,
      actor: actor.guid,
      after,
    })
  const board = judge(fetched, before.rowCount)
  if ('failure' in board) {
    const { fetchedAt } = before
    await saveSync(tx, qualifier.guid, { ...before, lastError: board.failure })
    told({ success: false })
    return { success: false, message: kept(board.failure, fetchedAt), fetchedAt, recorded: 0, unmatched: 0 }
  }
  checkNotCancelled(tournament)
  checkTakesBoards(statusAt(qualifier, now))
  const { rows } = board
  const maps = await listMaps(tx, tournament.guid)
  const given = await attemptsOf(tx, rows, maps, now)
  const { accepted, rejected } = await record(tx, actor, { qualifier, maps }, given, now)
  const unmatched = rejected.flatMap(({ index, message }) => unmatchedRow(rows[index], given[index], message))
  await replaceUnmatched(tx, qualifier.guid, unmatched)
  await saveSync(tx, qualifier.guid, { fetchedAt: now, rowCount: rows.length, lastError: null })
  if (accepted.length > 0) await updateQualifier(tx, qualifier.guid, { boardChangedAt: now })
  told({ success: true, attempts: accepted.length })
  const message = `${count(accepted.length, 'new result')} recorded; ${count(rejected.length, 'row')} could not be matched.`
  return { success: true, message, fetchedAt: now, recorded: accepted.length, unmatched: rejected.length }
}

/** A board that had rows has not lost all of them because somebody took them back. (domain: 4.1) */
function judge(fetched: Fetched, rowsBefore: number): Fetched {
  if ('failure' in fetched || fetched.rows.length > 0 || rowsBefore === 0) return fetched
  return { failure: `The board is empty, and had ${count(rowsBefore, 'row')} before.` }
}

function kept(failure: string, fetchedAt: Date | null): string {
  return fetchedAt === null ? failure : `${failure} What was fetched at ${formatInstant(fetchedAt)} is kept.`
}

async function attemptsOf(
  db: Db,
  rows: readonly BoardRow[],
  maps: readonly QualifierMap[],
  now: Date,
): Promise<GivenAttempt[]> {
  const users = await findUsers(
    db,
    rows.map(({ player }) => player),
  )
  return rows.map((row) => {
    const userGuid = users.get(row.player) ?? null
    const mapGuid = mapOf(row, maps)?.guid ?? ''
    return {
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
  })
}

function unmatchedRow(row: BoardRow | undefined, attempt: GivenAttempt | undefined, reason: string): UnmatchedRow[] {
  if (row === undefined) return []
  const { player, name, map, score } = row
  return [{ player, userGuid: attempt?.userGuid ?? null, name, map, score, reason }]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
