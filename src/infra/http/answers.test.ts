import { expect, test } from 'vitest'
import type { Db } from '../db/database.ts'
import { Head } from '../events/head.ts'
import type { Ready } from './answer.ts'
import { Answers } from './answers.ts'

/** A log in which nothing ever happens. */
const quiet = { session: { execute: async () => [] } } as unknown as Db

const kilobyte = 1024

function answerOf(bytes: number): Ready {
  return { body: Buffer.alloc(bytes), etag: '"x"', headers: {}, length: String(bytes), operation: 'test' }
}

async function open(): Promise<{ answers: Answers; keep: (url: string, bytes: number) => void }> {
  const head = await Head.open(quiet)
  const answers = new Answers(head)
  return { answers, keep: (url, bytes) => answers.keep(url, answerOf(bytes), ['tag'], head.seq) }
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
  for (let index = 0; index < 60; index++) keep(`/bracket/${index}`, 100 * kilobyte)
  for (let index = 0; index < 10; index++) keep(`/table/${index}`, 2048 * kilobyte)
  expect(answers.get('/small')).toBeDefined()
  const held = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => answers.get(`/${kind}/${index}`)).filter((ready) => ready !== undefined)
  // The map that is used keeps its last generation too.
  expect(held('bracket', 60).length).toBeGreaterThanOrEqual(24)
  expect(held('bracket', 60).length).toBeLessThanOrEqual(48)
  expect(held('table', 10).length).toBeGreaterThanOrEqual(3)
  expect(held('table', 10).length).toBeLessThanOrEqual(6)
})
