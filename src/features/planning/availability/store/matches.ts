import { asc, eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import { availabilityMatches as entries } from '../tables.ts'
import type { SheetMatch } from '../types.ts'

const ofSheets = statement('availability.matches', (orm) =>
  orm
    .select({
      guid: entries.guid,
      sheetGuid: entries.sheetGuid,
      matchGuid: entries.matchGuid,
      number: matches.number,
      scheduledAt: matches.scheduledAt,
      status: matches.status,
      team1Guid: matches.team1Guid,
      team2Guid: matches.team2Guid,
    })
    .from(entries)
    .innerJoin(matches, eq(matches.guid, entries.matchGuid))
    .where(sql`${entries.sheetGuid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(entries.position)),
)

/** Lists the matches of the sheets, in the order of each sheet. */
export async function listSheetMatches(db: Db, sheetGuids: readonly string[]): Promise<SheetMatch[]> {
  if (sheetGuids.length === 0) return []
  const rows = await ofSheets(db, { guids: sheetGuids })
  const teams = await listTeamSummaries(
    db,
    rows.flatMap(({ team1Guid, team2Guid }) => [team1Guid, team2Guid]),
  )
  const teamOf = (guid: string | null) => teams.get(guid ?? '') ?? null
  return rows.map(({ team1Guid, team2Guid, ...match }) => ({
    ...match,
    teams: [teamOf(team1Guid), teamOf(team2Guid)],
  }))
}

/** Returns which of the matches belong to the tournament. */
export async function listKnownMatches(
  db: Db,
  tournamentGuid: string,
  guids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (guids.length === 0) return new Set()
  const rows = await db.session.orm
    .select({ guid: matches.guid })
    .from(matches)
    .where(sql`${matches.guid} = any(${sql.param(guids)}::uuid[]) and ${matches.tournamentGuid} = ${tournamentGuid}`)
  return new Set(rows.map(({ guid }) => guid))
}

/** Replaces the sheet's matches in this order. Matches that stay keep their entries. */
export async function replaceSheetMatches(tx: Tx, sheetGuid: string, matchGuids: readonly string[]): Promise<void> {
  const { orm } = tx.session
  await orm
    .delete(entries)
    .where(sql`${entries.sheetGuid} = ${sheetGuid} and ${entries.matchGuid} <> all(${sql.param(matchGuids)}::uuid[])`)
  if (matchGuids.length === 0) return
  await orm
    .insert(entries)
    .values(matchGuids.map((matchGuid, position) => ({ sheetGuid, matchGuid, position })))
    .onConflictDoUpdate({
      target: [entries.sheetGuid, entries.matchGuid],
      set: { position: sql`excluded.position` },
    })
}
