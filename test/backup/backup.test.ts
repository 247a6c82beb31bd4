import { appendFile, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type BackupOptions, backup } from '../../src/cli/backup.ts'
import { listKeyFiles } from '../../src/cli/key-files.ts'
import { restore } from '../../src/cli/restore.ts'
import type { Config } from '../../src/config.ts'
import { type Entry, entry } from '../../src/infra/backup/entries.ts'
import { openBackup, writeBackup } from '../../src/infra/backup/file.ts'
import { objectName } from '../../src/infra/storage/storage.ts'
import { type FakeS3, startFakeS3 } from '../fakes/s3.ts'
import { type Harness, startHarness, startOn } from '../harness.ts'
import { digestOf, picture, upload } from '../media.ts'
import { noise } from '../media-files.ts'
import { makeWorld } from '../world.ts'
import { ask, catalogueOf, contentOf, type EmptyService, emptyService } from './databases.ts'

/** `downbeat backup` and `downbeat restore`, on a service with a record of every kind. */

const passphrase = 'correct horse battery staple'
const plain: BackupOptions = { plain: true }
let folder: string
let api: Harness
let double: FakeS3
/** A token from before the backup, and a picture. */
let token: string
let avatar: { digest: string; url: string; bytes: number }
/** A backup without encryption of the service at rest, in most tests, since the key takes half a second. */
let file: string
let content: Awaited<ReturnType<typeof contentOf>>
let catalogue: readonly string[]

const source = <T extends object>(text: string) =>
  ask<T>({ connectionString: api.app.config.databaseUrl as string }, text)

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-backups-'))
  double = await startFakeS3()
  api = await startHarness()
  const { organiser, tournament } = await makeWorld(api)
  const ada = await api.user({ name: 'Ada' })
  token = ada.token
  avatar = (await upload(api, ada, await picture())).body
  // Several chunks, because noise cannot be compressed.
  const grain = await noise(900, 600).png().toBuffer()
  await upload(api, organiser, grain, { kind: 'update_image', tournament: tournament.id })
  // Values that a text form could spoil.
  await api.sql('update users set preferred_name = $1, username = $2 where guid = $3', [
    '\\N\t"{},é',
    "o'\\x41",
    ada.guid,
  ])
  // A key of the folder for keys of packages, and a key that another process is just writing.
  await api.app.services.keys.packages.current(new Date())
  await writeFile(path.join(api.app.config.dataDir, 'keys', 'seal.key.new'), 'a part')
  // Nothing changes any more while the service rests.
  await api.app.close()
  file = path.join(folder, 'plain.backup')
  await backup(api.app.config, file, plain)
  expect((await stat(file)).size).toBeGreaterThan(300_000)
  content = await contentOf(source)
  catalogue = await catalogueOf(source)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await double[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
})

/** Restores and returns what went wrong; null where nothing did. */
async function outcomeOf(config: Config, from = file): Promise<string | null> {
  return restore(config, from, {}).then(
    () => null,
    (error: Error) => error.message,
  )
}

async function isUntouched({ config, sql }: EmptyService): Promise<boolean> {
  const [row] = await sql<{ count: number }>(
    "select count(*)::int from pg_tables where schemaname not like 'pg_%' and schemaname <> 'information_schema'",
  )
  const files = await readdir(config.dataDir, { recursive: true }).catch(() => [])
  return row?.count === 0 && files.length === 0
}

test('a restored database equals the old one: records, sequences, tables, indexes, constraints, triggers, views', async () => {
  await using empty = await emptyService()
  expect(await outcomeOf(empty.config)).toBeNull()
  const filled = Object.values(content).filter(({ rows }) => rows > 0)
  expect(filled.length).toBeGreaterThan(80)
  expect(content['graphile_worker.migrations']?.rows).toBeGreaterThan(10)
  expect(await contentOf(empty.sql)).toEqual(content)
  expect(await catalogueOf(empty.sql)).toEqual(catalogue)
})

test('a restored service knows old tokens, delivers old media, writes, and has the keys as they were', async () => {
  await using empty = await emptyService()
  await restore(empty.config, file, {})
  const [old, now] = [api.app.config.dataDir, empty.config.dataDir].map((dataDir) => path.join(dataDir, 'keys'))
  const names = (await listKeyFiles(old as string)).filter((name) => !name.endsWith('.new'))
  expect(names.filter((name) => name.startsWith('packages/'))).toHaveLength(1)
  expect(await listKeyFiles(now as string)).toEqual(names)
  for (const name of names) {
    const key = path.join(now as string, name)
    expect([await readFile(key), (await stat(key)).mode & 0o777]).toEqual([
      await readFile(path.join(old as string, name)),
      0o600,
    ])
  }
  const { databaseUrl, dataDir } = empty.config
  const { publicUrl } = api.app.config
  await using restored = await startOn({ databaseUrl, dataDir, publicUrl })
  expect((await restored.call('GET', '/users/@me', { token })).body).toMatchObject({ preferredName: '\\N\t"{},é' })
  const picked = await fetch(avatar.url.replace(new URL(avatar.url).origin, restored.url))
  expect(digestOf(Buffer.from(await picked.arrayBuffer()))).toBe(avatar.digest)
  const made = await restored.call('POST', '/tournaments', { token, body: { name: 'After', id: 'after', capacity: 4 } })
  expect(made.status).toBe(201)
})

