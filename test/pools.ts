import { nameKeyOf } from '../src/core/names.ts'
import { poolsTag } from '../src/features/maps/pools/events.ts'
import type { Harness } from './harness.ts'
import { touch } from './make.ts'

/** Catalogue maps, flairs and pools for tests, each inserted with one statement. */

let sequence = 0

export interface MadeMap {
  readonly guid: string
  readonly hash: string
}

export interface MapOptions {
  readonly hash?: string
  readonly characteristic?: string
  readonly difficulty?: string
  readonly key?: string | null
  readonly name?: string | null
  readonly subName?: string | null
  readonly artist?: string | null
  readonly mapper?: string | null
  readonly nps?: number | null
  readonly durationSeconds?: number | null
  readonly maxScore?: number | null
  readonly starsA?: number | null
  readonly starsB?: number | null
  readonly state?: 'known' | 'unresolved' | 'missing' | 'outdated'
  readonly currentHash?: string | null
}

/** Inserts a map, by default of a new song: `Song 1`, by `Artist` and `Mapper`. */
export async function makeMap(api: Harness, options: MapOptions = {}): Promise<MadeMap> {
  const [made] = await makeMaps(api, [options])
  return made as MadeMap
}

/** Inserts maps, one for each option or the given number, in order. */
export async function makeMaps(api: Harness, given: number | readonly MapOptions[]): Promise<MadeMap[]> {
  const all = typeof given === 'number' ? Array.from({ length: given }, (): MapOptions => ({})) : given
  const rows = all.map((options) => {
    const number = ++sequence
    return {
      hash: `${process.pid.toString(16)}${number.toString(16).padStart(8, '0')}`.padStart(40, 'a'),
      characteristic: 'Standard',
      difficulty: 'ExpertPlus',
      key: number.toString(16),
      name: `Song ${number}`,
      subName: null,
      artist: 'Artist',
      mapper: 'Mapper',
      nps: 7.5,
      durationSeconds: 180,
      maxScore: 1_000_000,
      starsA: null,
      starsB: null,
      state: 'known',
      currentHash: null,
      ...options,
    }
  })
  return api.sql<MadeMap>(
    `with given as (
       select gen_random_uuid() as guid, n, r.* from jsonb_array_elements($1::jsonb) with ordinality as e (row, n),
         jsonb_to_record(e.row) as r (hash text, characteristic text, difficulty text, key text, name text, "subName" text,
           artist text, mapper text, nps float8, "durationSeconds" int, "maxScore" int, "starsA" float8, "starsB" float8,
           state text, "currentHash" text)
     ), made as (
       insert into maps (guid, hash, characteristic, difficulty, key, name, sub_name, artist, mapper, nps, duration_seconds,
         max_score, stars_a, stars_b, ranked_a, ranked_b, state, current_hash, bpm, njs, notes, bombs, obstacles, checked_at)
       select guid, hash, characteristic, difficulty, key, name, "subName", artist, mapper, nps, "durationSeconds",
         "maxScore", "starsA", "starsB", "starsA" is not null, "starsB" is not null, state, "currentHash",
         180, 18, 1000, 10, 20, now() from given
     )
     select guid, hash from given order by n`,
    [JSON.stringify(rows)],
  )
}

/** Returns the GUID of the flair. */
export async function makeFlair(api: Harness, tournamentGuid: string, name: string): Promise<string> {
  const [row] = await api.sql<{ guid: string }>(
    `insert into flairs (tournament_guid, name, color, "order")
     select $1, $2, '#3366cc', count(*) from flairs where tournament_guid = $1 returning guid`,
    [tournamentGuid, name],
  )
  return row?.guid as string
}

export interface PoolOptions {
  readonly name?: string
  readonly kind?: 'match' | 'qualifier'
  readonly status?: 'draft' | 'published' | 'archived'
  /** For a draft: when it is scheduled. */
  readonly publishAt?: Date | null
  /** Now by default, unless it is a draft. */
  readonly publishedAt?: Date
  readonly playlistTitle?: string | null
  readonly previewRoles?: readonly string[]
  readonly maps?: readonly (string | PoolMapOptions)[]
}

