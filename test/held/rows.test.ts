import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Harness, startHarness } from '../harness.ts'

/** Rows of held tournaments, as the views of the schema `held` show them. (V4) */

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

test('views and tables have every column of their tables: call hold_rows again where one was added', async () => {
  const columns = (schema: string) =>
    api.sql(
      `select table_name, column_name, data_type from information_schema.columns c
       where table_schema = $1 and column_name <> 'held_tournament' and (
         table_name in (select tablename from pg_tables where schemaname = 'shown') or $1 = 'held' and table_name <> 'hidden')
       order by table_name, column_name`,
      [schema],
    )
  const [inPublic, shown, held] = await Promise.all(['public', 'shown', 'held'].map(columns))
  expect(shown?.length).toBeGreaterThan(200)
  expect(shown).toEqual(inPublic)
  const names = new Set(shown?.map(({ table_name }) => table_name))
  expect(held?.filter(({ table_name }) => names.has(table_name))).toEqual(shown)
})

const place = fc.integer({ min: 10, max: 13 })
const change = fc.oneof(
  fc.record({
    kind: fc.constantFrom('put', 'remove', 'raise', 'decide', 'open', 'schedule', 'withdraw', 'return'),
    place,
  }),
)
const statements: Readonly<Record<string, string>> = {
  put: `insert into bracket_entrants (tournament_guid, bracket_guid, slot, seed) values ($1, $2, $3, 1)
        on conflict (bracket_guid, slot) do update set seed = bracket_entrants.seed + 1`,
  remove: 'delete from bracket_entrants where tournament_guid = $1 and bracket_guid = $2 and slot = $3',
  raise: `update bracket_entrants set seed = seed + 10 where tournament_guid = $1 and bracket_guid = $2 and slot > $3`,
  decide: `update matches set status = 'completed', revision = revision + 1
           where tournament_guid = $1 and bracket_guid = $2 and number <= $3 - 10`,
  open: `update matches set status = 'ready', revision = revision + 1
         where tournament_guid = $1 and bracket_guid = $2 and number <= $3 - 10`,
  schedule: `update matches set scheduled_at = coalesce(scheduled_at, now()) + interval '1 minute'
             where tournament_guid = $1 and bracket_guid = $2 and number <= $3 - 9`,
  withdraw: `update teams set withdrawn_at = now(), status = 'unregistered', seed = null
             where tournament_guid = $1 and $2::uuid is not null and id = 'team-' || ($3 - 9)`,
  return: `update teams set withdrawn_at = null, status = 'registered', seed = $3
           where withdrawn_at is not null and tournament_guid = $1 and $2::uuid is not null and id = 'team-' || ($3 - 9)`,
}
const readings = [
  'select slot, seed from SCHEMA.bracket_entrants where bracket_guid = $2 and slot >= 10 and $1::uuid is not null order by 1',
  'select number, status, revision from SCHEMA.matches where tournament_guid = $1 and bracket_guid = $2 order by 1',
  `select id, withdrawn_at, status, seed from SCHEMA.teams where tournament_guid = $1 and $2::uuid is not null order by 1`,
  `select teams, registered from SCHEMA.tournament_counts where tournament_guid = $1 and $2::uuid is not null`,
]

test('at each horizon, rows are shown as they were then, together, and never older', async () => {
  const of = [made.cup.guid, made.bracket.guid]
  const rows = async (schema: string) => {
    const read = (text: string) => client.query(text.replace('SCHEMA', schema), of)
    const results = []
    for (const text of schema === 'public' ? readings.slice(0, 3) : readings) results.push((await read(text)).rows)
    return results
  }
  const schedules = async (schema: string) =>
    (
      await client.query(`select number, scheduled_at from ${schema}.matches where bracket_guid = $1 order by 1`, [
        of[1],
      ])
    ).rows
  /** The totals of teams in a state. */
  const counted = (state: unknown[][]) => {
    const teams = state[2] as { status: string }[]
    return [{ teams: teams.length, registered: teams.filter(({ status }) => status !== 'unregistered').length }]
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat({ max: 6 }), { maxLength: 3 }),
      async (transactions, stops) => {
        await client.query('rollback')
        await client.query(`update tournaments set spoiler_mode = 'open' where guid = $1`, [of[0]])
        await client.query(`update tournaments set spoiler_mode = 'held', stream_delay_seconds = 600 where guid = $1`, [
          of[0],
        ])
        const states = [{ at: new Date(0), rows: await rows('public') }]
        for (const changes of transactions) {
          await client.query('begin')
          for (const { kind, place: at } of changes) await client.query(statements[kind] ?? '', [...of, at])
          await client.query('commit')
          const {
            rows: [now],
          } = await client.query('select held_until($1) as at', [of[0]])
          states.push({ at: now.at, rows: await rows('public') })
          // The next commit is in another millisecond.
          await client.query('select pg_sleep(0.002)')
        }
        const order = [0, ...[...stops].sort((one, other) => one - other), states.length - 1]
        for (const stop of order) {
          const state = states[Math.min(stop, states.length - 1)]
          if (state === undefined) continue
          if (stop > 0) await client.query('select advance_horizon($1, $2)', [of[0], state.at])
          expect(await rows('held')).toEqual([...state.rows, counted(state.rows)])
          expect(await schedules('held')).toEqual(await schedules('public'))
          await client.query('select advance_horizon($1, $2)', [of[0], new Date(0)])
          expect(await rows('held')).toEqual([...state.rows, counted(state.rows)])
        }
        expect((await client.query('select from held_changes')).rows).toEqual([])
        await client.query(`update tournaments set spoiler_mode = 'open' where guid = $1`, [of[0]])
      },
    ),
    { numRuns: 40 },
  )
  expect(await api.sql('select from shown.matches')).toEqual([])
})