describe('a file that is not as it was written changes nothing', () => {
  const cases: [string, (copy: string, bytes: number) => Promise<unknown>][] = [
    ['empty', (copy) => truncate(copy, 0)],
    ['cut within the first line', (copy) => truncate(copy, 9)],
    ['cut after the preamble', async (copy) => truncate(copy, (await readFile(copy)).indexOf('\n', 20) + 1)],
    [
      'cut at the end of a chunk',
      async (copy) => truncate(copy, (await readFile(copy)).indexOf('\n', 20) + 1 + 65_552),
    ],
    ['without its last byte', (copy, bytes) => truncate(copy, bytes - 1)],
    ['longer by a byte', (copy) => appendFile(copy, 'x')],
    [
      'another time in the preamble',
      async (copy) => writeFile(copy, replaced(await readFile(copy), '"madeAt":"2', '"madeAt":"1')),
    ],
    ['flipped in the first chunk', (copy) => flip(copy, 300)],
    ['flipped in the middle', (copy, bytes) => flip(copy, bytes >> 1)],
    ['flipped in the last byte', (copy, bytes) => flip(copy, bytes - 1)],
    ['of something else', (copy) => writeFile(copy, '-- PostgreSQL database dump\n'.repeat(200))],
  ]
  test.each(cases)('%s', async (name, damage) => {
    await using empty = await emptyService()
    const copy = path.join(folder, `${name}.backup`)
    await writeFile(copy, await readFile(file))
    await damage(copy, (await stat(copy)).size)
    expect(await outcomeOf(empty.config, copy)).toMatch(/cut or changed|is not a backup/)
    expect(await isUntouched(empty)).toBe(true)
  })

  const database = (hash: string, at: number): Entry => entry({ kind: 'database', migration: { at, hash }, jobs: null })
  const key = (): Entry =>
    entry({ kind: 'key', name: 'seal.key' }, [Buffer.alloc(32)] as unknown as AsyncIterable<Buffer>)
  test.each([
    ['of a newer version', [key(), database('0'.repeat(64), Date.UTC(2100, 0))], /newer version of Downbeat/],
    ['without a database', [key()], /not a backup/],
    ['without keys', [database('0'.repeat(64), Date.UTC(2100, 0))], /newer version|not a backup/],
  ])('%s', async (name, entries, complaint) => {
    await using empty = await emptyService()
    const made = path.join(folder, `${name}.backup`)
    await writeBackup(made, entries as unknown as AsyncIterable<Entry>, { passphrase: null, madeAt: new Date() })
    expect(await outcomeOf(empty.config, made)).toMatch(complaint)
    expect(await isUntouched(empty)).toBe(true)
  })
})

const replaced = (bytes: Buffer, from: string, to: string) =>
  Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')

async function flip(copy: string, at: number): Promise<void> {
  const handle = await open(copy, 'r+')
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at)
  await handle.write(Buffer.from([(buffer[0] as number) ^ 4]), 0, 1, at)
  await handle.close()
}

describe('a service that is not empty is left alone', () => {
  test('with tables', async () => {
    await using empty = await emptyService()
    await empty.sql('create table public.users (name text)')
    expect(await outcomeOf(empty.config)).toMatch(/not empty, it has the table "public"."users"/)
    expect(await readdir(empty.config.dataDir).catch(() => [])).toEqual([])
  })

  test('with keys of another service, but for those that an interrupted restore has left', async () => {
    await using empty = await emptyService()
    expect(await outcomeOf(empty.config)).toBeNull()
    const seal = path.join(empty.config.dataDir, 'keys', 'seal.key')
    await using second = await emptyService({ DATA_DIR: empty.config.dataDir })
    expect(await outcomeOf(second.config)).toBeNull()
    await writeFile(seal, Buffer.alloc(32))
    await using third = await emptyService({ DATA_DIR: empty.config.dataDir })
    expect(await outcomeOf(third.config)).toMatch(/seal\.key is not of this backup/)
    expect(await third.sql("select from pg_tables where schemaname = 'public'")).toEqual([])
  })

  test('where rows break a rule of the database, nothing is restored', async () => {
    await using empty = await emptyService()
    const backedUp = await openBackup(file, async () => '')
    async function* changed(): AsyncGenerator<Entry> {
      for await (const read of backedUp.entries()) {
        // Without its rows: others refer to them.
        const isLeftOut = read.head.kind === 'table' && read.head.name === 'users'
        yield isLeftOut ? entry(read.head) : read
      }
    }
    const wrong = path.join(folder, 'wrong.backup')
    await writeBackup(wrong, changed(), { passphrase: null, madeAt: new Date() })
    expect(await outcomeOf(empty.config, wrong)).toMatch(/violates foreign key constraint/)
    expect(await empty.sql("select from pg_tables where schemaname = 'public'")).toEqual([])
    expect(await readdir(path.join(empty.config.dataDir, 'keys')).catch(() => [])).toEqual([])
  })
})

