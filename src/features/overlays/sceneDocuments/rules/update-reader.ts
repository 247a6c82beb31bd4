import { maxDepth } from './documents.ts'
import { rootName } from './shape.ts'
import { Bytes, Unreadable } from './update-bytes.ts'

/**
 * Reads the content of an update before anything of it is applied. Only format V1 is accepted, in which every struct
 * takes bytes; in V2, a few bytes may stand for millions of structs. Only the content that an editor produces is
 * accepted: members of maps, deletions, and gaps of deleted content. (OV11; Yjs: update format V1)
 */

export interface Id {
  readonly client: number
  readonly clock: number
}

export interface Struct extends Id {
  readonly length: number
  /** null for content that was deleted with its map, and so has no place. */
  readonly item: ItemPlace | null
}

/** The item that this one follows, or the map and the member name if it follows none. */
export type ItemPlace =
  | { readonly origin: Id }
  /** null for the root. */
  | { readonly parent: Id | null; readonly key: string }

export interface Deletion {
  readonly client: number
  readonly clock: number
  readonly length: number
}

export interface ReadUpdate {
  /** By client, each in the order of clocks and without gaps. */
  readonly structs: ReadonlyMap<number, readonly Struct[]>
  /** By client, in ascending order and without overlaps. */
  readonly deletions: readonly Deletion[]
}

/** (OV11) */
export const updateLimits = {
  bytes: 65_536,
  /** Counts values, too, because a struct may contain a list of them. */
  structs: 10_000,
  /** Above the clocks of any real editor. A document with clocks beyond 2^53 could not be read any more. */
  clock: 2_147_483_647,
  clients: 100,
} as const

const content = { deleted: 1, map: 7, values: 8 } as const
const mapType = 1
const maxKeyLength = 60

/** @throws Unreadable */
export function readUpdate(update: Uint8Array): ReadUpdate {
  if (update.length > updateLimits.bytes) throw new Unreadable(`has more than ${updateLimits.bytes} bytes`)
  const bytes = new Bytes(update)
  const work = new Work()
  const structs = readStructs(bytes, work)
  const deletions = readDeletions(bytes, work)
  // A later format, or data after the end that no check would see.
  if (bytes.left > 0) throw new Unreadable('goes on behind its end')
  return { structs, deletions }
}

class Work {
  #structs = 0

  add(count: number): void {
    this.#structs += count
    if (this.#structs > updateLimits.structs) throw new Unreadable(`has more than ${updateLimits.structs} structs`)
  }
}

function readStructs(bytes: Bytes, work: Work): Map<number, Struct[]> {
  const clients = bytes.count()
  if (clients > updateLimits.clients) throw new Unreadable(`is of more than ${updateLimits.clients} clients`)
  const structs = new Map<number, Struct[]>()
  for (let index = 0; index < clients; index++) {
    const claimed = bytes.count()
    const client = bytes.count()
    let clock = bytes.count()
    if (claimed === 0) throw new Unreadable('names a client and nothing of it')
    if (structs.has(client)) throw new Unreadable('names a client twice')
    const own: Struct[] = []
    structs.set(client, own)
    for (let count = 0; count < claimed; count++) {
      work.add(1)
      const struct = readStruct(bytes, { client, clock }, work)
      own.push(struct)
      clock += struct.length
      if (struct.length === 0) throw new Unreadable('has a struct of no length')
      if (clock > updateLimits.clock) throw new Unreadable('has a clock that runs too far')
    }
  }
  return structs
}

function readStruct(bytes: Bytes, { client, clock }: Id, work: Work): Struct {
  const info = bytes.byte()
  const kind = info & 31
  if (kind === 0) {
    if (info !== 0) throw new Unreadable('has a struct that nobody makes')
    return { client, clock, length: bytes.count(), item: null }
  }
  // A member of a map follows the one that it overwrites. Only items of lists have a right neighbour.
  if ((info & 64) !== 0) throw new Unreadable('has an item in a list')
  const item = (info & 128) === 0 ? readParent(bytes, info) : { origin: readId(bytes) }
  if ('origin' in item && item.origin.client === client && item.origin.clock >= clock)
    throw new Unreadable('has an item behind itself')
  return { client, clock, length: readContent(bytes, kind, work), item }
}

function readParent(bytes: Bytes, info: number): ItemPlace {
  const isNamed = bytes.count()
  if (isNamed === 1 && bytes.text() !== rootName) throw new Unreadable('is of another root')
  if (isNamed > 1) throw new Unreadable('has a parent that nobody makes')
  const parent = isNamed === 1 ? null : readId(bytes)
  if ((info & 32) === 0) throw new Unreadable('has an item in a list')
  const key = bytes.text()
  if (key.length > maxKeyLength || key === '__proto__') throw new Unreadable('has a name that is not allowed')
  return { parent, key }
}

function readId(bytes: Bytes): Id {
  return { client: bytes.count(), clock: bytes.count() }
}

function readContent(bytes: Bytes, kind: number, work: Work): number {
  switch (kind) {
    case content.deleted:
      return bytes.count()
    case content.map:
      if (bytes.count() !== mapType) throw new Unreadable('has something other than a map')
      return 1
    case content.values: {
      const length = bytes.count()
      for (let index = 0; index < length; index++) work.add(bytes.value(maxDepth) > 0 && index > 0 ? 1 : 0)
      return length
    }
    default:
      throw new Unreadable('has something other than values and maps')
  }
}

function readDeletions(bytes: Bytes, work: Work): Deletion[] {
  const clients = bytes.count()
  const seen = new Set<number>()
  const deletions: Deletion[] = []
  for (let index = 0; index < clients; index++) {
    const client = bytes.count()
    if (seen.has(client)) throw new Unreadable('names a client twice')
    seen.add(client)
    const claimed = bytes.count()
    let end = -1
    for (let count = 0; count < claimed; count++) {
      work.add(1)
      const clock = bytes.count()
      const length = bytes.count()
      if (clock <= end || length === 0) throw new Unreadable('has deletions out of their order')
      end = clock + length
      if (end > updateLimits.clock) throw new Unreadable('has a clock that runs too far')
      deletions.push({ client, clock, length })
    }
  }
  return deletions
}
