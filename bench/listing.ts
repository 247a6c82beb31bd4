import { median } from './load.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments } from './world.ts'

const reads = 300
const chunk = 2_000

/** Reads one page of the public list of tournaments, while the list grows two hundredfold. */
export async function listPages(service: Service): Promise<Row[]> {
  const organiser = await makePlayer(service.runtime)
  const grow = (count: number) => makeTournaments(service.runtime, organiser.guid, count)
  return flat(service, 'list page', '/api/tournaments', [1_000, 200_000], grow)
}

/** Reads one page of a tournament's updates, while they grow a thousandfold. */
export async function updatePages(service: Service): Promise<Row[]> {
  const { pool } = service.runtime.database
  const organiser = await makePlayer(service.runtime)
  const [tournament] = await makeTournaments(service.runtime, organiser.guid, 1)
  const grow = (count: number) =>
    pool.query(
      `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash, created_at)
       select gen_random_uuid(), $1, $2, 'Round ' || n, 'The matches of round ' || n || ' are set.', '[]', '\\x00',
         now() - random() * interval '300 days'
       from generate_series(1, $3::int) as n`,
      [tournament, organiser.guid, count],
    )
  return flat(service, 'updates page', `/api/tournaments/${tournament}/updates`, [100, 100_000], grow)
}

/** Reads one page of a platform's requests, while they grow a thousandfold. */
export async function requestPages(service: Service): Promise<Row[]> {
  const { pool } = service.runtime.database
  const organiser = await makePlayer(service.runtime)
  await pool.query(`update users set global_roles = '{role:owner}' where guid = $1`, [organiser.guid])
  const { rows } = await pool.query<{ guid: string }>(
    `insert into platforms (context_id, name) values ('bench-queue', 'Queue') returning guid`,
  )
  const grow = async (count: number) => {
    const tournaments = await makeTournaments(service.runtime, organiser.guid, count)
    await pool.query(
      `insert into visibility_requests (tournament_guid, platform_guid, status, requested_at)
       select guid, $2, (array['pending', 'approved', 'rejected'])[1 + floor(random() * 3)::int],
         now() - random() * interval '300 days'
       from unnest($1::uuid[]) as guid`,
      [tournaments, rows[0]?.guid],
    )
  }
  const path = '/api/tournament-platforms/bench-queue/requests'
  return flat(service, 'requests page', path, [100, 100_000], grow, organiser.token)
}

/** The same page at each size, with one read after the other. */
async function flat(
  { url, runtime }: Service,
  work: string,
  path: string,
  sizes: readonly number[],
  grow: (count: number) => Promise<unknown>,
  token?: string,
): Promise<Row[]> {
  const medians: number[] = []
  let made = 0
  for (const size of sizes) {
    while (made < size) {
      const count = Math.min(chunk, size - made)
      await grow(count)
      made += count
    }
    await runtime.database.pool.query('vacuum analyze')
    medians.push(await pageMs(`${url}${path}?limit=25`, token))
  }
  const figures = sizes.map((size, index) => `${medians[index]?.toFixed(2)} ms at ${size}`).join(', ')
  return [below(work, 'itself, slowest ÷ fastest', Math.max(...medians) / Math.min(...medians), 1.5, '', figures)]
}

/** The median in milliseconds. Every read follows the cursor, so that no page is cached. */
async function pageMs(first: string, token?: string): Promise<number> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const taken: number[] = []
  let cursor: string | null = null
  for (let read = 0; read < reads + 30; read++) {
    const started = performance.now()
    const answer = await fetch(cursor === null ? first : `${first}&before=${cursor}`, { headers })
    if (answer.status !== 200) throw new Error(`${first} was answered ${answer.status}`)
    const page = (await answer.json()) as { nextCursor: string | null }
    // The first reads include the planning of statements.
    if (read >= 30) taken.push(performance.now() - started)
    cursor = page.nextCursor
  }
  return median(taken)
}
