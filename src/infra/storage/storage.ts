import type { Readable } from 'node:stream'

/** Where objects are kept: files in a folder, or a bucket of S3-compatible storage. (M11, M15) */
export interface Storage {
  /**
   * Keeps a finished file under a name; it is there to stay once this returns, whatever happens to the process. What is there
   * already is left as it is. The file may be moved or copied.
   */
  put(name: string, file: string, facts: ObjectFacts): Promise<void>
  /**
   * Null where there is none; `bytes` are those of the range, which ends with the object at the latest. Who does not read to the
   * end destroys the stream.
   * @throws RangeError where it begins behind the end
   */
  get(name: string, range?: ByteRange): Promise<{ readonly stream: Readable; readonly bytes: number } | null>
  /** Null where there is none. */
  head(name: string): Promise<{ readonly bytes: number } | null>
  /** What is not there is gone already. */
  delete(name: string): Promise<void>
  /** All that begin with it, in no order that counts. */
  list(prefix: string): AsyncIterable<{ readonly name: string; readonly bytes: number; readonly changedAt: Date }>
}

export interface ObjectFacts {
  readonly bytes: number
  /** SHA-256, in hex. */
  readonly digest: string
  readonly headers: Readonly<Record<string, string>>
}

/** Both ends are inside. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** The name of an object, which is told by what it holds. (M11) */
export function objectName(digest: string): string {
  return `objects/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}`
}

export function variantName(digest: string, name: string): string {
  return `variants/${digest}/${name}`
}

/** Names become paths and addresses: nothing in them leads elsewhere. Says what is wrong with one. */
export function nameFault(name: string): string | null {
  return /^[\da-z][\w.-]*(?:\/[\da-z][\w.-]*)+$/i.test(name) ? null : `${JSON.stringify(name)} cannot name an object`
}

/** @throws RangeError where the range begins behind the end, or ends before it begins */
export function spanOf(bytes: number, range?: ByteRange): ByteRange {
  if (range === undefined) return { first: 0, last: bytes - 1 }
  const { first, last } = range
  if (first < 0 || first >= bytes || last < first) throw new RangeError(`bytes ${first} to ${last} of ${bytes}`)
  return { first, last: Math.min(last, bytes - 1) }
}

/** What was written cannot be read back as it was. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged'

  constructor(name: string) {
    super(`${name} is not what it was when it was written`)
  }
}
