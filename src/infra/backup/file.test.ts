import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../test/waiting.ts'
import { type Entry, entry } from './entries.ts'
import { openBackup, writeBackup } from './file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-file-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function* of(...bytes: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* bytes
}

test('entries come back as often as they are read, whether or not their bytes are', async () => {
  const file = path.join(folder, 'three')
  async function* three(): AsyncGenerator<Entry> {
    yield entry({ kind: 'key', name: 'a.key' }, of(Buffer.from('one'), Buffer.alloc(3_000_000, 'x')))
    yield entry({ kind: 'key', name: 'b.key' })
    yield entry({ kind: 'key', name: 'c.key' }, of(Buffer.alloc(0), Buffer.from('three')))
  }
  await writeBackup(file, three(), { passphrase: null, madeAt: new Date(0) })
  const backup = await openBackup(file, () => Promise.reject(new Error('nothing to ask')))
  expect(backup.madeAt).toBe('1970-01-01T00:00:00.000Z')
  for (const isRead of [true, false]) {
    const lengths: unknown[] = []
    for await (const { head, data } of backup.entries()) {
      lengths.push([head.kind === 'key' && head.name, isRead ? (await buffer(data)).length : null])
    }
    expect(lengths).toEqual([
      ['a.key', isRead ? 3_000_003 : null],
      ['b.key', isRead ? 0 : null],
      ['c.key', isRead ? 5 : null],
    ])
  }
})

test('a backup that is stopped, or whose bytes fail, leaves no file', async () => {
  const stopping = new AbortController()
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(1_000_000)
    await new Promise((_, reject) => stopping.signal.addEventListener('abort', () => reject(new Error('stopped'))))
  }
  async function* slow(): AsyncGenerator<Entry> {
    yield entry({ kind: 'key', name: 'a.key' }, endless())
  }
  const { signal } = stopping
  const writing = writeBackup(path.join(folder, 'slow'), slow(), { passphrase: null, madeAt: new Date(), signal })
  const parts = async () => (await readdir(folder)).filter((name) => name.startsWith('slow'))
  await until(async () => (await parts()).length === 1)
  expect(await parts()).toEqual([expect.stringMatching(/^slow\..*\.part$/)])
  stopping.abort()
  await expect(writing).rejects.toThrow()
  expect(await parts()).toEqual([])

  async function* broken(): AsyncGenerator<Entry> {
    yield entry({ kind: 'key', name: 'a.key' }, of(Buffer.alloc(100_000)))
    throw new Error('the connection was lost')
  }
  const failing = writeBackup(path.join(folder, 'slow'), broken(), { passphrase: null, madeAt: new Date() })
  await expect(failing).rejects.toThrow('the connection was lost')
  expect(await parts()).toEqual([])
})

test.each([
  ['another format', '{"format":2,"madeAt":"now","salt":null}', 'a newer version of Downbeat made it'],
  ['no JSON', 'format', 'not a backup'],
  ['no end', '{'.repeat(2_000), 'not a backup'],
])('a preamble with %s is refused', async (name, line, complaint) => {
  const file = path.join(folder, name)
  await writeFile(file, `downbeat backup\n${line}\n`)
  await expect(openBackup(file, async () => '')).rejects.toThrow(complaint)
})
