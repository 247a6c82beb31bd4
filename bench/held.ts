import { inTurns, load, median, over } from './load.ts'
import { makeMatches } from './matches.ts'
import { type Row, ratio, told } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer } from './world.ts'

const matchesOfAll = 5_000
const heldTournaments = 20
const connections = 16
const rounds = 10
const pairs = 2_000
/** What is added to the times of one of two equal services, to see whether it would be found. */
const injectedMs = 0.1

/**
 * Reads that no cache answers: of open tournaments while another one is held, and of held tournaments by outsiders. Both are
 * compared with the same reads while nothing is held. Then the times of answers about two held tournaments, one with hidden
 * changes, and the writes that the triggers look at.
 */
export async function heldReads(service: Service): Promise<Row[]> {
  const { url, runtime } = service
  const organiser = await makePlayer(runtime)
  const tournaments = await makeMatches(service, organiser.guid, matchesOfAll, 'ready')
  const { pool } = runtime.database
  await pool.query('vacuum analyze')
  const [held, open] = [tournaments.slice(0, heldTournaments), tournaments.slice(heldTournaments)]
  const hold = (guids: readonly string[]) =>
    pool.query(
      `update tournaments set stream_delay_seconds = 600,
         spoiler_mode = case when guid = any ($1::uuid[]) then 'held' else 'open' end
       where (spoiler_mode = 'held') <> (guid = any ($1::uuid[]))`,
      [guids],
    )
  const read = async (guids: readonly string[], times: number) => {
    const rates: number[] = []
    for (let time = 0; time < times; time++) {
      await touch(service, ['*'])
      const paths = guids.flatMap((guid) => ['', '/matches', '/teams'].map((rest) => `/api/tournaments/${guid}${rest}`))
      rates.push(
        await load(
          url,
          over(paths, (path) => ({ path })),
          connections,
        ),
      )
    }
    return median(rates)
  }
  const during = (guids: readonly string[], of: readonly string[], times: number) => async () => {
    await hold(guids)
    return read(of, times)
  }
  const beside = await inTurns(during(held.slice(0, 1), open, 1), during([], open, 1))
  const outside = await inTurns(during(held, held, rounds), during([], held, rounds))
  const rows = [
    ratio(
      'tournaments, matches and teams, not remembered, while another is held',
      'the same, nothing held',
      beside,
      0.83,
    ),
    ratio('the same of 20 held tournaments, by outsiders', 'the same tournaments, nothing held', outside, 0.83),
  ]
  await hold([])
  rows.push(await writes(service))
  const [one = '', other = ''] = held
  await hold([one, other])
  rows.push(...(await times(service, one, other)))
  await hold([])
  return rows
}

const touch = ({ runtime }: Service, tags: readonly string[]) =>
  runtime.database.pool.query(`select emit_event('bench.touched', null, null, null, null, null, $1)`, [tags])

/** Writes while nothing is held, compared with the same ones without the triggers of held tables. */
async function writes({ runtime }: Service): Promise<Row> {
  const { pool } = runtime.database
  const { rows } = await pool.query<{ guid: string }>('select guid from matches order by guid limit 1000')
  const write = (enabled: string) => async () => {
    await pool.query(`alter table matches ${enabled} trigger held_updated`)
    const started = performance.now()
    for (const { guid } of rows) {
      await pool.query('update matches set revision = revision + 1 where guid = $1', [guid])
    }
    return rows.length / ((performance.now() - started) / 1_000)
  }
  const measured = await inTurns(write('enable'), write('disable'))
  await pool.query('alter table matches enable trigger held_updated')
  return ratio(
    'a changed row of a match, nothing held',
    'the same statement without the triggers of held tables',
    measured,
    null,
  )
}

/** The times of reads about two held tournaments of the same form; the first has hidden changes. */
async function times(service: Service, one: string, other: string): Promise<Row[]> {
  const { pool } = service.runtime.database
  const change = () =>
    pool.query(
      `update matches set status = 'completed', completed_at = now(), revision = revision + 1 where tournament_guid = $1`,
      [one],
    )
  await change()
  const ask = async (guid: string) => {
    const started = performance.now()
    const answer = await fetch(`${service.url}/api/tournaments/${guid}/matches`)
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`matches were answered ${answer.status}`)
    return performance.now() - started
  }
  const compare = async (work: string, before: () => Promise<unknown>) => {
    const taken: [number[], number[]] = [[], []]
    for (let pair = 0; pair < pairs; pair++) {
      await before()
      // The process learns what has happened, and the connection is warm.
      await (await fetch(`${service.url}/api/platforms`)).arrayBuffer()
      for (const index of Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)) {
        taken[index].push(await ask(index === 0 ? one : other))
      }
    }
    const [first, second] = taken
    const figures = `medians ${median(first).toFixed(3)} and ${median(second).toFixed(3)} ms of ${pairs} each; with ${injectedMs * 1_000} µs more for one, p = ${pOf(
      first.map((ms) => ms + injectedMs),
      second,
    ).toExponential(0)}`
    return told(work, 'a held tournament without hidden changes', `p = ${pOf(first, second).toPrecision(2)}`, figures)
  }
  return [
    await compare('outsider’s matches of a tournament with hidden changes, not remembered', () =>
      touch(service, [one, other]),
    ),
    await compare('the same, remembered', async () => {}),
    await compare('the same, while something hidden happens before each', async () => {
      await change()
      await touch(service, [one])
    }),
  ]
}

/**
 * How probable a difference like this one is where both samples have the same distribution: the rank-sum test of Mann and
 * Whitney, two-sided, in its normal approximation.
 */
function pOf(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((ms) => [ms, 1] as const), ...other.map((ms) => [ms, 0] as const)].sort(([a], [b]) => a - b)
  const ranks = all.reduce((sum, [, isOne], index) => sum + isOne * (index + 1), 0)
  const [n, m] = [one.length, other.length]
  const z = (ranks - (n * (n + m + 1)) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return 2 * upperTail(Math.abs(z))
}

/** The upper tail of the normal distribution. (Abramowitz and Stegun, 26.2.17) */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * z)
  const poly =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly
}
