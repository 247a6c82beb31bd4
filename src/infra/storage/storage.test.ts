import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeS3, startFakeS3 } from '../../../test/fakes/s3.ts'
import { copyAll, digestOf } from './copy.ts'
import { FileStorage } from './files.ts'
import { S3Storage } from './s3.ts'
import { objectName, type Storage, variantName } from './storage.ts'

/** One suite over both storages; S3 is a test double on this machine. (M11, M12, M15) */

const folder = mkdtempSync(path.join(tmpdir(), 'storage-'))
let double: FakeS3
let s3: S3Storage
beforeAll(async () => {
  double = await startFakeS3()
  const { endpoint, bucket, credentials } = double
  s3 = new S3Storage({ endpoint, region: 'us-east-1', bucket, ...credentials })
})
afterAll(async () => {
  s3.close()
  await double[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const files = new FileStorage(path.join(folder, 'media'))
const headers = { 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' }

function fileOf(bytes: Buffer) {
  const digest = createHash('sha256').update(bytes).digest('hex')
  const file = path.join(folder, crypto.randomUUID())
  writeFileSync(file, bytes)
  return { file, digest, name: objectName(digest), facts: { bytes: bytes.length, digest, headers } }
}

async function kept(storage: Storage, bytes: Buffer) {
  const given = fileOf(bytes)
  await storage.put(given.name, given.file, given.facts)
  return given
}

async function read(storage: Storage, name: string, first?: number, last = first) {
  const found = await storage.get(name, first === undefined || last === undefined ? undefined : { first, last })
  if (found === null) return null
  const bytes = await buffer(found.stream)
  expect(found.bytes).toBe(bytes.length)
  return bytes
}

async function names(storage: Storage, prefix: string) {
  const all = new Map<string, number>()
  for await (const { name, bytes, changedAt } of storage.list(prefix)) {
    expect(Math.abs(Date.now() - changedAt.getTime())).toBeLessThan(600_000)
    all.set(name, bytes)
  }
  return all
}

describe.each([
  ['files', () => files],
  ['a bucket', () => s3],
])('%s', (_, the) => {
  test('keep what is put, whole and in parts, and take the file', async () => {
    const bytes = randomBytes(700_000)
    const { name, file } = await kept(the(), bytes)
    expect(await the().head(name)).toEqual({ bytes: bytes.length })
    expect((await read(the(), name))?.equals(bytes)).toBe(true)
    // The range 0 to 0 is left out: the test double answers it with the whole object.
    const ranges = [
      [0, 1],
      [1, 1],
      [0, 699_999],
      [1, 300_000],
      [699_999, 699_999],
      [699_000, 9_999_999],
    ] as const
    for (const [first, last] of ranges) {
      expect((await read(the(), name, first, last))?.equals(bytes.subarray(first, last + 1))).toBe(true)
    }
    await expect(the().get(name, { first: 700_000, last: 700_001 })).rejects.toThrow(RangeError)
    expect(existsSync(file)).toBe(false)
  })

  test('know nothing of what is not there', async () => {
    const name = objectName('0'.repeat(64))
    expect([await the().head(name), await the().get(name), await names(the(), 'nothing/')]).toEqual([
      null,
      null,
      new Map(),
    ])
    await the().delete(name)
  })

  test('leave what is there as it is, and let it be deleted more than once', async () => {
    const bytes = randomBytes(1_000)
    const { name } = await kept(the(), bytes)
    await kept(the(), bytes)
    expect((await read(the(), name))?.equals(bytes)).toBe(true)
    await the().delete(name)
    await the().delete(name)
    expect(await the().head(name)).toBeNull()
    await kept(the(), bytes)
    expect(await the().head(name)).toEqual({ bytes: 1_000 })
  })

  test('keep one of twenty that put and delete the same at once', async () => {
    const bytes = randomBytes(5_000)
    const { name } = fileOf(bytes)
    const other = kept(the(), randomBytes(10))
    const all = Array.from({ length: 20 }, (_, at) => (at % 4 === 3 ? the().delete(name) : kept(the(), bytes)))
    await Promise.all([...all, other])
    await kept(the(), bytes)
    expect((await read(the(), name))?.equals(bytes)).toBe(true)
  })

  test('list by how names begin', async () => {
    const digest = createHash('sha256').update(String(Math.random())).digest('hex')
    const wanted = ['64.webp', '64.png', 'card.jpeg'].map((name) => variantName(digest, name))
    for (const name of [...wanted, variantName('f'.repeat(64), '64.webp')]) {
      const { file, facts } = fileOf(randomBytes(10))
      await the().put(name, file, facts)
    }
    expect(await names(the(), `variants/${digest}/`)).toEqual(new Map(wanted.map((name) => [name, 10])))
    expect(await names(the(), `variants/${digest}/64`)).toEqual(new Map(wanted.slice(0, 2).map((name) => [name, 10])))
    expect((await names(the(), 'variants/')).size).toBeGreaterThanOrEqual(4)
    expect((await names(the(), 'objects/')).size).toBeGreaterThan(0)
  })

  test.each([
    '',
    'objects',
    '../keys/secret',
    'objects/../../keys',
    '/etc/passwd',
    'objects//a',
    'objects/.hidden',
    'a/b\0c',
  ])('take no name that leads elsewhere: %j', async (name) => {
    const { file, facts } = fileOf(randomBytes(10))
    await expect(the().put(name, file, facts)).rejects.toThrow('cannot name an object')
    await expect(the().get(name)).rejects.toThrow('cannot name an object')
    await expect(the().delete(name)).rejects.toThrow('cannot name an object')
  })
})

test('a file is written, named and known to its folder in this order, for those of its group to read', async () => {
  const steps: string[] = []
  const own = new FileStorage(path.join(folder, 'steps'), {
    onStep: (step) => steps.push(`${step} ${existsSync(target)}`),
  })
  const { name, file, facts } = fileOf(randomBytes(100))
  const target = path.join(folder, 'steps', name)
  await own.put(name, file, facts)
  expect(steps).toEqual(['written false', 'synced false', 'renamed true', 'kept true'])
  expect(statSync(target).mode & 0o777).toBe(0o640)
  const short = fileOf(randomBytes(100))
  await expect(own.put(short.name, short.file, { ...short.facts, bytes: 99 })).rejects.toThrow('said to have 99')
  expect(await own.head(short.name)).toBeNull()
})

test('all objects are copied to the other storage, verified, and copied on where it was ended', async () => {
  const from = new FileStorage(path.join(folder, 'from'))
  const objects = [1, 20_000, 300_000].map((length) => randomBytes(length))
  const given = await Promise.all(objects.map((bytes) => kept(from, bytes)))
  const variant = fileOf(randomBytes(5))
  await from.put(variantName('a'.repeat(64), '64.webp'), variant.file, variant.facts)
  const [first, second, third] = given.map(({ name }) => name) as [string, string, string]
  // The first object is already there, and the second one is there but damaged.
  const same = fileOf(objects[0] as Buffer)
  await s3.put(first, same.file, same.facts)
  const damaged = fileOf(randomBytes(20_000))
  await s3.put(second, damaged.file, damaged.facts)
  const copying = { from, to: s3, folder: path.join(folder, 'moving'), headersOf: async () => headers }
  expect(await copyAll(copying)).toEqual({ copied: 2, kept: 1, damaged: 0 })
  for (const { name, digest } of given) expect(await digestOf(s3, name)).toBe(digest)
  expect(await s3.head(variantName('a'.repeat(64), '64.webp'))).toBeNull()
  expect(await copyAll(copying)).toEqual({ copied: 0, kept: 3, damaged: 0 })

  truncateSync(path.join(folder, 'from', third), 299_999)
  await s3.delete(third)
  expect(await copyAll(copying)).toEqual({ copied: 0, kept: 2, damaged: 1 })
  expect(await s3.head(third)).toBeNull()
})
