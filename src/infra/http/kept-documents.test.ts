import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../test/harness.ts'
import { KeptDocuments } from './kept-documents.ts'

let parent: string
beforeAll(async () => {
  parent = await mkdtemp(path.join(os.tmpdir(), 'downbeat-documents-'))
})
afterAll(() => rm(parent, { recursive: true, force: true }))

/** Documents of the folder; `made` grows by one whenever they are made. */
function documentsIn(folder: string, digest = 'a'.repeat(64)) {
  const made: number[] = []
  const unkept: unknown[] = []
  const awaited: boolean[] = []
  const make = async (isAwaited: boolean) => {
    made.push(made.length)
    awaited.push(isAwaited)
    return { one: Buffer.from('the first – one'), two: Buffer.from('two') }
  }
  const documents = new KeptDocuments({
    folder,
    digest: async () => digest,
    make: (isAwaited) => make(isAwaited),
    onUnkept: (error) => unkept.push(error),
  })
  const find = async (name: string) => Buffer.from(await documents.find(name)).toString()
  return { find, prepare: () => documents.prepare('one'), made, awaited, unkept, digest }
}

describe('documents that are kept', () => {
  test('are made once for all who ask at the same time, and are there after the next start', async () => {
    const folder = path.join(parent, 'once')
    const first = documentsIn(folder)
    const names = ['one', 'two', 'one', 'two']
    const texts = ['the first – one', 'two', 'the first – one', 'two']
    expect(await Promise.all(names.map(first.find))).toEqual(texts)
    expect(first.made).toHaveLength(1)
    const second = documentsIn(folder)
    expect(await Promise.all(names.map(second.find))).toEqual(texts)
    expect([second.made, second.unkept, (await readdir(folder)).length]).toEqual([[], [], 2])
  })

  test('are made before anybody asks, where no earlier start has kept them', async () => {
    const folder = path.join(parent, 'prepared')
    const first = documentsIn(folder)
    await first.prepare()
    expect([await first.find('two'), first.awaited]).toEqual(['two', [false]])
    const second = documentsIn(folder)
    await second.prepare()
    expect([await second.find('one'), second.made]).toEqual(['the first – one', []])
    const asked = documentsIn(path.join(parent, 'asked'))
    await Promise.all([asked.find('one'), asked.prepare()])
    expect(asked.awaited).toEqual([true])
  })

  test.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, 70)],
    ['empty', () => Buffer.alloc(0)],
    ['of other bytes', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from('!')])],
    ['not of this service', () => Buffer.from('{"openapi":"3.1.0"}'.repeat(10))],
  ])('are made anew when a file is %s', async (what, change) => {
    const folder = path.join(parent, what)
    const { find, digest } = documentsIn(folder)
    await find('one')
    const file = path.join(folder, `${digest}.one`)
    const whole = await readFile(file)
    await writeFile(file, change(whole))
    const later = documentsIn(folder)
    expect([await later.find('one'), later.made.length]).toEqual(['the first – one', 1])
    expect(await readFile(file)).toEqual(whole)
  })

  test('of other sources, and what a killed process left, are removed once they are a day old', async () => {
    const folder = path.join(parent, 'outdated')
    const old = documentsIn(folder)
    await old.find('one')
    await writeFile(path.join(folder, `${old.digest}.one.left`), 'half')
    const long = new Date(Date.now() - 25 * 60 * 60_000)
    const outdated = [`${old.digest}.one`, `${old.digest}.one.left`]
    for (const name of outdated) await utimes(path.join(folder, name), long, long)
    const other = documentsIn(folder, 'b'.repeat(64))
    await other.find('two')
    expect((await readdir(folder)).sort()).toEqual([`${old.digest}.two`, `${other.digest}.one`, `${other.digest}.two`])
  })

  test('are served also where nothing can be written', async () => {
    const folder = path.join(parent, 'no-folder')
    await writeFile(folder, '')
    const { find, made, unkept } = documentsIn(folder)
    expect(await find('two')).toBe('two')
    expect([made.length, unkept.length]).toEqual([1, 1])
  })

  test('are made by the next who ask after a failure', async () => {
    let isLucky = false
    const documents = new KeptDocuments({
      folder: path.join(parent, 'failure'),
      digest: async () => 'c',
      make: async () => {
        if (!isLucky) throw new Error('no luck')
        return { one: Buffer.from('one') }
      },
      onUnkept: () => {},
    })
    await expect(documents.find('one')).rejects.toThrow('no luck')
    isLucky = true
    expect(Buffer.from(await documents.find('one')).toString()).toBe('one')
  })
})

describe('the descriptions of a service', () => {
  let api: Harness
  beforeAll(async () => {
    // Otherwise each process would have a port of its own, which is part of the documents.
    api = await startHarness({ socketUrl: 'ws://127.0.0.1:48522' })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const addresses = ['/api/openapi.json', '/api/asyncapi.json', '/api/docs/realtime']
  const ask = async (address: string, { url }: Harness) => {
    const reply = await fetch(url + address, { headers: { 'accept-encoding': 'identity' } })
    return { status: reply.status, etag: reply.headers.get('etag'), text: await reply.text() }
  }

  test('are made by a process at the first request, and are the same bytes at the next process', async () => {
    const folder = path.join(api.app.config.dataDir, 'descriptions')
    expect(await readdir(folder).catch(() => 'none')).toBe('none')
    const first = await Promise.all(addresses.map((address) => ask(address, api)))
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(first[0]?.text).toContain('"openapi":"3.1.0"')
    const kept = (await readdir(folder)).sort()
    expect(kept.map((name) => name.split('.').slice(1).join('.'))).toEqual([
      'asyncapi.json',
      'openapi.json',
      'realtime.html',
    ])
    const inodes = () => Promise.all(kept.map(async (name) => (await stat(path.join(folder, name))).ino))
    const before = await inodes()
    await using other = await api.sibling()
    expect(await Promise.all(addresses.map((address) => ask(address, other)))).toEqual(first)
    expect(await inodes()).toEqual(before)
    expect((await readdir(folder)).sort()).toEqual(kept)
  })
})
