import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { backup } from '../../src/cli/backup.ts'
import { restore } from '../../src/cli/restore.ts'
import { type Entry, entry } from '../../src/infra/backup/entries.ts'
import { writeBackup } from '../../src/infra/backup/file.ts'
import { openSnapshot } from '../../src/infra/db/backup/dump.ts'
import { applyMigrations, migrationsUpTo } from '../../src/infra/db/migrate.ts'
import { type Harness, startHarness } from '../harness.ts'
import { memoryDuring } from '../memory.ts'
import { until } from '../waiting.ts'
import { ask, contentOf, type EmptyService, emptyService } from './databases.ts'

/** Backups of a service that is written to meanwhile, that is large, or that is of an earlier version. */

let folder: string
let api: Harness
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-storm-'))
  api = await startHarness({}, { jobSlots: 4 })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})
const said: string[] = []
beforeEach(() => {
  said.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
})

const createdIn = async ({ sql }: Pick<EmptyService, 'sql'>) =>
  new Set((await sql<{ guid: string }>('select guid from tournaments')).map(({ guid }) => guid))

/** Several users make tournaments until it is ended. */
function storm(name: string) {
  const acknowledged: string[] = []
  let isOver = false
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let count = 0; !isOver; count++) {
      const organiser = await api.user()
      const id = `${name}-${writer}-${count}`
      const made = await api.post('/tournaments', organiser, { name: id, id, capacity: 4 })
      expect(made.status).toBe(201)
      acknowledged.push(made.body.guid)
    }
  })
  const end = async () => {
    isOver = true
    await Promise.all(writers)
  }
  return { acknowledged, end }
}

test('amid writes, all that was acknowledged before the backup began is in it, and nothing in parts', async () => {
  const writes = storm('first')
  await until(() => writes.acknowledged.length > 30)
  const before = [...writes.acknowledged]
  const file = path.join(folder, 'amid.backup')
  await backup(api.app.config, file, { plain: true })
  const after = writes.acknowledged.length
  await writes.end()
  expect(after).toBeGreaterThan(before.length)

  await using empty = await emptyService()
  await restore(empty.config, file, {})
  const made = await createdIn(empty)
  expect(before.filter((guid) => !made.has(guid))).toEqual([])
  expect(made.size).toBeLessThan(writes.acknowledged.length)
  const events = await empty.sql<{ subject: string }>("select subject from event_log where type = 'tournament.created'")
  expect(new Set(events.map(({ subject }) => subject))).toEqual(made)
  const [next] = await empty.sql<{ isAhead: boolean }>(
    `select nextval('event_log_seq') > (select max(seq) from event_log) as "isAhead"`,
  )
  expect(next).toEqual({ isAhead: true })
})

test('amid writes, every record is as the snapshot had it', async () => {
  const connectionString = api.app.config.databaseUrl as string
  const client = new pg.Client({ connectionString })
  const other = new pg.Client({ connectionString })
  await Promise.all([client.connect(), other.connect()])
  const writes = storm('second')
  try {
    await until(() => writes.acknowledged.length > 30)
    const snapshot = await openSnapshot(client)
    const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id')
    const count = writes.acknowledged.length
    await until(() => writes.acknowledged.length > count + 10)
    async function* entries(): AsyncGenerator<Entry> {
      yield entry({ kind: 'key', name: 'seal.key' })
      yield* snapshot.entries()
    }
    const file = path.join(folder, 'snapshot.backup')
    await writeBackup(file, entries(), { passphrase: null, madeAt: new Date() })

    await other.query('begin isolation level repeatable read')
    await other.query(`set transaction snapshot '${rows[0]?.id}'`)
    const seen = await contentOf(async (text) => (await other.query(text)).rows)
    await using empty = await emptyService()
    await restore(empty.config, file, {})
    expect(await contentOf(empty.sql)).toEqual(seen)
    expect(await contentOf(api.sql)).not.toEqual(seen)
  } finally {
    await writes.end()
    await Promise.all([client.end(), other.end()])
  }
})

test('memory does not grow with the data, neither of the backup nor of the restore; tables of others are left out', async () => {
  const mebibytes = 128
  // Repeated texts take little room on the disk of the database.
  await api.sql(
    `insert into earlier_rows (tournament_guid, relation, key, since, until, row)
     select gen_random_uuid(), 'weight', i::text, now(), now(), jsonb_build_object('text', repeat(md5(i::text), 2048))
     from generate_series(1, ${mebibytes * 16}) i`,
  )
  await api.sql("create table of_others as select 'theirs' as name")
  const file = path.join(folder, 'large.backup')
  const saved = await peakOf(() => backup(api.app.config, file, { plain: true, withoutMedia: true }))
  await api.sql('drop table of_others')
  await using empty = await emptyService()
  const restored = await peakOf(() => restore(empty.config, file, {}))
  expect(said).toContain('"public"."of_others" is not a table of Downbeat, and was left out')
  const weight =
    "select count(*)::int, sum(pg_column_size(row))::float8 as size from earlier_rows where relation = 'weight'"
  expect(await empty.sql(weight)).toEqual(await api.sql(weight))
  expect(
    [saved, restored].map((bytes) => Math.round(bytes / 2 ** 20)).filter((peak) => peak > (mebibytes * 3) / 4),
  ).toEqual([])
})

/** How much more memory was in use at most. */
async function peakOf(work: () => Promise<void>): Promise<number> {
  return Math.max(...(await memoryDuring(work)))
}

test('a backup of an earlier version is brought up to date after it is restored', async () => {
  await using earlier = await emptyService({ DATA_DIR: api.app.config.dataDir })
  const known = migrationsUpTo(Number.POSITIVE_INFINITY)
  const [old, newest] = [known.at(-12), known.at(-1)].map((migration) => migration as (typeof known)[number])
  const client = new pg.Client({ connectionString: earlier.config.databaseUrl as string })
  await client.connect()
  await applyMigrations(client, old as { at: number; hash: string })
  await client.query('insert into migrations (hash, created_at) select * from unnest($1::text[], $2::bigint[])', [
    migrationsUpTo(old?.at ?? 0).map(({ hash }) => hash),
    migrationsUpTo(old?.at ?? 0).map(({ at }) => at),
  ])
  await client.query(
    `insert into users (chat_platform_id, username, preferred_name, avatar_url) values ('7', 'old', 'old', 'x')`,
  )
  await client.end()
  const file = path.join(folder, 'earlier.backup')
  await backup(earlier.config, file, { plain: true })

  await using empty = await emptyService()
  await restore(empty.config, file, {})
  expect(await empty.sql('select max(created_at)::float8 as at from migrations')).toEqual([{ at: newest?.at }])
  expect(await empty.sql('select username from users')).toEqual([{ username: 'old' }])
  const shapeOf = (sql: EmptyService['sql']) =>
    sql(
      "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2",
    )
  expect(await shapeOf(empty.sql)).toEqual(
    await shapeOf((text) => ask({ connectionString: api.app.config.databaseUrl as string }, text)),
  )
})
