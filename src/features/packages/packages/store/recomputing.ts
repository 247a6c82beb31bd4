import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { corrections } from '../../../brackets/results/tables.ts'
import type { Correction } from '../../../brackets/results/types.ts'
import { sessionColumns } from '../../../flows/flowSessions/store/sessions.ts'
import { flowSessions } from '../../../flows/flowSessions/tables.ts'
import type { SessionRecord } from '../../../flows/flowSessions/types.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'

/** What an import computes again from the rows that it has written. (P6) */

/** The number of matches in each bracket. */
export async function countMatches(tx: Tx, tournament: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await tx.session.orm.execute<{ bracket: string; count: number }>(sql`
    select bracket_guid as bracket, count(*)::int as count from ${matches} where tournament_guid = ${tournament} group by 1`)
  return new Map(rows.map(({ bracket, count }) => [bracket, count]))
}

/** Corrections after one of them, by GUID. Each may be large. */
export async function listCorrectionsAfter(
  tx: Tx,
  tournament: string,
  after: string | null,
  limit: number,
): Promise<readonly Correction[]> {
  const rows = await tx.session.orm
    .select(getTableColumns(corrections))
    .from(corrections)
    .where(
      sql`${corrections.tournamentGuid} = ${tournament} and (${after}::uuid is null or ${corrections.guid} > ${after}::uuid)`,
    )
    .orderBy(asc(corrections.guid))
    .limit(limit)
  return rows as readonly Correction[]
}

/** The brackets whose results may have changed since later rounds were paired, and those that a team came back to. */
export async function listChanged(
  tx: Tx,
  tournament: string,
): Promise<{ readonly changed: ReadonlySet<string>; readonly returned: ReadonlySet<string> }> {
  const { rows } = await tx.session.orm.execute<{ bracket: string; isReturn: boolean }>(sql`
    select bracket_guid as bracket, false as "isReturn" from ${corrections}
    where tournament_guid = ${tournament} and bracket_guid is not null
    union select m.bracket_guid, false from ${matches} m join ${flowSessions} s on s.match_guid = m.guid
    where m.tournament_guid = ${tournament}
    union select (b.value ->> 'bracketGuid')::uuid, true from ${corrections}
    cross join lateral jsonb_array_elements(returned -> 'brackets') b where tournament_guid = ${tournament}`)
  return {
    changed: new Set(rows.map(({ bracket }) => bracket)),
    returned: new Set(rows.flatMap(({ bracket, isReturn }) => (isReturn ? [bracket] : []))),
  }
}

export interface StoredSession {
  readonly record: SessionRecord
  readonly seed: Uint8Array
}

export async function listSessions(tx: Tx, tournament: string): Promise<readonly StoredSession[]> {
  return tx.session.orm
    .select({ record: sessionColumns, seed: flowSessions.seed })
    .from(flowSessions)
    .where(eq(flowSessions.tournamentGuid, tournament))
    .orderBy(asc(flowSessions.guid))
}

export async function readPlaced(tx: Tx, tournament: string): Promise<Pick<Tournament, 'status' | 'placements'>> {
  const [row] = await tx.session.orm
    .select({ status: tournaments.status, placements: tournaments.placements })
    .from(tournaments)
    .where(eq(tournaments.guid, tournament))
  if (row === undefined) throw new Error('an imported tournament was not written')
  return row
}