export interface PoolMapOptions {
  readonly mapGuid: string
  readonly flairGuid?: string | null
  /** Whether outsiders see it once its pool is published; otherwise it is released in a year. */
  readonly isReleased?: boolean
  /** When outsiders could first see it; by default with the pool. */
  readonly releasedAt?: Date
  readonly isTiebreaker?: boolean
}

export interface MadePool {
  readonly guid: string
  readonly name: string
  /** GUIDs of its pool maps, in order. */
  readonly poolMaps: readonly string[]
}

/** Inserts a pool after the others of the tournament; a draft by default. */
export async function makePool(api: Harness, tournamentGuid: string, options: PoolOptions = {}): Promise<MadePool> {
  const name = options.name ?? `Pool ${++sequence}`
  const status = options.status ?? 'draft'
  const publishedAt = status === 'draft' ? null : (options.publishedAt ?? new Date())
  const [row] = await api.sql<{ guid: string }>(
    `insert into pools (tournament_guid, name, name_key, kind, "order", status, publish_at, published_at, archived_at,
       revision, last_revision, playlist_title, preview_roles, shown_at)
     select $1, $2, $3, $4, coalesce(max("order") + 1, 0), $5::text, $6, $7::timestamptz,
       case $5::text when 'archived' then now() end, case when $5::text <> 'draft' then 1 end,
       case when $5::text <> 'draft' then 1 else 0 end, $8, $9, $7::timestamptz
     from pools where tournament_guid = $1 returning guid`,
    [
      ...[
        tournamentGuid,
        name,
        nameKeyOf(name),
        options.kind ?? 'match',
        status,
        options.publishAt ?? null,
        publishedAt,
      ],
      ...[options.playlistTitle ?? null, options.previewRoles ?? []],
    ],
  )
  const guid = row?.guid as string
  const poolMaps = await addPoolMaps(api, guid, options.maps ?? [])
  await touch(api, poolsTag)
  return { guid, name, poolMaps }
}

/** Adds maps after those of the pool, released if the pool is not a draft; returns the GUIDs in order. */
export async function addPoolMaps(
  api: Harness,
  poolGuid: string,
  maps: readonly (string | PoolMapOptions)[],
): Promise<string[]> {
  const rows = maps.map((given) => (typeof given === 'string' ? { mapGuid: given } : given))
  const made = await api.sql<{ guid: string }>(
    `with given as (
       select gen_random_uuid() as guid, n, r.* from jsonb_array_elements($2::jsonb) with ordinality as e (row, n),
         jsonb_to_record(e.row) as r ("mapGuid" uuid, "flairGuid" uuid, "isReleased" boolean, "releasedAt" timestamptz, "isTiebreaker" boolean)
     ), made as (
       insert into pool_maps (guid, pool_guid, map_guid, flair_guid, "order", is_tiebreaker, modifiers, player_options, options, weight,
         release_at, released_at)
       select g.guid, p.guid, "mapGuid", "flairGuid",
         (select coalesce(max(m."order") + 1, 0) from pool_maps m where m.pool_guid = p.guid) + n - 1, coalesce("isTiebreaker", false), '{}', '{}',
         '{"disablePause":false,"disableFail":false,"disableScoreSubmission":false,"showScoreboard":false,"disableCustomNotesOnStream":false,"target":null}',
         1, case when not coalesce("isReleased", true) then now() + interval '1 year' end,
         case when p.status <> 'draft' and coalesce("isReleased", true) then coalesce("releasedAt", p.published_at) end
       from given g, pools p where p.guid = $1
     )
     select guid from given order by n`,
    [poolGuid, JSON.stringify(rows)],
  )
  await touch(api, poolsTag)
  return made.map(({ guid }) => guid)
}

/** Publishes a draft together with the maps that are not released later. */
export async function publishPool(api: Harness, poolGuid: string, publishedAt = new Date()): Promise<void> {
  await api.sql(
    `with published as (
       update pools set status = 'published', published_at = $2, shown_at = $2, revision = last_revision + 1,
         last_revision = last_revision + 1
       where guid = $1
     )
     update pool_maps set released_at = $2 where pool_guid = $1 and (release_at is null or release_at <= $2)`,
    [poolGuid, publishedAt],
  )
  await touch(api, poolsTag)
}
