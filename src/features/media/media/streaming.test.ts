import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { openWire, type Wire } from '../../../../test/kernel/raw.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import { formOf, picture } from '../../../../test/media.ts'

/**
 * Uploads during the transfer: a refused upload is not read further, a slow one ends, and neither leaves files.
 * (M4, M5)
 */

const mib = 1024 * 1024

let api: Harness
/** A harness with the default timeouts, for uploads that must arrive even on a busy machine. */
let patient: Harness
let ada: Caller
let cup: MadeTournament
beforeAll(async () => {
  patient = await startHarness()
  api = await patient.sibling({ uploads: { idleMs: 400, wholeMs: 1_500 } })
  ada = await api.user()
  cup = await makeTournament(api, ada)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await patient[Symbol.asyncDispose]()
})

const incoming = () => readdir(path.join(api.app.config.dataDir, 'media', 'incoming')).catch(() => [])
const nothingStays = () => expect.poll(incoming, { timeout: 10_000 }).toEqual([])

function announce(wire: Wire, address: string, length: number, as: Caller | null = ada): void {
  const lines = [
    `POST /api${address} HTTP/1.1`,
    'Host: localhost',
    ...(as === null ? [] : [`Authorization: Bearer ${as.token}`]),
    'Content-Type: multipart/form-data; boundary=a-boundary-of-tests',
    `Content-Length: ${length}`,
  ]
  wire.send(`${lines.join('\r\n')}\r\n\r\n`)
}

/** Sends zeros until all bytes are sent or the connection is closed. Returns the number of bytes sent. */
async function pour(wire: Wire, bytes: number, onChunk = () => {}): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024)
  const { socket } = wire
  let sent = 0
  while (sent < bytes && !socket.destroyed) {
    const isTaken = socket.write(chunk.subarray(0, Math.min(chunk.length, bytes - sent)))
    sent += chunk.length
    onChunk()
    if (!isTaken) await Promise.race([once(socket, 'drain').catch(() => {}), wire.closed])
  }
  return sent - socket.writableLength
}

const [head = Buffer.alloc(0)] = [formOf(Buffer.alloc(0)).raw]
const fileHead = head.subarray(0, head.indexOf('\r\n\r\n', head.indexOf('filename')) + 4)
const partsOf = (parts: Record<string, string>) => {
  const { raw } = formOf(Buffer.alloc(0), parts)
  return raw.subarray(0, raw.indexOf('\r\n\r\n', raw.indexOf('filename')) + 4)
}

test.each([
  ['a stranger', '/media?kind=avatar', null, 401, 'token.missing'],
  ['somebody for a tournament of others', '', undefined, 403, 'media.kind_forbidden'],
  ['too much for its kind', '/media?kind=avatar', undefined, 413, 'media.too_large'],
  ['a kind that there is not', '/media?kind=song', undefined, 400, 'request.invalid'],
] as const)('%s is refused before a byte of the body', async (what, address, as, status, code) => {
  const sender = as === null ? null : await api.user()
  using wire = await openWire(api.url)
  announce(wire, address === '' ? `/media?kind=tournament_image&tournament=${cup.id}` : address, 60 * mib, sender)
  const reply = await wire.next()
  expect([what, reply?.status, reply?.headers.get('problem-code'), reply?.headers.get('connection')]).toEqual([
    ...[what, status, code, 'close'],
  ])
  await wire.closed
  await nothingStays()
})

test.each([
  ['whose kind is named first', () => partsOf({ kind: 'avatar' }), 413, 'media.too_large'],
  [
    'whose place is not the sender’s',
    () => partsOf({ kind: 'platform_image', platform: 'nowhere' }),
    404,
    'platform.unknown',
  ],
] as const)('an upload %s is refused on its way, and read no further', async (_, start, status, code) => {
  using wire = await openWire(api.url)
  announce(wire, '/media', 63 * mib)
  wire.send(start())
  const replied = wire.next()
  const taken = await pour(wire, 60 * mib)
  const reply = await replied
  expect([reply?.status, reply?.headers.get('problem-code')]).toEqual([status, code])
  // After the refusal the service reads up to 8 MiB. The operating system buffers some more at both ends of the
  // connection.
  expect(taken).toBeLessThan((status === 413 ? 4 * mib : 0) + 8 * mib + 12 * mib)
  await wire.closed
  await nothingStays()
})

