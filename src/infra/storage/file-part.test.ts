import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FilePart } from './file-part.ts'

/** Parts of files, piped into responses and into other sinks. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'downbeat-part-'))
const file = path.join(folder, 'file')
const bytes = randomBytes(5_000_000)
writeFileSync(file, bytes)

let server: Server
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const [first = 0, last = 0] = (request.url ?? '').slice(1).split('-').map(Number)
    const part = new FilePart(await open(file), { first, last })
    part.on('error', () => response.destroy())
    response.on('close', () => part.destroy())
    part.pipe(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.close()
  rmSync(folder, { recursive: true })
})

function ask(first: number, last: number): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: `/${first}-${last}`, agent: false }, resolve).on('error', reject)
  })
}

const digestOf = (part: Uint8Array) => createHash('sha256').update(part).digest('hex')

/** How many times this process has the file open. */
function opened(): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file
    } catch {
      return false
    }
  }).length
}

async function untilClosed(): Promise<void> {
  if (process.platform !== 'linux') return
  await expect.poll(opened).toBe(0)
}

test('each of many gets its own part, whether they read at once or by and by', async () => {
  const parts = Array.from({ length: 24 }, (_, index) => [index * 97_003, 2_500_000 + index * 101_009] as const)
  const got = await Promise.all(
    parts.map(async ([first, last], index) => {
      const answer = await ask(first, last)
      const pieces: Buffer[] = []
      for await (const piece of answer) {
        pieces.push(piece)
        if (index % 3 === 0) await setTimeout(2)
      }
      return digestOf(Buffer.concat(pieces))
    }),
  )
  expect(got).toEqual(parts.map(([first, last]) => digestOf(bytes.subarray(first, last + 1))))
  await untilClosed()
})

test('whoever goes away leaves nothing open, and others get what is theirs', async () => {
  const leaving = await Promise.all(Array.from({ length: 8 }, () => ask(0, 4_999_999)))
  for (const answer of leaving) {
    answer.once('data', () => answer.destroy())
    answer.on('error', () => {})
  }
  const staying = await Promise.all([1, 2, 3].map(async () => digestOf(await buffer(await ask(1, 4_999_998)))))
  expect(new Set(staying)).toEqual(new Set([digestOf(bytes.subarray(1, 4_999_999))]))
  await untilClosed()
})

test('what is kept by somebody in between stays as it was', async () => {
  const part = new FilePart(await open(file), { first: 0, last: 4_999_999 })
  const between = part.pipe(new PassThrough({ highWaterMark: 10_000_000 }))
  await setTimeout(100)
  expect(digestOf(await buffer(between))).toBe(digestOf(bytes))
  await untilClosed()
})

test('of a file that is shorter than it was the answer breaks off', async () => {
  const answer = await ask(4_000_000, 6_000_000)
  await expect(buffer(answer)).rejects.toThrow('aborted')
  await untilClosed()
})
