import { during, inTurns, load } from './load.ts'
import { type Row, ratio } from './report.ts'
import { type Service, startPlain } from './service.ts'
import { makePlayer, makeTournaments } from './world.ts'

const connections = 64
const seconds = 3

/**
 * Reads that players make on a match day: a pool and its playlist. Compared with `node:http` sending the same bytes
 * with the same headers.
 */
export async function poolReads(service: Service): Promise<Row[]> {
  const rows: Row[] = []
  for (const [work, maps, file] of [
    ['pool of 30 maps, hot', 30, ''],
    ['playlist of 200 maps, hot', 200, '/playlist.bplist'],
  ] as const) {
    const organiser = await makePlayer(service.runtime)
    const [tournament = ''] = await makeTournaments(service.runtime, organiser.guid, 1)
    const path = `/api/resources/pooling/pools/${await makePool(service, tournament, maps)}${file}`
    for (const accepts of ['identity', 'gzip, br']) {
      const plain = await startPlain(service.url + path, accepts)
      const ask = (target: string) => () =>
        load(
          target,
          during(seconds, () => ({ path, accepts })),
          connections,
        )
      const measured = await inTurns(ask(service.url), ask(plain.url))
      await plain.stop()
      rows.push(
        ratio(
          `${work}${accepts === 'identity' ? '' : ', compressed'}, ${Math.round(plain.bytes / 1_000)} kB`,
          'plain node:http sending the same bytes and headers',
          measured,
          0.5,
        ),
      )
    }
  }
  return rows
}

/** Creates a published pool of a tournament, with flairs and all catalogue data of its maps; returns its GUID. */
export async function makePool(
  { runtime }: Pick<Service, 'runtime'>,
  tournament: string,
  maps: number,
): Promise<string> {
  const { rows } = await runtime.database.pool.query<{ guid: string }>(
    `with pool as (
       insert into pools (tournament_guid, name, name_key, kind, "order", status, published_at, shown_at, revision,
         last_revision)
       values ($1, 'Finals', 'finals', 'match', 0, 'published', now(), now(), 1, 1) returning guid
     ), styles as (
       insert into flairs (tournament_guid, name, color, "order")
       select $1, 'Style ' || n, '#3fa7d6', n from generate_series(0, 4) n returning guid, "order"
     ), made as (
       insert into maps (hash, characteristic, difficulty, key, name, sub_name, artist, mapper, image_url, preview_url, bpm,
         njs, nps, duration_seconds, notes, bombs, obstacles, max_score, stars_a, stars_b, ranked_a, ranked_b, ai, uploaded_at,
         checked_at, state)
       select hash, 'Standard', 'ExpertPlus', to_hex(n), 'A song called ' || n, 'feat. Somebody', 'Artist ' || n,
         'Mapper ' || n, 'https://cdn.example.org/' || hash || '.jpg', 'https://cdn.example.org/' || hash || '.mp3', 174.5,
         18.5, 7.25, 203, 1472, 14, 23, 1347115, 9.87, 10.12, true, true, 'none', now(), now(), 'known'
       from (select n, encode(sha256(($1 || '/' || n)::bytea), 'hex') as digest from generate_series(0, $2::int - 1) n) as songs,
         lateral (select left(digest, 40) as hash) as short
       returning guid
     ), placed as (select guid, row_number() over () - 1 as place from made), entered as (
       insert into pool_maps (pool_guid, map_guid, flair_guid, "order", is_tiebreaker, modifiers, player_options, options,
         weight, note, released_at)
       select pool.guid, placed.guid, styles.guid, place, place = 0, '{NoFail}', '{}',
         '{"disablePause":false,"disableFail":false,"disableScoreSubmission":false,"showScoreboard":false,"disableCustomNotesOnStream":false,"target":null}',
         1, 'Played twice at most.', now()
       from pool, placed join styles on styles."order" = place % 5
     )
     select guid from pool`,
    [tournament, maps],
  )
  return rows[0]?.guid as string
}
