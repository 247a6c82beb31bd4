import { type Static, Type } from 'typebox'
import { mediaTypes } from '../../core/media.ts'
import { shapeOf } from '../../core/shape.ts'
import { BackupRefused } from './refused.ts'

/**
 * What a backup consists of, in this order: key files, the database with its tables and sequences, objects of media. An
 * entry is a head and bytes of unknown length.
 */

const Name = Type.String({ minLength: 1, maxLength: 200 })
const Head = Type.Union([
  Type.Object({ kind: Type.Literal('key'), name: Type.String({ pattern: '^\\w[\\w.-]*(?:/\\w[\\w.-]*)*$' }) }),
  Type.Object({
    kind: Type.Literal('database'),
    /** The newest migration: its time, and the SHA-256 of its file. */
    migration: Type.Object({ at: Type.Integer(), hash: Type.String() }),
    /** The number of the newest migration of the job library; null where no worker has run yet. */
    jobs: Type.Union([Type.Integer(), Type.Null()]),
  }),
  Type.Object({ kind: Type.Literal('table'), schema: Name, name: Name, columns: Type.Array(Name) }),
  Type.Object({
    kind: Type.Literal('sequence'),
    schema: Name,
    name: Name,
    last: Type.String({ pattern: '^-?\\d{1,19}$' }),
    isCalled: Type.Boolean(),
  }),
  Type.Object({
    kind: Type.Literal('object'),
    digest: Type.String({ pattern: '^[\\da-f]{64}$' }),
    bytes: Type.Integer({ minimum: 0 }),
    type: Type.Enum(Object.values(mediaTypes)),
  }),
])
const headShape = shapeOf(Head)

export type Head = Static<typeof Head>
export type HeadOf<Kind extends Head['kind']> = Extract<Head, { kind: Kind }>

export interface Entry {
  readonly head: Head
  readonly data: AsyncIterable<Buffer>
}

const headFrame = 1
const dataFrame = 2
/** A frame is read as a whole. */
const maxFrameBytes = 1024 * 1024
/** The kind of a frame in one byte, and the length of its bytes in four. */
const prefixBytes = 5

export function entry(head: Head, data: AsyncIterable<Buffer> = none()): Entry {
  return { head, data }
}

async function* none(): AsyncGenerator<Buffer> {}

export async function* writeEntries(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { head, data } of entries) {
    yield* framesOf(headFrame, Buffer.from(JSON.stringify(head)))
    for await (const bytes of data) yield* framesOf(dataFrame, bytes)
  }
}

function* framesOf(kind: number, bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += maxFrameBytes) {
    const part = bytes.subarray(at, at + maxFrameBytes)
    const prefix = Buffer.alloc(prefixBytes)
    prefix.writeUInt8(kind)
    prefix.writeUInt32BE(part.length, 1)
    yield prefix
    yield part
  }
}

interface Frame {
  readonly kind: number
  readonly bytes: Buffer
}

/** The data of an entry can be read until the next entry is asked for; what was not read is skipped. */
export async function* readEntries(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const frames = readFrames(source)
  const next = async (): Promise<Frame | undefined> => (await frames.next()).value
  try {
    let frame = await next()
    while (frame !== undefined) {
      if (frame.kind !== headFrame) throw new BackupRefused('the file is not a backup of this service')
      const head = headOf(frame.bytes)
      frame = await next()
      async function* data(): AsyncGenerator<Buffer> {
        for (; frame?.kind === dataFrame; frame = await next()) yield frame.bytes
      }
      yield { head, data: data() }
      while (frame?.kind === dataFrame) frame = await next()
    }
  } finally {
    await frames.return(undefined)
  }
}

function headOf(bytes: Buffer): Head {
  const head: unknown = JSON.parse(bytes.toString('utf8'))
  if (headShape.check(head)) return head
  throw new BackupRefused('the backup contains what this version does not know; a newer version of Downbeat made it')
}

async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame, undefined> {
  let held: Buffer = Buffer.alloc(0)
  for await (const bytes of source) {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    while (held.length >= prefixBytes) {
      const end = prefixBytes + held.readUInt32BE(1)
      if (end > prefixBytes + maxFrameBytes) throw new BackupRefused('the file is not a backup of this service')
      if (held.length < end) break
      yield { kind: held.readUInt8(0), bytes: held.subarray(prefixBytes, end) }
      held = held.subarray(end)
    }
  }
  if (held.length > 0) throw new BackupRefused('the file ends within an entry')
}
