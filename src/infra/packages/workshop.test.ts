import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Workshop } from './workshop.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-workshop-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text)
}

const textOf = (content: AsyncIterable<Uint8Array>) => text(Readable.from(content))

test('a package is read as it was written, and leaves no file (P1)', async () => {
  const workshop = new Workshop(folder)
  const made = await workshop.make(async (spool, target) => {
    const one = await spool.keep('one', pieces('on', 'e'))
    const two = await spool.keep('two', pieces('two'))
    expect([one.bytes, two.bytes, await textOf(one.read?.() ?? pieces())]).toEqual([3, 3, 'one'])
    expect(await textOf(two.read?.() ?? pieces())).toBe('two')
    await target.write('package')
    return 7
  })
  expect(await readdir(folder)).toEqual([])
  expect(made.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(await textOf(made.read())).toBe('package')
})

test('a package that is not read is closed', async () => {
  const made = await new Workshop(folder).make(async (_spool, target) => (await target.write('x')).bytesWritten)
  const stream = made.read()
  stream.destroy()
  await expect.poll(() => stream.closed).toBe(true)
  await expect(made.close()).resolves.toBeUndefined()
})

test('two packages are made at a time; a third waits, and is refused after its patience (P1)', async () => {
  const workshop = new Workshop(folder, 50)
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let underWay = 0
  const slow = () =>
    workshop.make(async (_spool, target) => {
      underWay++
      await gate
      return (await target.write('x')).bytesWritten
    })
  const first = [slow(), slow()]
  await expect(slow()).rejects.toMatchObject({ code: 'service.busy', kind: 'unavailable' })
  expect(underWay).toBe(2)
  const fourth = slow()
  open()
  for (const each of await Promise.all([...first, fourth])) await each.close()
  expect(underWay).toBe(3)
})

test('what fails frees its place', async () => {
  const workshop = new Workshop(folder, 1_000)
  for (let count = 0; count < 4; count++) {
    await expect(workshop.make(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  }
  expect(await readdir(folder)).toEqual([])
})
