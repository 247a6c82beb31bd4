import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lock, tryLock } from './lock.ts'

const HOLDER = `
  const { tryLock } = await import(process.argv[1])
  console.log(tryLock(process.argv[2], process.argv[3]) !== undefined)
  setInterval(() => {}, 1000)`

let directory: string
let file: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'downbeat-test-'))
  file = join(directory, 'lock')
})

afterEach(() => rmSync(directory, { recursive: true }))

it('excludes others of the same process until it is disposed of', () => {
  const first = tryLock(file, 'exclusive')
  expect(first).toBeDefined()
  expect(tryLock(file, 'exclusive')).toBeUndefined()
  expect(tryLock(file, 'shared')).toBeUndefined()
  first?.[Symbol.dispose]()
  using second = tryLock(file, 'exclusive')
  expect(second).toBeDefined()
})

it('can be shared, which excludes an exclusive one', () => {
  using first = tryLock(file, 'shared')
  const second = tryLock(file, 'shared')
  expect(first && second).toBeDefined()
  second?.[Symbol.dispose]()
  second?.[Symbol.dispose]()
  expect(tryLock(file, 'exclusive')).toBeUndefined()
})

it.each(['exclusive', 'shared'])('of another process (%s) ends when that is killed', async (mode) => {
  const module = new URL('./lock.ts', import.meta.url).href
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, module, file, mode])
  const exited = once(holder, 'exit')
  const [output] = await once(holder.stdout, 'data')
  expect(String(output)).toBe('true\n')
  expect(tryLock(file, 'exclusive')).toBeUndefined()
  holder.kill('SIGKILL')
  await exited
  using next = tryLock(file, 'exclusive')
  expect(next).toBeDefined()
})

it('is waited for, but not for ever', async () => {
  const first = await lock(file, 'exclusive', 0)
  setTimeout(() => first[Symbol.dispose](), 50)
  using _second = await lock(file, 'exclusive', 5_000)
  await expect(lock(file, 'exclusive', 30)).rejects.toThrow(/has held .*lock for more than 0.03 s/)
})

it('is a file that others cannot open, and thus cannot block', () => {
  using _lock = tryLock(file, 'shared')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
