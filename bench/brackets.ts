import { apply } from '../src/engine/progress.ts'
import { around } from '../src/features/brackets/brackets/commands/board.ts'
import { progress } from '../src/features/brackets/brackets/rules/board.ts'
import {
  advanceBracket,
  findBracket,
  listWithdrawn,
  lockBracket,
} from '../src/features/brackets/brackets/store/brackets.ts'
import type { Bracket } from '../src/features/brackets/brackets/types.ts'
import { played, toEngine } from '../src/features/brackets/matches/rules.ts'
import {
  advanceMatches,
  listMatchesByGuid,
  listMatchesOfBracket,
} from '../src/features/brackets/matches/store/matches.ts'
import type { MatchRecord } from '../src/features/brackets/matches/types.ts'
import { emit } from '../src/infra/events/emit.ts'
import { during, inTurns, load, loop, over } from './load.ts'
import { type Row, ratio } from './report.ts'
import { type Service, startPlain } from './service.ts'
import { makeEntrants, makePlayer, makeTournaments, type Player } from './world.ts'

const teams = 256
const turns = 3
const seconds = 3

const reporters = 32
const brackets = 8

type Access = Pick<Service, 'url' | 'runtime'>

/** Measures results. Those of one bracket run one after another; those of several brackets share only the event log. */
export async function matchResults({ url, runtime }: Service): Promise<Row[]> {
  const organiser = await makePlayer(runtime)
  const field = await makeField({ url, runtime }, organiser, brackets)
  return [
    ...(await rows('result of a match, one bracket of 256 teams', { url, runtime }, field, (each) => each)),
    ...(await rows('result of a match, 8 brackets at once', { url, runtime }, field, (each) => [interleaved(each)])),
  ]
}

const spectators = 300
const accepts = 'gzip, br'

/**
 * Reads a whole bracket whose first round is played, anonymously and by spectators with tokens. Compared with
 * `node:http` sending the same bytes with the same headers.
 */
export async function bracketReads({ url, runtime }: Service): Promise<Row[]> {
  const organiser = await makePlayer(runtime)
  const field = await makeField({ url, runtime }, organiser, 1)
  const [bracket = ''] = field.brackets
  await load(url, requests(field, await reportsOf({ url, runtime }, field, bracket)), 1)
  const path = `/api/tournaments/${field.tournament}/brackets/${bracket}`
  const plain = await startPlain(url + path)
  const packed = await startPlain(url + path, accepts)
  const players = await Promise.all(Array.from({ length: spectators }, () => makePlayer(runtime)))
  const strangers = () => ({ path })
  const browsers = () => ({ path, accepts })
  const signedIn = (index: number) => ({ path, token: (players[index % spectators] as Player).token })
  const ask = (target: string, made: typeof strangers | typeof browsers | typeof signedIn) => () =>
    load(target, during(seconds, made), 64)
  const open = await inTurns(ask(url, strangers), ask(plain.url, strangers))
  const closed = await inTurns(ask(url, signedIn), ask(plain.url, signedIn))
  const compressed = await inTurns(ask(url, browsers), ask(packed.url, browsers))
  await plain.stop()
  await packed.stop()
  const work = `bracket of 256 teams, hot, ${Math.round(plain.bytes / 1000)} kB`
  const baseline = 'plain node:http sending the same bytes and headers'
  return [
    ratio(work, baseline, open, 0.5),
    ratio(`${work}, compressed to ${Math.round(packed.bytes / 1000)} kB`, baseline, compressed, 0.5),
    ratio(`${work}, with a token`, baseline, closed, 0.5),
  ]
}

/** A tournament of registered teams, all of which play in each of its brackets; each bracket is a division. */
interface Field {
  readonly organiser: Player
  readonly tournament: string
  readonly brackets: readonly string[]
}

export async function makeField(
  { url, runtime }: Access,
  organiser: Player,
  count: number,
  entered = teams,
): Promise<Field> {
  const [tournament = ''] = await makeTournaments(runtime, organiser.guid, 1)
  const entries = await makeEntrants(runtime, tournament, entered)
  await runtime.database.pool.query(
    `update teams set status = 'registered', registered_at = now(), seed = place
     from unnest($1::uuid[]) with ordinality as entry (team, place) where guid = team`,
    [entries.map(({ team }) => team)],
  )
  const brackets: string[] = []
  for (let number = 1; number <= count; number++) {
    const path = `${url}/api/tournaments/${tournament}/divisions`
    const division = await post<{ guid: string }>(path, organiser, { name: `Division ${number}` })
    const bracket = await post<{ guid: string }>(`${path}/${division.guid}/brackets`, organiser, {
      name: 'Playoffs',
      format: 'double_elimination',
      entrants: { source: 'registered' },
    })
    brackets.push(bracket.guid)
  }
  return { organiser, tournament, brackets }
}

