import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { verify } from '../../src/cli/package.ts'
import { maxPackageBytes } from '../../src/core/packages/limits.ts'
import type { SigningKey } from '../../src/core/packages/signatures.ts'
import { openPackageKeys } from '../../src/infra/packages/keys.ts'
import { type Caller, type Harness, outcome, startHarness } from '../harness.ts'
import { formOf } from '../media.ts'
import { smallPackage, unpacked } from '../package-imports.ts'
import { contentOf, fileOf, linesOf, packed, zipped } from '../packages.ts'
import { type Hostile, hostileRows, hostileSignatures, hostileZips, noise } from './hostile.ts'
import { rawZip, withDescriptor } from './zips.ts'

/** Hostile packages, by the operation and by the command: both refuse each, for the same reason. (P2, P6, P8) */

let folder: string
let service: Harness
let ada: Caller
let whole: Buffer
let known: SigningKey
let other: SigningKey
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-hostile-'))
  const small = await smallPackage()
  service = await startHarness()
  ada = await service.user()
  known = await service.app.services.keys.packages.current(new Date())
  other = small.key
  const { files, about } = await unpacked(small.whole)
  whole = await packed(known, files, about)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const bring = (bytes: Uint8Array) =>
  service.call('POST', '/tournaments/import', {
    as: ada,
    ...formOf(bytes, { mode: 'copy', id: 'a-copy', dryRun: 'true' }),
  })

/** What `package verify` says of a file, and its exit code. */
async function verified(file: string) {
  const lines: string[] = []
  const said = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line))
  try {
    await verify({ dataDir: service.app.config.dataDir, packageSigners: null }, file, undefined)
    return [process.exitCode ?? 0, lines.join('\n')]
  } finally {
    said.mockRestore()
    process.exitCode = 0
  }
}

/** What a refused package could leave: rows, files and objects. */
async function traces() {
  const tables = await service.sql<{ name: string; rows: string }>(
    `select table_name as name, (xpath('/row/c/text()', query_to_xml(
       format('select count(*) as c from %I.%I', table_schema, table_name), false, true, '')))[1]::text as rows
     from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('followers', 'leases', 'jobs')`,
  )
  const inFolder = async (name: string) => readdir(path.join(service.app.config.dataDir, name)).catch(() => [])
  const objects: string[] = []
  for await (const { name } of service.app.services.storage.list('objects/')) objects.push(name)
  return { tables, objects, incoming: await inFolder('media/incoming'), packages: await inFolder('packages') }
}

async function refuseAll(all: readonly Hostile[]): Promise<void> {
  const before = await traces()
  const file = path.join(folder, 'hostile.zip')
  const found: unknown[] = []
  for (const [fault, , bytes] of all) {
    await writeFile(file, bytes)
    const [code, line] = await verified(file)
    const reason = /\((package\.\w+)\)$/.exec(String(line))?.[1] ?? line
    found.push([fault, ...outcome(await bring(bytes)), code, reason])
  }
  const statusOf = (code: string) => (code === 'package.too_large' ? 413 : 400)
  expect(found).toEqual(all.map(([fault, code]) => [fault, statusOf(code), code, 1, code]))
  await expect.poll(traces, { interval: 20, timeout: 5_000 }).toEqual(before)
}

test('zip files that two programs could read differently, that lie, or that are too large', async () => {
  await refuseAll(await hostileZips(whole))
})

test('signatures that are none, and keys that are others', async () => {
  await refuseAll(await hostileSignatures(whole, known, other))
})

test('rows that are no rows, too long, too deep or too many', async () => {
  const { about } = await unpacked(whole)
  await refuseAll(await hostileRows(known, about))
})

test('a zip file of another tool is taken', async () => {
  const content = await contentOf(whole)
  const entries = content.map(([name, bytes]) => ({ name, content: bytes }))
  const ofTools = [
    await zipped(content, { dataDescriptor: true }),
    await zipped(content.toReversed(), { zip64: true }),
    rawZip(entries.toReversed()),
    rawZip(entries.map((entry) => ({ ...entry, method: 8, both: { flags: 0 } }))),
    rawZip(entries.map((entry) => ({ ...entry, method: 8, both: { flags: withDescriptor }, descriptor: {} }))),
  ]
  for (const bytes of ofTools) expect(outcome(await bring(bytes))).toEqual([200, null])
})

test('a package by a revoked key', async () => {
  const keys = openPackageKeys(path.join(service.app.config.dataDir, 'keys', 'packages'))
  await keys.rotate(new Date(), true)
  await refuseAll([['by a revoked key', 'package.signature', whole]])
})

test('what is as large as it may be is taken', async () => {
  const { files, about } = await unpacked(whole)
  const key = await service.app.services.keys.packages.current(new Date())
  const taken = async (bytes: Uint8Array) => expect(outcome(await bring(bytes))).toEqual([200, null])
  // Rows of kinds that are not known here are skipped, after all checks of the package itself.
  const weather = async (text: string, rows: number) => {
    const counts = { ...about.counts, weather: rows }
    await taken(await packed(key, [...files, fileOf('data/weather.ndjson', text)], { ...about, counts }))
  }
  const others = Object.values(about.counts).reduce((sum, count) => sum + count, 0)
  const most = 200_000 - others
  await weather(linesOf(Array.from({ length: most }, (_, at) => ({ a: at, b: noise(9) }))), most)
  await weather(`{"a":"${noise(1024 * 1024 - 8)}"}\n`, 1)
  await weather(`{"a":${'['.repeat(63)}${']'.repeat(63)}}\n`, 1)
  const more = Array.from({ length: 1_024 - files.length - 2 }, (_, at) => fileOf(`more/${at}.txt`, ''))
  await taken(await packed(key, [...files, ...more], about))
  const zero = fileOf('more/zero.txt', Buffer.alloc(1024 * 1024))
  await taken(await packed(key, [...files, zero], about))
})

test('a file that is too large is refused before any of it is read', async () => {
  const file = path.join(folder, 'large.zip')
  await using handle = await open(file, 'w')
  await handle.truncate(maxPackageBytes + 1)
  expect(await verified(file)).toEqual([1, expect.stringContaining('(package.too_large)')])
})
