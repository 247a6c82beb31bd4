import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../test/bracket-play.ts'
import { type Harness, startHarness } from '../../../test/harness.ts'

/** Earlier states of tables, read through the views of the schema `delayed`. */

let api: Harness
let made: MadeBracket
let client: pg.Client
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  client = new pg.Client({ connectionString: api.app.config.databaseUrl ?? undefined })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await api[Symbol.asyncDispose]()
})

test('the views have every column of their tables: call keep_earlier again where one was added', async () => {
  const columns = (schema: string) =>
    api.sql(
      `select table_name, column_name, data_type from information_schema.columns
       where table_schema = $1 and table_name in (select table_name from information_schema.views where table_schema = 'delayed')
       order by table_name, ordinal_position`,
      [schema],
    )
  const views = await columns('delayed')
  expect(views.length).toBeGreaterThan(40)
  expect(views).toEqual(await columns('public'))
})

test('whatever happens to rows, at each instant they are shown as they were then', async () => {
  await api.sql('update tournaments set stream_delay_seconds = 60 where guid = $1', [made.cup.guid])
  const slot = fc.integer({ min: 10, max: 13 })
  const change = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), slot, seed: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ kind: fc.constant('remove' as const), slot, seed: fc.constant(0) }),
    fc.record({ kind: fc.constant('raise' as const), slot: fc.constant(0), seed: fc.constant(0) }),
  )
  const statements = {
    put: `insert into bracket_entrants (tournament_guid, bracket_guid, slot, seed) values ($1, $2, $3, $4)
          on conflict (bracket_guid, slot) do update set seed = excluded.seed`,
    remove: 'delete from bracket_entrants where tournament_guid = $1 and bracket_guid = $2 and slot = $3 and $4 = 0',
    raise: `update bracket_entrants set seed = seed + 10
            where tournament_guid = $1 and bracket_guid = $2 and slot >= 10 and $3 = 0 and $4 = 0`,
  }
  const rows = async (schema: string) =>
    (
      await client.query(
        `select slot, seed from ${schema}.bracket_entrants where bracket_guid = $1 and slot >= 10 order by slot`,
        [made.bracket.guid],
      )
    ).rows
  const start = Date.parse('2026-01-01T00:00:00Z')
  const instant = (step: number) => new Date(start + step * 10).toISOString()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
      async (transactions) => {
        await client.query('rollback; begin')
        // Each step stands for a transaction at its own time; the transaction is rolled back at the end.
        const states = [await rows('public')]
        for (const [step, changes] of transactions.entries()) {
          await client.query(`select set_config('downbeat.keeping_at', $1, true)`, [instant(step + 1)])
          for (const { kind, slot: place, seed } of changes) {
            await client.query(statements[kind], [made.cup.guid, made.bracket.guid, place, seed])
          }
          states.push(await rows('public'))
        }
        await client.query(`select set_config('downbeat.shown_tournament', $1, true)`, [made.cup.guid])
        for (const [step, state] of states.entries()) {
          for (const at of [instant(step), new Date(Date.parse(instant(step)) + 9).toISOString()]) {
            await client.query(`select set_config('downbeat.shown_at', $1, true)`, [at])
            expect(await rows('delayed'), at).toEqual(state)
          }
        }
      },
    ),
    { numRuns: 60 },
  )
  await client.query('rollback')
})

test('nothing is kept of tournaments without a delay, and of others for the longest delay and two minutes', async () => {
  const other = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  await other.win(1, 'team-1')
  expect(await api.sql('select from earlier_rows where tournament_guid = $1', [other.cup.guid])).toEqual([])
  await api.sql('update tournaments set stream_delay_seconds = 60 where guid = $1', [other.cup.guid])
  await other.win(2, 'team-2')
  await other.win(3, 'team-1')
  const kept = () => api.sql<{ n: number }>('select count(*)::int as n from earlier_rows')
  const [before] = await kept()
  expect(before?.n).toBeGreaterThan(4)
  await api.sql(`update earlier_rows set until = until - interval '1921 seconds', since = '-infinity'
                 where ctid in (select ctid from earlier_rows limit 2)`)
  await api.sql(`select graphile_worker.add_job('delay.sweep')`)
  await expect.poll(kept, { interval: 20 }).toEqual([{ n: (before?.n ?? 0) - 2 }])
})
