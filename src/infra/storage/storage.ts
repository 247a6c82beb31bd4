import type { Readable } from 'node:stream'

/** The storage of objects: files in a folder, or a bucket of S3-compatible storage. (M11, M15) */
export interface Storage {
  /**
   * Stores a finished file under a name, durably: the object survives any crash once this returns. An existing object
   * is left as it is. The file may be moved or copied.
   */
  put(name: string, file: string, facts: ObjectFacts): Promise<void>
  /**
   * Opens an object; null where there is none. `bytes` is the length of the range, which is cut at the end of the
   * object. A caller that does not read to the end must destroy the stream.
   * @throws RangeError where the range begins after the end
   */
  get(name: string, range?: ByteRange): Promise<{ readonly stream: Readable; readonly bytes: number } | null>
  /** Null where there is none. */
  head(name: string): Promise<{ readonly bytes: number } | null>
  /** Deletes an object; a missing object is no error. */
  delete(name: string): Promise<void>
  /** All objects whose names begin with the prefix, in no defined order. */
  list(prefix: string): AsyncIterable<{ readonly name: string; readonly bytes: number; readonly changedAt: Date }>
}

export interface ObjectFacts {
  readonly bytes: number
  /** SHA-256, in hex. */
  readonly digest: string
  readonly headers: Readonly<Record<string, string>>
}

/** Both ends are inclusive. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** The name of an object, derived from the digest of its content. (M11) */
export function objectName(digest: string): string {
  return `objects/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}`
}

export function variantName(digest: string, name: string): string {
  return `variants/${digest}/${name}`
}

/**
 * Why a name is invalid; null when it is valid. Names become paths and addresses, so they must not lead anywhere else.
 */
export function nameFault(name: string): string | null {
  return /^[\da-z][\w.-]*(?:\/[\da-z][\w.-]*)+$/i.test(name) ? null : `${JSON.stringify(name)} cannot name an object`
}

/** @throws RangeError where the range begins after the end, or ends before it begins */
export function spanOf(bytes: number, range?: ByteRange): ByteRange {
  if (range === undefined) return { first: 0, last: bytes - 1 }
  const { first, last } = range
  if (first < 0 || first >= bytes || last < first) throw new RangeError(`bytes ${first} to ${last} of ${bytes}`)
  return { first, last: Math.min(last, bytes - 1) }
}

/** A stored object differs from what was written. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged'

  constructor(name: string) {
    super(`${name} is not what it was when it was written`)
  }
}
