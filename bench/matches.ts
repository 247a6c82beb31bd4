import { during, inTurns, load, median } from './load.ts'
import { below, type Row, ratio } from './report.ts'
import { type Service, startPlain } from './service.ts'
import { makePlayer, makeTeams, makeTournaments } from './world.ts'

const hotPath = '/api/matches?status=running'
const seconds = 3
const connections = 64
const sizes = [1_000, 200_000] as const
const matchesOfTournament = 25
const chunk = 10_000
const reads = 300

/**
 * Reads the matches of all tournaments: those that are running, from the cache, compared with `node:http` sending the
 * same bytes; and page after page of those that are scheduled, while they grow two hundredfold.
 */
export async function allMatches(service: Service): Promise<Row[]> {
  const { url, runtime } = service
  const organiser = await makePlayer(runtime)
  await makeMatches(service, organiser.guid, 100, 'running')
  const plain = await startPlain(url + hotPath)
  const ask = (target: string) => () =>
    load(
      target,
      during(seconds, () => ({ path: hotPath })),
      connections,
    )
  const measured = await inTurns(ask(url), ask(plain.url))
  await plain.stop()
  const hot = ratio(
    `running matches of all tournaments, hot, ${Math.round(plain.bytes / 1000)} kB`,
    'plain node:http sending the same bytes and headers',
    measured,
    0.5,
  )

  const medians: number[] = []
  let made = 0
  for (const size of sizes) {
    for (; made < size; made += Math.min(chunk, size)) {
      await makeMatches(service, organiser.guid, Math.min(chunk, size - made), 'ready')
    }
    await runtime.database.pool.query('vacuum analyze')
    medians.push(await pageMs(`${url}/api/matches?limit=25`))
  }
  const figures = sizes.map((size, index) => `${medians[index]?.toFixed(2)} ms at ${size}`).join(', ')
  const growth = Math.max(...medians) / Math.min(...medians)
  return [hot, below('page of matches of all tournaments', 'itself, slowest ÷ fastest', growth, 1.5, '', figures)]
}

/** Matches of listed tournaments, all within the next 30 days. Returns the GUIDs of the tournaments. */
export async function makeMatches(
  { runtime }: Service,
  organiser: string,
  count: number,
  status: string,
): Promise<readonly string[]> {
  const tournaments = await makeTournaments(runtime, organiser, Math.ceil(count / matchesOfTournament))
  await makeTeams(runtime, tournaments, organiser)
  await runtime.database.pool.query(
    `with division as (
       insert into divisions (tournament_guid, id, name, "order")
       select guid, 'main', 'Main', 1 from unnest($1::uuid[]) guid returning guid, tournament_guid),
     bracket as (
       insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
       select tournament_guid, guid, 'Playoffs', 1, 'single_elimination', '{}', 'running', 1 from division
       returning guid, division_guid, tournament_guid)
     insert into matches (tournament_guid, division_guid, bracket_guid, number, section, round, status, team1_guid, sides,
       best_of, scheduled_at, started, started_at)
     select b.tournament_guid, b.division_guid, b.guid, n, 'upper', 1, $3, t.guid,
       '[{"slot":1,"from":null,"bye":false,"empty":false,"score":1,"result":null},
         {"slot":null,"from":null,"bye":false,"empty":false,"score":0,"result":null}]', 3,
       now() + interval '1 hour' + random() * interval '29 days', $3 = 'running', case when $3 = 'running' then now() end
     from bracket b join teams t on t.tournament_guid = b.tournament_guid, generate_series(1, $2::int) n`,
    [tournaments, Math.min(count, matchesOfTournament), status],
  )
  return tournaments
}

/** The median in milliseconds. Every read follows the cursor, so that no page is cached. */
async function pageMs(first: string): Promise<number> {
  const taken: number[] = []
  let cursor: string | null = null
  for (let read = 0; read < reads + 30; read++) {
    const started = performance.now()
    const answer = await fetch(cursor === null ? first : `${first}&before=${cursor}`)
    if (answer.status !== 200) throw new Error(`${first} was answered ${answer.status}`)
    const page = (await answer.json()) as { nextCursor: string | null }
    // The first reads include the planning of statements.
    if (read >= 30 && cursor !== null) taken.push(performance.now() - started)
    cursor = page.nextCursor
  }
  return median(taken)
}
