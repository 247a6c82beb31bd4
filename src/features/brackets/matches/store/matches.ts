import { and, asc, count, eq, getTableColumns, inArray, ne, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { matches } from '../tables.ts'
import type { MatchRecord } from '../types.ts'

const columns = getTableColumns(matches)

const byGuids = statement('matches.by_guids', (orm) =>
  orm
    .select(columns)
    .from(matches)
    .where(sql`${matches.guid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(matches.number)),
)

export async function listMatchesByGuid(db: Db, guids: readonly string[]): Promise<readonly MatchRecord[]> {
  return guids.length === 0 ? [] : byGuids(db, { guids })
}

export async function findMatch(db: Db, guid: string): Promise<MatchRecord | undefined> {
  return (await byGuids(db, { guids: [guid] }))[0]
}

const ofBracket = statement('matches.of_bracket', (orm) =>
  orm
    .select(columns)
    .from(matches)
    .where(eq(matches.bracketGuid, sql.placeholder('bracketGuid')))
    .orderBy(asc(matches.number)),
)

/** All matches of a bracket, in the order of their numbers. */
export async function listMatchesOfBracket(db: Db, bracketGuid: string): Promise<readonly MatchRecord[]> {
  return ofBracket(db, { bracketGuid })
}

const ofTournament = statement('matches.of_tournament', (orm) =>
  orm
    .select(columns)
    .from(matches)
    .where(eq(matches.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(asc(matches.bracketGuid), asc(matches.number)),
)

/** The matches of all brackets of a tournament; by number in each bracket. */
export async function listMatchesOfTournament(db: Db, tournamentGuid: string): Promise<readonly MatchRecord[]> {
  return ofTournament(db, { tournamentGuid })
}

/** The columns that the list of rounds needs. */
export type MatchOutline = Pick<MatchRecord, 'guid' | 'bracketGuid' | 'number' | 'section' | 'round' | 'bestOf'>

const outlines = statement('matches.outlines', (orm) =>
  orm
    .select({
      guid: matches.guid,
      bracketGuid: matches.bracketGuid,
      number: matches.number,
      section: matches.section,
      round: matches.round,
      bestOf: matches.bestOf,
    })
    .from(matches)
    .where(eq(matches.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(asc(matches.bracketGuid), asc(matches.number)),
)

/** The matches of all brackets of a tournament; by number in each bracket. */
export async function listMatchOutlines(db: Db, tournamentGuid: string): Promise<readonly MatchOutline[]> {
  return outlines(db, { tournamentGuid })
}

/** The number of matches in all brackets of a tournament except one. */
export async function countMatches(db: Db, tournamentGuid: string, exceptBracketGuid: string): Promise<number> {
  const [row] = await db.session.orm
    .select({ total: count() })
    .from(matches)
    .where(and(eq(matches.tournamentGuid, tournamentGuid), ne(matches.bracketGuid, exceptBracketGuid)))
  return row?.total ?? 0
}

const lastNumber = statement('matches.last_number', (orm) =>
  orm
    .select({ number: sql<number>`coalesce(max(${matches.number}), 0)` })
    .from(matches)
    .where(
      and(
        eq(matches.divisionGuid, sql.placeholder('divisionGuid')),
        sql`${matches.bracketGuid} is distinct from ${sql.placeholder('exceptBracketGuid')}::uuid`,
      ),
    ),
)

/** The highest match number in the division, 0 if it has no match; optionally without the matches of one bracket. */
export async function findLastNumber(
  db: Db,
  divisionGuid: string,
  exceptBracketGuid: string | null = null,
): Promise<number> {
  return (await lastNumber(db, { divisionGuid, exceptBracketGuid }))[0]?.number ?? 0
}

/** Inserts new matches, which are not scheduled and have not begun, in one statement for any number of them. */
export async function insertMatches(tx: Tx, made: readonly MatchRecord[], now: Date): Promise<void> {
  if (made.length === 0) return
  await tx.session.orm.execute(sql`
    insert into ${matches} (guid, tournament_guid, division_guid, bracket_guid, number, section, round, group_index,
      status, outcome, team1_guid, team2_guid, sides, best_of, games, decision, started, reopened, conditional, pairing,
      winner_to, loser_to, next_match_guid, loser_match_guid, completed_at, created_at, updated_at)
    select m."guid", m."tournamentGuid", m."divisionGuid", m."bracketGuid", m."number", m."section", m."round",
      m."groupIndex", m."status", m."outcome", m."team1Guid", m."team2Guid", m."sides", m."bestOf", m."games",
      nullif(m."decision", 'null'), m."started", m."reopened", m."conditional", nullif(m."pairing", 'null'),
      nullif(m."winnerTo", 'null'), nullif(m."loserTo", 'null'), m."nextMatchGuid", m."loserMatchGuid",
      m."completedAt", ${now.toISOString()}, ${now.toISOString()}
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as m ("guid" uuid, "tournamentGuid" uuid,
      "divisionGuid" uuid, "bracketGuid" uuid, "number" int, "section" text, "round" int, "groupIndex" int,
      "status" text, "outcome" text, "team1Guid" uuid, "team2Guid" uuid, "sides" jsonb, "bestOf" int, "games" jsonb,
      "decision" jsonb, "started" bool, "reopened" bool, "conditional" bool, "pairing" jsonb, "winnerTo" jsonb,
      "loserTo" jsonb, "nextMatchGuid" uuid, "loserMatchGuid" uuid, "completedAt" timestamptz)`)
}

/** The columns that play changes. */
export const playedColumns = [
  'guid',
  'status',
  'outcome',
  'team1Guid',
  'team2Guid',
  'sides',
  'bestOf',
  'games',
  'decision',
  'started',
  'reopened',
  'startedAt',
  'completedAt',
] as const satisfies readonly (keyof MatchRecord)[]

const advance = statement('matches.advance', (orm) =>
  orm
    .update(matches)
    .set({
      status: sql`m."status"`,
      outcome: sql`m."outcome"`,
      team1Guid: sql`m."team1Guid"`,
      team2Guid: sql`m."team2Guid"`,
      sides: sql`m."sides"`,
      bestOf: sql`m."bestOf"`,
      games: sql`m."games"`,
      decision: sql`nullif(m."decision", 'null')`,
      started: sql`m."started"`,
      reopened: sql`m."reopened"`,
      // Other teams have not been called.
      calledAt: sql`case when (m."team1Guid", m."team2Guid") is not distinct from (${matches.team1Guid}, ${matches.team2Guid})
        then ${matches.calledAt} end`,
      startedAt: sql`m."startedAt"`,
      completedAt: sql`m."completedAt"`,
      revision: sql`${matches.revision} + 1`,
      updatedAt: sql`${sql.placeholder('now')}::timestamptz`,
    })
    .from(
      sql`jsonb_to_recordset(${sql.placeholder('played')}::jsonb) as m ("guid" uuid, "status" text, "outcome" text,
        "team1Guid" uuid, "team2Guid" uuid, "sides" jsonb, "bestOf" int, "games" jsonb, "decision" jsonb, "started" bool,
        "reopened" bool, "startedAt" timestamptz, "completedAt" timestamptz)`,
    )
    .where(sql`${matches.guid} = m."guid"`),
)

/** Saves the progress of these matches and raises the revision of each. */
export async function advanceMatches(tx: Tx, played: readonly MatchRecord[], now: Date): Promise<void> {
  if (played.length === 0) return
  const rows = played.map((match) => Object.fromEntries(playedColumns.map((name) => [name, match[name]])))
  await advance(tx, { played: JSON.stringify(rows), now: now.toISOString() })
}

/** Deletes the matches of a bracket before they are made anew. */
export async function deleteMatchesOfBracket(tx: Tx, bracketGuid: string): Promise<void> {
  await tx.session.orm.delete(matches).where(eq(matches.bracketGuid, bracketGuid))
}

export async function deleteMatches(tx: Tx, guids: readonly string[]): Promise<void> {
  if (guids.length === 0) return
  await tx.session.orm.delete(matches).where(inArray(matches.guid, [...guids]))
}

/** Removes calls and recordings, which matches that were not played do not have. */
export async function forgetPlay(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm
    .update(matches)
    .set({ calledAt: null, vodUrl: null })
    .where(eq(matches.tournamentGuid, tournamentGuid))
}

export interface Appointment {
  readonly guid: string
  /** ISO 8601; null removes the time. */
  readonly scheduledAt: string | null
  /** null keeps the present address. */
  readonly streamUrl: string | null
}

/** Sets or removes the times of many matches in one statement. Call under `lockBracket`. */
export async function scheduleMatches(tx: Tx, appointments: readonly Appointment[], now: Date): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${matches} m set scheduled_at = a."scheduledAt", stream_url = coalesce(a."streamUrl", m.stream_url),
      revision = m.revision + 1, updated_at = ${now.toISOString()}
    from jsonb_to_recordset(${JSON.stringify(appointments)}::jsonb)
      as a ("guid" uuid, "scheduledAt" timestamptz, "streamUrl" text)
    where m.guid = a."guid"`)
}

export type MatchChanges = Partial<Pick<MatchRecord, 'scheduledAt' | 'calledAt' | 'streamUrl' | 'vodUrl' | 'notes'>>

/**
 * Updates the columns that organisers set and play does not change. Call under `lockBracket`.
 * @param isShown whether a public member has changed; otherwise the revision stays
 */
export async function updateMatch(
  tx: Tx,
  guid: string,
  changes: MatchChanges,
  isShown: boolean,
  now: Date,
): Promise<MatchRecord> {
  const [row] = await tx.session.orm
    .update(matches)
    .set({ ...changes, ...(isShown ? { revision: sql`${matches.revision} + 1`, updatedAt: now } : {}) })
    .where(eq(matches.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated match was not returned')
  return row
}

/** Sets the stream addresses of many matches in one statement. Call under `lockBracket`. */
export async function setStreamUrls(
  tx: Tx,
  addressed: readonly { readonly guid: string; readonly streamUrl: string }[],
  now: Date,
): Promise<void> {
  if (addressed.length === 0) return
  await tx.session.orm.execute(sql`
    update ${matches} m set stream_url = a."streamUrl", revision = m.revision + 1, updated_at = ${now.toISOString()}
    from jsonb_to_recordset(${JSON.stringify(addressed)}::jsonb) as a ("guid" uuid, "streamUrl" text)
    where m.guid = a."guid"`)
}