test('what is still to come is waited for: parts may arrive one by one', async () => {
  const { raw } = formOf(await picture({ width: 256, height: 256 }), { kind: 'badge_image', tournament: cup.id })
  using wire = await openWire(patient.url)
  announce(wire, '/media', raw.length)
  const replied = wire.next()
  const few = 60
  const file = raw.indexOf('filename')
  for (let at = 0; at < file; at += few) {
    wire.send(raw.subarray(at, Math.min(at + few, file)))
    await setTimeout(20)
  }
  wire.send(raw.subarray(file))
  const reply = await replied
  expect([reply?.status, reply?.headers.get('problem-code') ?? null]).toEqual([201, null])
})

test('an upload of 64 MB costs no 64 MB of memory', async () => {
  const parts = partsOf({ kind: 'overlay_video', tournament: cup.id, rightsConfirmed: 'true' })
  const end = Buffer.from('\r\n--a-boundary-of-tests--\r\n')
  const bytes = 64 * mib
  const sendOnce = async () => {
    using wire = await openWire(patient.url)
    announce(wire, '/media', parts.length + bytes + end.length)
    wire.send(parts)
    let most = 0
    const { rss } = process.memoryUsage()
    await pour(wire, bytes, () => {
      most = Math.max(most, process.memoryUsage.rss() - rss)
    })
    wire.send(end)
    const reply = await wire.next()
    expect([reply?.status, reply?.headers.get('problem-code')]).toEqual([415, 'media.type_unsupported'])
    return most
  }
  await sendOnce()
  // The process's other memory grows and shrinks in the meantime.
  const costs = [await sendOnce(), await sendOnce(), await sendOnce()]
  expect(Math.min(...costs)).toBeLessThan(32 * mib)
  await nothingStays()
})

test('an upload that does not go on, or that takes too long, ends', async () => {
  using still = await openWire(api.url)
  using slow = await openWire(api.url)
  for (const wire of [still, slow]) {
    announce(wire, '/media?kind=avatar', 2 * mib)
    wire.send(fileHead)
  }
  const dripping = setInterval(() => slow.send('x'), 50)
  try {
    const replies = await Promise.all([still.next(), slow.next()])
    for (const reply of replies) {
      expect([reply?.status, reply?.headers.get('problem-code')]).toEqual([400, 'request.malformed'])
      expect(reply?.text).toContain('slowly')
    }
  } finally {
    clearInterval(dripping)
  }
  await Promise.all([still.closed, slow.closed])
  await nothingStays()
})

test.each([
  ['all of it is there', (raw: Buffer) => [raw]],
  ['some of it is still to come', (raw: Buffer) => [raw.subarray(0, -100), raw.subarray(-100)]],
] as const)('an upload is not slow for what the service waits for, once %s', async (_, piecesOf) => {
  const { raw } = formOf(Buffer.from('no picture'), { kind: 'tournament_image', tournament: cup.id })
  const [first, ...rest] = piecesOf(Buffer.concat([raw.subarray(0, -30), Buffer.alloc(200), raw.subarray(-30)]))
  using wire = await openWire(api.url)
  await whileHeld(api, ['lock table tournaments in access exclusive mode'], async (waiting) => {
    announce(wire, '/media', raw.length + 200)
    wire.send(first as Buffer)
    await waiting(1)
    await setTimeout(700)
  })
  for (const piece of rest) wire.send(piece)
  const reply = await wire.next()
  expect([reply?.status, reply?.headers.get('problem-code')]).toEqual([415, 'media.type_unsupported'])
  await nothingStays()
})

test('nothing stays of an upload whose sender goes away', async () => {
  {
    using wire = await openWire(api.url)
    announce(wire, '/media?kind=avatar', 2 * mib)
    wire.send(fileHead)
    await pour(wire, mib)
    await expect.poll(async () => (await incoming()).length).toBe(1)
  }
  await nothingStays()
})

test('a connection serves on after an upload that was read to its end', async () => {
  using wire = await openWire(api.url)
  const { raw } = formOf(Buffer.from('no picture'), { kind: 'avatar' })
  for (let round = 0; round < 2; round++) {
    announce(wire, '/media', raw.length)
    wire.send(raw)
    expect((await wire.next())?.status).toBe(415)
  }
})
