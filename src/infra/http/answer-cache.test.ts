import { expect, test } from 'vitest'
import type { Db } from '../db/database.ts'
import { Head } from '../events/head.ts'
import type { Ready } from './answer.ts'
import { Answers } from './answer-cache.ts'

/** A log in which nothing ever happens. */
const quiet = { session: { execute: async () => [] } } as unknown as Db

const kilobyte = 1024

function answerOf(bytes: number): Ready {
  return {
    body: Buffer.alloc(bytes),
    etag: '"x"',
    headers: {},
    closedHeaders: {},
    length: String(bytes),
    operation: 'test',
    coded: null,
  }
}

async function open(): Promise<{ answers: Answers; keep: (url: string, bytes: number) => void }> {
  const head = await Head.open(quiet)
  const answers = new Answers(head)
  return {
    answers,
    keep: (url, bytes) => answers.keep(url, answerOf(bytes), { tags: ['tag'], until: null, startingPoint: head.seq }),
  }
}

test('an answer is remembered whatever its size, up to eight megabytes', async () => {
  const { answers, keep } = await open()
  const sizes = [1, 32 * kilobyte, 32 * kilobyte + 1, 1024 * kilobyte, 1024 * kilobyte + 1, 8192 * kilobyte]
  for (const bytes of sizes) keep(`/${bytes}`, bytes)
  expect(sizes.map((bytes) => answers.get(`/${bytes}`)?.body.length)).toEqual(sizes)
  keep('/more', 8192 * kilobyte + 1)
  expect(answers.get('/more')).toBeUndefined()
})

test('large answers drive out neither small ones nor each other without end: the bytes that are held are bounded', async () => {
  const { answers, keep } = await open()
  keep('/small', 10)
  for (let index = 0; index < 600; index++) keep(`/bracket/${index}`, 100 * kilobyte)
  for (let index = 0; index < 40; index++) keep(`/table/${index}`, 2048 * kilobyte)
  expect(answers.get('/small')).toBeDefined()
  const held = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => answers.get(`/${kind}/${index}`)).filter((ready) => ready !== undefined)
  expect(held('bracket', 600).length).toBeGreaterThan(140)
  expect(held('bracket', 600).length).toBeLessThan(164)
  expect(held('table', 40).length).toBe(7)
  expect(answers.get('/bracket/599')).toBeDefined()
  expect(answers.get('/table/39')).toBeDefined()
})

test('however many answers there are, of whatever size, they hold 48 MB', async () => {
  const { answers, keep } = await open()
  for (let index = 0; index < 60_000; index++) keep(`/small/${index}`, index % 2 ? 100 : 8 * kilobyte)
  for (let index = 0; index < 200; index++) keep(`/large/${index}`, (index % 80) * 100 * kilobyte)
  expect(answers.bytes).toBeLessThanOrEqual(48 * 1024 * kilobyte)
  expect(answers.bytes).toBeGreaterThan(40 * 1024 * kilobyte)
})

test.each([1, 5_000, 32 * kilobyte, 32 * kilobyte + 1, 100 * kilobyte])(
  'an answer of %i bytes is kept byte for byte, and not with the slab that its bytes were cut from',
  async (length) => {
    const { answers } = await open()
    const body = Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 256))
    answers.keep('/cut', { ...answerOf(length), body }, { tags: ['tag'], until: null, startingPoint: 0 })
    const kept = answers.get('/cut')
    expect(kept?.body.equals(body)).toBe(true)
    if (kept?.text === null) expect(kept.body.buffer.byteLength).toBe(length)
    else expect(Buffer.from(kept?.text ?? '', 'latin1').equals(body)).toBe(true)
  },
)
