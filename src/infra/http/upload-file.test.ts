import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '../../core/problem.ts'
import { Uploads } from './upload.ts'
import { AnnouncedFile } from './upload-file.ts'

/** Bodies that are plain files, over real connections. (M5) */

const maxBytes = 1024 * 1024
let folder: string
let uploads: Uploads
/** With short timeouts. */
let hasty: Uploads
let server: Server
/** The result of each request, in the order in which they ended. */
const results: unknown[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-file-'))
  uploads = new Uploads(folder, { maxAtOnce: 3 })
  hasty = new Uploads(folder, { idleMs: 300, wholeMs: 200 })
  server = createServer((payload, response) => {
    take(payload).then((result) => {
      results.push(result)
      response.end(JSON.stringify(result))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

async function take(payload: IncomingMessage): Promise<unknown> {
  try {
    const { file, discard } = await (payload.headers.hasty ? hasty : uploads).receiveFile(
      new AnnouncedFile(payload),
      { account: null, network: 'here' },
      maxBytes,
    )
    const read = await readFile(file.path)
    await discard()
    const digest = createHash('sha256').update(read).digest('hex')
    return { bytes: file.bytes, isWhole: digest === file.digest && read.length === file.bytes }
  } catch (error) {
    return error instanceof Problem ? error.code : String(error)
  }
}

/** Sends chunks with a pause after each; null for a connection that is cut. */
async function send(pieces: readonly (Uint8Array | null)[], pauseMs = 0, headers = {}): Promise<unknown> {
  const { port } = server.address() as AddressInfo
  // A connection for each: after an incomplete body it cannot be used again.
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false })
  const answered = new Promise<unknown>((resolve) => {
    sent.once('error', () => resolve('cut'))
    // An answer that is cut ends without an error of the request.
    sent.once('close', () => resolve('cut'))
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())))
    })
  })
  for (const piece of pieces) {
    if (piece === null) sent.destroy()
    else sent.write(piece)
    await setTimeout(pauseMs)
  }
  if (!sent.destroyed) sent.end()
  return answered
}

test('a file is kept as it came, in one piece or in many, and is gone when nobody wants it', async () => {
  const bytes = randomBytes(maxBytes)
  const pieces = Array.from({ length: 16 }, (_, index) => bytes.subarray(index * 65_536, (index + 1) * 65_536))
  const whole = { bytes: maxBytes, isWhole: true }
  expect(await Promise.all([send([bytes]), send(pieces, 1), send([])])).toEqual([
    whole,
    whole,
    { bytes: 0, isWhole: true },
  ])
  expect(await readdir(folder)).toEqual([])
})

test('what is too large, too slow or not whole is refused, and nothing is kept of it', async () => {
  const large = randomBytes(maxBytes + 1)
  expect(await send([large])).toBe('request.too_large')
  expect(await send([], 0, { 'content-length': maxBytes + 1 })).toBe('request.too_large')
  const one = randomBytes(1)
  // A client that sends after the answer may see the connection cut.
  const ofHasty = { hasty: 'yes' }
  await Promise.all([send([one, one], 400, ofHasty), send(Array(10).fill(one), 150, ofHasty), send([one, null], 20)])
  await expect.poll(() => results.filter((result) => result === 'request.malformed').length).toBe(3)
  expect(await readdir(folder)).toEqual([])
})

test('there are only so many at once', async () => {
  const slow = Array.from({ length: 3 }, () => send([randomBytes(1), randomBytes(1)], 100))
  await expect.poll(() => uploads.places.size).toBe(3)
  expect(await send([randomBytes(1)])).toBe('service.busy')
  expect(await Promise.all(slow)).toEqual(Array(3).fill({ bytes: 2, isWhole: true }))
  expect(uploads.places.size).toBe(0)
})
