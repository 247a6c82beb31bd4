import { sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { brackets } from '../../../brackets/brackets/tables.ts'
import type { Bracket } from '../../../brackets/brackets/types.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { qualifierAttempts, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { flowSessions } from '../../../flows/flowSessions/tables.ts'
import { teamMembers } from '../../../teams/teams/tables.ts'

/** Writes what rows of packages do not tell of themselves, and other rows do. (P6) */

type Told = Pick<Bracket, 'guid' | 'settings' | 'open' | 'started' | 'roundsMade'>

export async function writeBracket(tx: Tx, { guid, settings, open, started, roundsMade }: Told): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${brackets} set settings = ${JSON.stringify(settings)}::jsonb, open = ${open}, started = ${started},
      rounds_made = ${roundsMade} where guid = ${guid}`)
}

type Reported = Pick<MatchRecord, 'guid' | 'sides' | 'decision' | 'started' | 'reopened' | 'winnerTo' | 'loserTo'>

export async function writeReports(tx: Tx, reported: readonly Reported[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${matches} m set sides = r."sides", decision = nullif(r."decision", 'null'), started = r."started",
      reopened = r."reopened", winner_to = nullif(r."winnerTo", 'null'), loser_to = nullif(r."loserTo", 'null')
    from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as r ("guid" uuid, "sides" jsonb, "decision" jsonb,
      "started" bool, "reopened" bool, "winnerTo" jsonb, "loserTo" jsonb)
    where m.guid = r."guid"`)
}

/** An attempt counts for the team that its player is in. */
export async function writeTeamsOfAttempts(tx: Tx, tournament: string): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${qualifierAttempts} a set team_guid = t.team_guid
    from ${qualifiers} q, ${teamMembers} t
    where a.qualifier_guid = q.guid and q.tournament_guid = ${tournament} and t.tournament_guid = ${tournament}
      and t.user_guid = a.user_guid`)
}

export async function listSessions(tx: Tx, tournament: string): Promise<readonly string[]> {
  const { rows } = await tx.session.orm.execute<{ guid: string }>(
    sql`select guid from ${flowSessions} where tournament_guid = ${tournament} order by guid`,
  )
  return rows.map(({ guid }) => guid)
}

/** @param teams GUIDs; those of a session of no match are not kept */
export async function writeSeats(
  tx: Tx,
  session: string,
  { teams, speakers }: { readonly teams: readonly string[]; readonly speakers: readonly (readonly string[])[] },
): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${flowSessions} set speakers = ${JSON.stringify(speakers)}::jsonb,
      team_guids = case when match_guid is null then '{}' else ${sql.param([...teams])}::uuid[] end
    where guid = ${session}`)
}

/** Deletes a session with its rows. Returns how many rows it had. */
export async function deleteSession(tx: Tx, session: string): Promise<number> {
  const { rows } = await tx.session.orm.execute<{ position: number }>(
    sql`delete from ${flowSessions} where guid = ${session} returning position`,
  )
  return rows[0]?.position ?? 0
}
