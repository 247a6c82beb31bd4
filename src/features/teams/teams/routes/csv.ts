import { Type } from 'typebox'
import { type Cell, type For, SpreadsheetQuery, spreadsheetNote, toCsv } from '../../../../core/csv.ts'
import { Answer, query } from '../../../../core/operation.ts'
import { type MakingPosition, makingPosition } from '../../../../core/page.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { anyStaff } from '../../../tournaments/access/policy.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { listTeams } from '../store/teams.ts'
import { csvHeader, csvRows } from '../views/csv.ts'
import { listTeamFacts } from '../views/teams.ts'

const contentType = 'text/csv; charset=utf-8'

export const teamsCsv = query({
  name: 'teams.csv',
  method: 'GET',
  path: '/tournaments/:tournament/teams.csv',
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'All teams as a spreadsheet, one row for each member, with all answers.',
  description: `${spreadsheetNote} Always with a byte order mark.`,
  query: Type.Object(SpreadsheetQuery),
  reply: { 200: Type.String() },
  contentType,
  run: async ({ db, tournament, query: wanted }) =>
    new Answer(200, {
      body: await writeTeams(db, tournament, wanted.for),
      contentType,
      headers: { 'content-disposition': `attachment; filename="${tournament.id}-teams.csv"` },
    }),
})

const teamsAtOnce = 500

async function writeTeams(db: Db, tournament: Tournament, purpose: For): Promise<string> {
  const fields = tournament.additionalFields
  const rows: Cell[][] = []
  for (let after: MakingPosition | undefined, more = true; more; ) {
    const found = await listTeams(db, tournament.guid, { after, limit: teamsAtOnce })
    const teams = found.slice(0, teamsAtOnce)
    for (const facts of await listTeamFacts(db, tournament, teams)) rows.push(...csvRows(fields, facts))
    more = found.length > teamsAtOnce
    const last = teams.at(-1)
    if (last !== undefined) after = makingPosition(last)
  }
  return toCsv(csvHeader(fields), rows, { for: purpose, hasMark: true })
}
