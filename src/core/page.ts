import { isGuid } from './ids.ts'
import { invalid } from './problem.ts'
import { formatInstant, parseInstant } from './time.ts'

/** Cursor pages. (D8) */

export const defaultPageSize = 25
export const largestPageSize = 100
/** A page ends early, with what it has, rather than come to more; of a single record it may. */
export const largestPageBytes = 2 * 1024 * 1024

/** A position in an ordered list: the sort values of the last record shown, in the order of the list's keys. */
export type Position = readonly (string | number)[]

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** Opaque to clients; the list's name inside keeps a cursor of one list from being used on another. */
export function encodeCursor(list: string, position: Position): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url')
}

/**
 * Reads a cursor that this list gave out; without one, the list begins.
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
 * Cuts a page out of rows that were read one beyond `limit`, so that a further page is known to exist without a count.
 * @param bytes about how much of an answer each row becomes; for lists of whose records a page might be too large
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

/** How many of these one answer has room for. */
function fitting(bytes: readonly number[]): number {
  let sum = 0
  const beyond = bytes.findIndex((each) => {
    sum += each
    return sum > largestPageBytes
  })
  return beyond === -1 ? bytes.length : Math.max(1, beyond)
}

export function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Whether a value is an instant as cursors hold it, of the years that the database knows too: JavaScript has a year 0. */
export function isCursorInstant(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-/.test(value) || value < '0001') return false
  const date = new Date(value)
  return !Number.isNaN(date.getTime()) && formatInstant(date) === value
}

/** Where a list in the order of making goes on: behind the record that was made at this instant and has this GUID. */
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
