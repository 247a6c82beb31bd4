import { sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
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

/** Of a map, what a package tells beyond its identity. */
const toldMembers = [
  ...['key', 'name', 'subName', 'artist', 'mapper', 'imageUrl', 'previewUrl', 'bpm', 'njs', 'nps', 'durationSeconds'],
  ...['notes', 'bombs', 'obstacles', 'maxScore', 'starsA', 'starsB', 'rankedA', 'rankedB', 'requirements', 'ai'],
  ...['uploadedAt', 'state', 'currentHash'],
]
const toldColumns = sql.raw(toldMembers.map((name) => toSnakeCase(name)).join(', '))
const told = sql.raw(toldMembers.map((name) => `r."${name}"`).join(', '))
const taken = sql.raw(toldMembers.map((name) => `${toSnakeCase(name)} = excluded.${toSnakeCase(name)}`).join(', '))

/**
 * Inserts the maps that this service does not know yet, and fills those about which its catalogue has never got an answer.
 * Of all others it keeps what its own catalogue says. Lock the maps before.
 */
export async function insertToldMaps(tx: Tx, rows: readonly Row[]): Promise<void> {
  await tx.session.orm.execute(sql`
    insert into ${maps} (hash, characteristic, difficulty, ${toldColumns})
    select r.hash, r.characteristic, r.difficulty, ${told} from ${distinctMaps(rows)} r
    on conflict (hash, lower(characteristic), difficulty) do update
      set characteristic = excluded.characteristic, ${taken}, asked_in_vain = 0, ask_again_at = null
      where ${maps.state} = 'unresolved' and excluded.state <> 'unresolved'`)
}

/** Inserts the maps that this service does not know yet, without what a package tells: the catalogue is asked. */
export async function insertMaps(tx: Tx, rows: readonly Row[], now: Date): Promise<void> {
  await tx.session.orm.execute(sql`
    insert into ${maps} (hash, characteristic, difficulty, state, ask_again_at)
    select r.hash, r.characteristic, r.difficulty, 'unresolved', ${now.toISOString()}::timestamptz
    from ${distinctMaps(rows)} r
    on conflict do nothing`)
}

/** In one order, so that two transactions that insert the same maps do not deadlock. */
const distinctMaps = (rows: readonly Row[]) => sql`(
  select distinct on (hash collate "C", lower(characteristic) collate "C", difficulty collate "C") *
  from json_to_recordset(${JSON.stringify(rows)}::json) as r ("hash" text, "characteristic" text, "difficulty" text,
    "key" text, "name" text, "subName" text, "artist" text, "mapper" text, "imageUrl" text, "previewUrl" text,
    "bpm" float8, "njs" float8, "nps" float8, "durationSeconds" int, "notes" int, "bombs" int, "obstacles" int,
    "maxScore" int, "starsA" float8, "starsB" float8, "rankedA" boolean, "rankedB" boolean, "requirements" text[],
    "ai" text, "uploadedAt" timestamptz, "state" text, "currentHash" text)
  order by hash collate "C", lower(characteristic) collate "C", difficulty collate "C")`

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
