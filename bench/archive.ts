import { median } from './load.ts'
import { below, type Row } from './report.ts'
import { type Service, startService } from './service.ts'
import { makePlayer, makeTournaments } from './world.ts'

const sizes = [1_000, 200_000] as const
const reads = 150
const mapsOfPool = 20
const poolsOfTournament = 5
const chunk = 1_000

/** The queries of the archive: words that many, few and single maps have, and each order. */
export const questions: Readonly<Record<string, string>> = {
  'a rare word': 'q=rarest',
  'a word of one in a hundred': 'q=uncommon',
  'a common word': 'q=common',
  'a common beginning': 'q=com',
  'a rare and a common word': 'q=rarest+common',
  'two common words': 'q=frequent+common',
  'common, by use': 'q=common&sort=used',
  'common, by name': 'q=common&sort=name',
  'common, by stars': 'q=common&sort=stars',
  'rare, by use': 'q=uncommon&sort=used',
  'a common word and a range': 'q=common&npsMin=5&npsMax=6',
  'the whole list': 'sort=newest',
}

/**
 * Reads one page of the archive of maps for each query, from two services: one with a small archive, and one with two
 * hundred times as many maps. They are read in turns, so that other work of the machine affects both.
 */
export async function archivePages(large: Service): Promise<Row[]> {
  const small = await startService()
  try {
    const services = [small, large]
    for (const [index, service] of services.entries()) await fill(service, sizes[index] ?? 0)
    const rows: Row[] = []
    for (const [name, query] of Object.entries(questions)) {
      const times = await pageMs(services.map(({ url }) => `${url}/api/resources/pooling/maps?limit=25&${query}`))
      const figures = sizes.map((size, index) => `${times[index]?.toFixed(2)} ms at ${size}`).join(', ')
      const growth = Math.max(...times) / Math.min(...times)
      rows.push(below(`archive: ${name}`, 'itself, slowest ÷ fastest', growth, 1.5, '', figures))
    }
    return rows
  } finally {
    await small.close()
  }
}

async function fill(service: Service, size: number): Promise<void> {
  const organiser = await makePlayer(service.runtime)
  for (let made = 0; made < size; made += chunk) {
    await growArchive(service, organiser.guid, made, Math.min(chunk, size - made))
  }
  await service.runtime.database.pool.query('vacuum analyze')
}

/** Adds maps, in published pools of listed tournaments. */
export async function growArchive({ runtime }: Service, organiser: string, from: number, count: number): Promise<void> {
  const pools = count / mapsOfPool
  const tournaments = await makeTournaments(runtime, organiser, pools / poolsOfTournament)
  const { pool } = runtime.database
  await pool.query(
    `insert into pools (tournament_guid, name, name_key, kind, "order", status, published_at, revision)
     select ($1::uuid[])[1 + n / ${poolsOfTournament}], 'Pool ' || n, 'pool ' || n, 'match', n, 'published',
       now() + ($2::int + n) * interval '1 s', 1
     from generate_series(0, $3::int - 1) n`,
    [tournaments, from, pools],
  )
  await pool.query(
    `with made as (
       insert into maps (hash, characteristic, difficulty, key, name, artist, mapper, nps, duration_seconds, stars_a, state)
       select lpad(to_hex(n), 40, '0'), 'Standard', 'ExpertPlus', to_hex(n),
         'Song ' || n || case when n % 2 = 0 then ' common' else '' end || case when n % 3 = 0 then ' frequent' else '' end
           || case when n % 100 = 7 then ' uncommon' else '' end || case when n = 500 then ' rarest' else '' end,
         'Artist ' || n % 5000, 'Mapper ' || n % 3000, n % 100 / 10.0, 60 + n % 300,
         case when n % 4 = 0 then n % 1300 / 100.0 end, 'known'
       from generate_series($1::int, $1::int + $2::int - 1) n
       returning guid
     ), placed as (select guid, row_number() over () - 1 as place from made), numbered as (select guid, row_number() over (order by guid) - 1 as place from pools where tournament_guid = any($3::uuid[]))
     insert into pool_maps (pool_guid, map_guid, "order", is_tiebreaker, modifiers, player_options, options, weight, released_at)
     select p.guid, m.guid, m.place, false, '{}', '{}', '{}', 1, now()
     from placed m join numbered p on p.place = m.place / ${mapsOfPool}`,
    [from, count, tournaments],
  )
}

/** The median of each in milliseconds. Reads follow the cursor where there is one, so that no page is cached. */
async function pageMs(firsts: readonly string[]): Promise<number[]> {
  const walks = firsts.map((first) => ({ first, next: first, taken: [] as number[] }))
  for (let read = 0; read < reads + 30; read++) {
    for (const walk of walks) {
      const started = performance.now()
      const answer = await fetch(walk.next)
      if (answer.status !== 200) throw new Error(`${walk.first} was answered ${answer.status}`)
      const { nextCursor } = (await answer.json()) as { nextCursor: string | null }
      // The first reads include the planning of statements.
      if (read >= 30) walk.taken.push(performance.now() - started)
      walk.next = nextCursor === null ? walk.first : `${walk.first}&before=${encodeURIComponent(nextCursor)}`
    }
  }
  return walks.map(({ taken }) => median(taken))
}
