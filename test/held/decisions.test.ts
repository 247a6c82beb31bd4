import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../harness.ts'
import { makeTournament } from '../make.ts'
import { heldTables, openTables } from './decisions.ts'

/** Every table and column has a decision about what outsiders see of it, and the database keeps to it. (V2) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

test('every table is either held, or open for a reason', async () => {
  const tables = await api.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const decided = [...Object.keys(heldTables), ...Object.values(openTables).flat()]
  expect(decided.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  const shown = await api.sql<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'shown'`)
  expect(Object.keys(heldTables).toSorted()).toEqual(shown.map(({ name }) => name).toSorted())
})

test('every column of a held table is late or at once, as the triggers have it', async () => {
  const columns = await api.sql<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
  )
  for (const [name, { late, atOnce }] of Object.entries(heldTables)) {
    const all = columns.filter(({ table }) => table === name).map(({ column }) => column)
    const decided = [...late, ...atOnce]
    expect([...new Set([...decided, ...all.filter((column) => column === 'updated_at')])].toSorted(), name).toEqual(
      all.toSorted(),
    )
    const [trigger] = await api.sql<{ text: string }>(
      `select prosrc as text from pg_proc where pronamespace = 'shown'::regnamespace and proname = $1`,
      [`${name}_hold`],
    )
    // The columns that a change may differ in without being held, as the trigger lists them.
    const listed = /to_jsonb\(r\) - '\{([^}]*)\}'/.exec(trigger?.text ?? '')?.[1]?.split(',') ?? []
    const passing = listed.filter((column) => column !== 'held_tournament' && column !== 'updated_at')
    expect(passing.toSorted(), name).toEqual([...atOnce].toSorted())
  }
})

test('every view that replaces a table has all of its columns, and its types', async () => {
  const columns = await api.sql<{ schema: string; table: string; columns: string }>(
    `select table_schema as schema, table_name as table,
       string_agg(column_name || ' ' || data_type, ', ' order by column_name) as columns
     from information_schema.columns where table_schema in ('public', 'held', 'delayed') group by 1, 2`,
  )
  const replaced = new Map(
    columns.filter(({ schema }) => schema === 'public').map(({ table, columns }) => [table, columns]),
  )
  const views = columns.filter(({ schema, table }) => schema !== 'public' && replaced.has(table))
  expect(views.length).toBeGreaterThan(Object.keys(heldTables).length)
  for (const { schema, table, columns } of views) expect(columns, `${schema}.${table}`).toBe(replaced.get(table))
})

test('a tournament that is deleted is gone at once, with all that was held', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser, { status: 'ongoing' })
  await api.sql(`update tournaments set spoiler_mode = 'held', stream_delay_seconds = 60 where guid = $1`, [cup.guid])
  await api.sql(`insert into divisions (tournament_guid, id, name, "order") values ($1, 'main', 'Main', 1)`, [cup.guid])
  expect(await api.sql('select relation from held_changes where tournament_guid = $1', [cup.guid])).toEqual([
    { relation: 'divisions' },
  ])
  await api.sql('delete from tournaments where guid = $1', [cup.guid])
  expect(await api.sql('select from held_changes where tournament_guid = $1', [cup.guid])).toEqual([])
  expect(await api.sql('select from shown.tournaments where guid = $1', [cup.guid])).toEqual([])
})
