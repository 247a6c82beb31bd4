import { isGuid } from './ids.ts'
import { invalid } from './problem.ts'
import { formatInstant, parseInstant } from './time.ts'

/** Cursor pages. (D8) */

export const defaultPageSize = 25
export const maxPageSize = 100
/** A page ends early rather than exceed this size; a page of a single record may exceed it. */
export const maxPageBytes = 2 * 1024 * 1024

/** A position in an ordered list: the sort values of the last record shown, in the order of the list's keys. */
export type Position = readonly (string | number)[]

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** Opaque to clients; it contains the list's name, so that a cursor of one list cannot be used on another. */
export function encodeCursor(list: string, position: Position): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url')
}

/**
 * Reads a cursor of this list; undefined without one, which means the beginning of the list.
 * @param isPosition whether a position has the form that this list gives it
 * @throws Problem `cursor.invalid`
 */
export function decodeCursor<const P extends Position>(
  list: string,
  cursor: string | undefined,
  isPosition: (p: Position) => p is P,
): P | undefined {
  if (cursor === undefined) return undefined
  const position = readPosition(list, cursor)
  if (position === null || !isPosition(position)) {
    throw invalid(
      'cursor.invalid',
      'The cursor in `before` is not one that this list gave out; start again without it.',
    )
  }
  return position
}

function readPosition(list: string, cursor: string): Position | null {
  try {
    const [name, ...position] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    const plain = position.every((value) => typeof value === 'string' || Number.isSafeInteger(value))
    return name === list && plain ? (position as Position) : null
  } catch {
    return null
  }
}

/**
 * Cuts a page out of rows that were read one beyond `limit`, which shows without a count whether a further page exists.
 * @param bytes the approximate size of each row in the answer; for lists whose pages could become too large
 */
export function toPage<T>(
  list: string,
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => Position,
  bytes?: readonly number[],
): Page<T> {
  const items = rows.slice(0, bytes === undefined ? limit : Math.min(limit, fitting(bytes)))
  const last = items.at(-1)
  const more = rows.length > items.length && last !== undefined
  return { items, nextCursor: more ? encodeCursor(list, positionOf(last)) : null }
}

/** The number of these rows that fit into one answer. */
function fitting(bytes: readonly number[]): number {
  let sum = 0
  const beyond = bytes.findIndex((each) => {
    sum += each
    return sum > maxPageBytes
  })
  return beyond === -1 ? bytes.length : Math.max(1, beyond)
}

export function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Whether a value is an instant as cursors hold it, in a year that the database has too: JavaScript has a year 0. */
export function isCursorInstant(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-/.test(value) || value < '0001') return false
  const date = new Date(value)
  return !Number.isNaN(date.getTime()) && formatInstant(date) === value
}

/** A position in a list ordered by creation: after the record with this creation time and this GUID. */
export type MakingPosition = readonly [madeAt: string, guid: string]

export function makingPosition(record: { readonly createdAt: Date; readonly guid: string }): MakingPosition {
  return [formatInstant(record.createdAt), record.guid]
}

/** Whether a position has the form that `makingPosition` gives it. */
export function isMakingPosition(position: Position): position is MakingPosition {
  const [madeAt, guid, ...rest] = position.map(String)
  const instant = parseInstant(madeAt ?? '')
  const isShownForm = instant.ok && instant.value !== null && formatInstant(instant.value) === madeAt
  return isShownForm && isGuid(guid ?? '') && rest.length === 0
}
