import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { badgeGrants, badges } from '../../../awards/badges/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { flowSessions } from '../../../flows/flowSessions/tables.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { visibilityRequests } from '../../../listing/visibility/tables.ts'
import { maps } from '../../../maps/catalogue/tables.ts'
import { withdrawnMaps } from '../../../maps/pools/tables.ts'
import { overlayDrafts } from '../../../overlays/sceneDocuments/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { tournamentCounts, tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { Row } from './kind.ts'

/** What rows of packages become that are not rows of a table of their own. (P6) */

export async function isIdTaken(db: Db, id: string): Promise<boolean> {
  const { rows } = await db.session.orm.execute(sql`select from ${tournaments} where id = ${id}`)
  return rows.length > 0
}

export async function writePlacements(tx: Tx, tournament: string, placements: readonly Row[]): Promise<void> {
  await tx.session.orm.execute(
    sql`update ${tournaments} set placements = ${JSON.stringify(placements)}::jsonb where guid = ${tournament}`,
  )
}

/** Adds games to their matches. */
export async function addGames(tx: Tx, games: readonly Row[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${matches} m set games = m.games || g.games
    from (select "matchGuid", jsonb_agg(jsonb_build_object('number', "number", 'scores', "scores", 'winner', "winner")
        || case when "detail" is null then '{}' else jsonb_build_object('detail', "detail") end) as games
      from jsonb_to_recordset(${JSON.stringify(games)}::jsonb)
        as r ("matchGuid" uuid, "number" int, "scores" jsonb, "winner" int, "detail" jsonb)
      group by 1) g
    where m.guid = g."matchGuid"`)
}

/** Games of a match are in the order of their numbers, whatever order they came in. */
export async function orderGames(tx: Tx, tournament: string): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${matches} m
    set games = (select jsonb_agg(g.value order by (g.value ->> 'number')::int) from jsonb_array_elements(m.games) g)
    where m.tournament_guid = ${tournament} and jsonb_array_length(m.games) > 1`)
}

/** Counts the teams and players of a new tournament. */
export async function insertCounts(tx: Tx, tournament: string): Promise<void> {
  await tx.session.orm.execute(sql`
    insert into ${tournamentCounts} (tournament_guid, teams, registered, qualified, players)
    select ${tournament}::uuid, count(*), count(*) filter (where status <> 'unregistered'),
      count(*) filter (where status = 'qualified'),
      (select count(*) from ${teamMembers} where tournament_guid = ${tournament})
    from ${teams} where tournament_guid = ${tournament}`)
}

/** What the system platform has approved elsewhere, it lists here too. */
export async function insertApproval(tx: Tx, tournament: string, now: Date): Promise<void> {
  await tx.session.orm.execute(sql`
    insert into ${visibilityRequests} (tournament_guid, platform_guid, status, decided_at)
    select ${tournament}::uuid, guid, 'approved', ${now.toISOString()}::timestamptz from ${platforms} where is_system`)
}

/** Maps that this service does not know yet. Of others it keeps what its own catalogue says. */
export async function insertMaps(tx: Tx, rows: readonly Row[], isTrusted: boolean, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  // Else a copy could change what the catalogue says of a map to all tournaments.
  const told = isTrusted
    ? sql`r."key", r."name", r."subName", r."artist", r."mapper", r."imageUrl", r."previewUrl", r."bpm", r."njs", r."nps",
        r."durationSeconds", r."notes", r."bombs", r."obstacles", r."maxScore", r."starsA", r."starsB", r."rankedA",
        r."rankedB", r."requirements", r."ai", r."uploadedAt", r."state", r."currentHash", null::timestamptz`
    : sql`null, null, null, null, null, null, null, null::float8, null::float8, null::float8, null::int, null::int, null::int,
        null::int, null::int, null::float8, null::float8, null::boolean, null::boolean, '{}'::text[], null,
        null::timestamptz, 'unresolved', null, ${at}`
  await tx.session.orm.execute(sql`
    insert into ${maps} (hash, characteristic, difficulty, key, name, sub_name, artist, mapper, image_url, preview_url, bpm,
      njs, nps, duration_seconds, notes, bombs, obstacles, max_score, stars_a, stars_b, ranked_a, ranked_b, requirements,
      ai, uploaded_at, state, current_hash, ask_again_at)
    select r."hash", r."characteristic", r."difficulty", ${told}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r ("hash" text, "characteristic" text, "difficulty" text,
      "key" text, "name" text, "subName" text, "artist" text, "mapper" text, "imageUrl" text, "previewUrl" text,
      "bpm" float8, "njs" float8, "nps" float8, "durationSeconds" int, "notes" int, "bombs" int, "obstacles" int,
      "maxScore" int, "starsA" float8, "starsB" float8, "rankedA" boolean, "rankedB" boolean, "requirements" text[],
      "ai" text, "uploadedAt" timestamptz, "state" text, "currentHash" text)
    on conflict do nothing`)
}

/** What identifies a map. */
export const keyOfMap = ({ hash, characteristic, difficulty }: Row): string =>
  `${hash} ${String(characteristic).toLowerCase()} ${difficulty}`

/** The GUIDs of maps, by what identifies them. */
export async function listMaps(tx: Tx, rows: readonly Row[]): Promise<readonly (readonly [string, string])[]> {
  const found = await tx.session.orm.execute<{ key: string; guid: string }>(sql`
    select concat_ws(' ', m.hash, lower(m.characteristic), m.difficulty) as key, m.guid
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (hash text, characteristic text, difficulty text)
    join ${maps} m on m.hash = r.hash and lower(m.characteristic) = lower(r.characteristic) and m.difficulty = r.difficulty`)
  return found.rows.map(({ key, guid }) => [key, guid] as const)
}

/** The sessions of a tournament that are over. */
export async function listOver(tx: Tx, tournament: string): Promise<readonly string[]> {
  const { rows } = await tx.session.orm.execute<{ guid: string }>(
    sql`select guid from ${flowSessions} where tournament_guid = ${tournament} and status = 'over' order by guid`,
  )
  return rows.map(({ guid }) => guid)
}

/** Counts who holds the badges of a tournament. */
export async function writeHolders(tx: Tx, tournament: string): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${badges} b set holders = (select count(*) from ${badgeGrants} g where g.badge_guid = b.guid and g.revoked_at is null)
    where b.tournament_guid = ${tournament}`)
}

/** Pool maps that stay hidden in the qualifier. */
export async function insertWithdrawn(tx: Tx, guids: readonly string[]): Promise<void> {
  await tx.session.orm.execute(
    sql`insert into ${withdrawnMaps} (guid) select unnest(${sql.param([...guids])}::uuid[]) on conflict do nothing`,
  )
}

/** What the draft of an overlay says of its versions. */
export async function writeVersionNumbers(
  tx: Tx,
  overlay: string,
  { published, next }: { readonly published: number | null; readonly next: number },
): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${overlayDrafts} set published_version = ${published}, next_version = ${next} where overlay_guid = ${overlay}`)
}
