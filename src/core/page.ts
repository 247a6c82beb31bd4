import { invalid } from './problem.ts'

/** Cursor pages. (D8) */

export const defaultPageSize = 25

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
 * Reads a cursor that this list gave out, whose position has the form of `example`.
 * @throws Problem `cursor.invalid`
 */
export function decodeCursor<const P extends Position>(
  list: string,
  cursor: string,
  isPosition: (p: Position) => p is P,
): P {
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
 */
export function toPage<T>(list: string, rows: readonly T[], limit: number, positionOf: (row: T) => Position): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items, nextCursor: more ? encodeCursor(list, positionOf(last)) : null }
}