test('the file is encrypted unless that is declined, and readable by its owner alone', async () => {
  const sealed = path.join(folder, 'sealed.backup')
  const config = { ...api.app.config, backupPassphrase: passphrase }
  await backup(config, sealed, {})
  expect((await stat(sealed)).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  const spelt = path.join(folder, 'passphrase')
  for (const [given, complaint] of [
    ['another one, and wrong', /passphrase is another one/],
    [passphrase, null],
  ] as const) {
    await using empty = await emptyService()
    await writeFile(spelt, `${given}\n`)
    const said = await restore(empty.config, sealed, { passphraseFile: spelt }).then(
      () => null,
      (error: Error) => error.message,
    )
    if (complaint !== null) expect([said, await isUntouched(empty)]).toEqual([expect.stringMatching(complaint), true])
    else expect([said, await contentOf(empty.sql)]).toEqual([null, content])
  }
  const middle = (await stat(sealed)).size >> 1
  await flip(sealed, middle)
  await using empty = await emptyService({ BACKUP_PASSPHRASE: passphrase })
  expect([await outcomeOf(empty.config, sealed), await isUntouched(empty)]).toEqual([
    expect.stringMatching(/cut or changed after \d+/),
    true,
  ])
})

test('no file is replaced, a failed backup leaves none, and what is missing is named', async () => {
  const { config } = api.app
  await expect(backup(config, file, plain)).rejects.toThrow(`${file} exists already`)
  await expect(backup(config, path.join(folder, 'x'), {})).rejects.toThrow('a passphrase is needed')
  await expect(backup({ ...config, backupPassphrase: 'short' }, path.join(folder, 'x'), {})).rejects.toThrow(
    'at least 12',
  )
  await expect(backup({ ...config, dataDir: folder }, path.join(folder, 'x'), plain)).rejects.toThrow(
    'there are no keys',
  )
  await using empty = await emptyService({ DATA_DIR: config.dataDir })
  await expect(backup(empty.config, path.join(folder, 'x'), plain)).rejects.toThrow('no tables of Downbeat')
  expect((await readdir(folder)).filter((name) => name.startsWith('x'))).toEqual([])
})

test('media move from a folder to a bucket and back; a damaged object is left out, and named', async () => {
  const { accessKeyId, secretAccessKey } = double.credentials
  await using elsewhere = await emptyService({
    MEDIA_S3_ENDPOINT: double.endpoint,
    MEDIA_S3_BUCKET: double.bucket,
    MEDIA_S3_ACCESS_KEY_ID: accessKeyId,
    MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey,
  })
  expect(await outcomeOf(elsewhere.config)).toBeNull()
  const stored = await fetch(`${double.endpoint}/${double.bucket}/${objectName(avatar.digest)}`)
  expect([stored.headers.get('content-type'), Number(stored.headers.get('content-length'))]).toEqual([
    'image/webp',
    avatar.bytes,
  ])
  const again = path.join(folder, 'from-bucket.backup')
  await backup(elsewhere.config, again, plain)

  await using back = await emptyService()
  expect(await outcomeOf(back.config, again)).toBeNull()
  const object = path.join(back.config.dataDir, 'media', objectName(avatar.digest))
  expect(digestOf(await readFile(object))).toBe(avatar.digest)

  await flip(object, 20)
  const spoilt = path.join(folder, 'spoilt.backup')
  await backup(back.config, spoilt, plain)
  await using last = await emptyService()
  expect(await outcomeOf(last.config, spoilt)).toMatch(/damaged when the backup was made, and were left out: 1/)
  expect(await contentOf(last.sql)).toEqual(content)

  const without = path.join(folder, 'without.backup')
  await backup(api.app.config, without, { plain: true, withoutMedia: true })
  await using bare = await emptyService()
  expect(await outcomeOf(bare.config, without)).toBeNull()
  expect(await readdir(path.join(bare.config.dataDir, 'media')).catch(() => null)).toBeNull()
})