async function post<T>(address: string, { token }: Player, body: unknown): Promise<T> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${address} was answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** A result to report, with the match, the following matches and the bracket after it. */
interface Report {
  readonly match: MatchRecord
  readonly after: readonly MatchRecord[]
  readonly bracket: Bracket
}

/** Generates the bracket again, and returns the results of its first round, in which all matches are ready. */
export async function reportsOf(
  { url, runtime: { database } }: Access,
  { tournament, organiser }: Field,
  guid: string,
): Promise<Report[]> {
  await post(`${url}/api/tournaments/${tournament}/brackets/${guid}/generate`, organiser, {
    entrants: { source: 'registered' },
    force: true,
  })
  let bracket = await findBracket(database.db, guid)
  if (bracket === undefined) throw new Error('the bracket is gone')
  const matches = await listMatchesOfBracket(database.db, guid)
  const records = new Map(matches.map((match) => [match.number, match]))
  const recordOf = (number: number) => records.get(number) as MatchRecord
  const board = {
    match: (number: number) => toEngine(recordOf(number)),
    withdrawn: new Map(),
    allowDraws: false,
  }
  const now = new Date()
  const reports: Report[] = []
  for (const match of matches) {
    if (match.status !== 'ready') continue
    const { number } = match
    const decision = { outcome: 'score', winner: 0, scores: [2, 0] } as const
    const changed = apply(board, { kind: 'result', match: number, decision }).map((altered) => {
      const before = recordOf(altered.number)
      return { before, after: played(before, altered, now) }
    })
    for (const { after } of changed) records.set(after.number, after)
    bracket = { ...bracket, ...progress(bracket, changed), revision: bracket.revision + 1 }
    reports.push({ match, after: changed.map(({ after }) => after), bracket })
  }
  return reports
}

/**
 * Measures the reports, compared with the same prepared statements in one transaction with the lock of the bracket and
 * the event. The bound applies to the comparison with the reads and writes under the lock; the comparison with the
 * writes alone is only shown.
 */
async function rows(
  work: string,
  access: Access,
  field: Field,
  batchesOf: (each: readonly Report[][]) => readonly Report[][],
): Promise<Row[]> {
  const prepared = async () => {
    const each: Report[][] = []
    for (const guid of field.brackets) each.push(await reportsOf(access, field, guid))
    await access.runtime.database.pool.query('vacuum (analyze) matches, brackets, bracket_entrants')
    return batchesOf(each)
  }
  const bare = (reports: readonly Report[], reads: boolean) =>
    over(reports, (report) => () => bareReport(access.runtime, field.organiser, report, reads))
  const compare = (reads: boolean) =>
    inTurns(
      async () => inBatches(await prepared(), (reports) => load(access.url, requests(field, reports), reporters)),
      async () => inBatches(await prepared(), (reports) => loop(bare(reports, reads), reporters)),
      turns,
    )
  const all = await compare(true)
  const writes = await compare(false)
  return [
    ratio(work, 'the same prepared statements, read and written under the lock of the bracket', all, 0.4),
    ratio(work, 'those of them that write', writes, null),
  ]
}

/** Reports per second, one batch after the other. */
async function inBatches(
  batches: readonly Report[][],
  measure: (reports: readonly Report[]) => Promise<number>,
): Promise<number> {
  let seconds = 0
  for (const reports of batches) seconds += reports.length / (await measure(reports))
  return batches.flat().length / seconds
}

function interleaved(each: readonly Report[][]): Report[] {
  return (each[0] ?? []).flatMap((_, index) => each.flatMap((reports) => reports[index] ?? []))
}

export function requests({ tournament, organiser: { token } }: Field, reports: readonly Report[]) {
  return over(reports, ({ match: { guid } }) => ({
    method: 'PUT' as const,
    path: `/api/tournaments/${tournament}/matches/${guid}/result`,
    token,
    json: '{"outcome":"score","winner":1,"scores":[2,0]}',
  }))
}

/** Saves one result with the SQL statements alone: without checks, decisions, JSON and HTTP. */
function bareReport({ database }: Service['runtime'], { guid }: Player, report: Report, reads: boolean) {
  const { match, after, bracket } = report
  return database.transaction(async (tx) => {
    await Promise.all([
      lockBracket(tx, bracket.guid),
      ...(reads ? [listMatchesByGuid(tx, around(match)), listWithdrawn(tx, bracket.guid)] : []),
    ])
    await Promise.all([advanceMatches(tx, after, bracket.updatedAt), advanceBracket(tx, bracket)])
    emit(tx, {
      type: 'match.completed',
      subject: match.guid,
      tournament: match.tournamentGuid,
      actor: guid,
      before: { number: match.number, status: 'ready', outcome: null, scores: [null, null], games: [] },
      after: { number: match.number, status: 'completed', outcome: 'score', scores: [2, 0], games: [] },
      touches: [bracket.guid, ...after.map((altered) => altered.guid)],
    })
  })
}
