import { parse } from 'csv-parse/sync'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { invalid } from '../../../../core/problem.ts'
import { cleanText } from '../../../../core/text.ts'
import { readInstant } from '../../../../core/time.ts'
import { type Badge, badgeLimits, type Recipient } from '../types.ts'
import { readLabel } from './grants.ts'

/** Reads grants from a CSV file, whose content is not trusted. (B8) */

export const maxFileBytes = 1024 * 1024
const maxRows = 5_000
const columns = ['user', 'badge', 'label', 'place', 'awardedAt'] as const
type Column = (typeof columns)[number]

/** A fault of a row. Row 1 is the first after the header. */
export interface RowFault {
  readonly row: number
  readonly reason: string
}

/** A row whose cells could be read. */
export interface GrantRow {
  readonly row: number
  /** Any identifier of a user. */
  readonly user: string
  /** GUID or exact name of a badge. */
  readonly badge: string
  readonly label: string | null
  readonly place: number | null
  readonly awardedAt: Date | null
}

export interface ReadRows {
  readonly rows: readonly GrantRow[]
  readonly faults: readonly RowFault[]
}

class CellFault extends Error {
  override readonly name = 'CellFault'
}

/**
 * Reads a file: UTF-8 with or without a byte order mark, a header that names the columns, and at most 5000 rows. Empty
 * rows are counted and ignored. (B8)
 * @throws Problem `badge_import.unreadable`, `badge_import.too_large`
 */
export function readRows(bytes: Uint8Array, now: Date): ReadRows {
  const [header = [], ...records] = recordsOf(textOf(bytes))
  if (records.length > maxRows) {
    throw invalid('badge_import.too_large', `The file has more than ${maxRows} rows; send it in parts.`)
  }
  const places = placesOf(header)
  const rows: GrantRow[] = []
  const faults: RowFault[] = []
  for (const [index, record] of records.entries()) {
    if (record.every((cell) => cell.trim() === '')) continue
    try {
      if (record.length !== header.length) {
        throw new CellFault(`The row has ${record.length} cells, and the header ${header.length}.`)
      }
      rows.push(readRow(index + 1, (column) => record[places.get(column) ?? -1] ?? '', now))
    } catch (error) {
      if (!(error instanceof CellFault)) throw error
      faults.push({ row: index + 1, reason: error.message })
    }
  }
  return { rows, faults }
}

function unreadable(why: string) {
  return invalid('badge_import.unreadable', `The file ${why}.`)
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable('is not UTF-8')
  }
}

function recordsOf(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      max_record_size: 8_192,
      // Reads one line more than allowed, which is enough to see that the file is too long.
      to: maxRows + 2,
    })
  } catch {
    // The parser's own error message quotes the file.
    throw unreadable('is not well-formed CSV')
  }
}

/** The delimiter, by the header. Spreadsheets write semicolons where the comma is the decimal sign. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split('\n', 1)
  const counted = [',', ';', '\t'].map((sign) => ({ sign, count: header.split(sign).length }))
  return counted.toSorted((one, other) => other.count - one.count)[0]?.sign ?? ','
}

/** The positions of the columns. Case does not matter, and unknown columns are ignored. */
function placesOf(header: readonly string[]): ReadonlyMap<Column, number> {
  const named = header.map((cell) => columns.find((column) => column.toLowerCase() === cell.trim().toLowerCase()))
  const places = new Map<Column, number>()
  for (const [index, column] of named.entries()) {
    if (column === undefined) continue
    if (places.has(column)) throw unreadable(`has two columns "${column}"`)
    places.set(column, index)
  }
  for (const column of ['user', 'badge'] as const) {
    if (!places.has(column)) throw unreadable(`needs the columns "user" and "badge" in its first line`)
  }
  return places
}

function readRow(row: number, cellOf: (column: Column) => string, now: Date): GrantRow {
  const cell = (column: Column) => {
    const cleaned = cleanText(cellOf(column))
    if (!cleaned.ok) throw new CellFault(`"${column}" ${cleaned.reason}.`)
    return cleaned.value
  }
  const [user, badge, label, place] = [cell('user'), cell('badge'), readLabel(cell('label')), cell('place')]
  if (user === '') throw new CellFault('"user" is missing.')
  if (badge === '') throw new CellFault('"badge" is missing.')
  if (label !== null && [...label].length > badgeLimits.label) {
    throw new CellFault(`"label" may have at most ${badgeLimits.label} characters.`)
  }
  if (place !== '' && !/^[1-9]\d{0,2}$/.test(place)) {
    throw new CellFault(`"place" must be a whole number from 1 to ${badgeLimits.place}.`)
  }
  const awardedAt = readInstant(cell('awardedAt') || null, (reason) => new CellFault(`"awardedAt" ${reason}.`))
  if (awardedAt !== null && awardedAt > now) throw new CellFault('"awardedAt" must not be in the future.')
  return { row, user, badge, label, place: place === '' ? null : Number(place), awardedAt }
}

/** A row with an existing user and badge. */
export interface Grantable {
  readonly row: number
  readonly badge: Badge
  readonly recipient: Recipient
}

/**
 * Finds the user and badge of each row. A badge is named by its GUID or by its exact name, if exactly one badge that is
 * not retired has that name. A user who is named twice for a badge gets it once. (B1, B4, B8)
 */
export function judgeRows(
  { rows, faults }: ReadRows,
  users: ReadonlyMap<string, string>,
  badges: readonly Badge[],
): {
  readonly grantable: readonly Grantable[]
  /** GUIDs of users who are named more than once for a badge. */
  readonly repeated: readonly string[]
  readonly faults: readonly RowFault[]
} {
  const byGuid = new Map(badges.map((badge) => [badge.guid, badge]))
  const byName = new Map<string, Badge[]>()
  for (const badge of badges) byName.set(badge.name, [...(byName.get(badge.name) ?? []), badge])
  const badgeOf = (named: string): Badge => {
    const found = isGuid(named) ? [byGuid.get(normaliseGuid(named)) ?? []].flat() : (byName.get(named) ?? [])
    const [given, another] = found.filter(({ retiredAt }) => retiredAt === null)
    if (found.length === 0) throw new CellFault('There is no such badge.')
    if (given === undefined) throw new CellFault('This badge is retired: it can be granted no longer.')
    if (another !== undefined) throw new CellFault('Several badges are called so; give the GUID of one.')
    return given
  }
  const all = [...faults]
  const grantable = new Map<string, Grantable>()
  const repeated: string[] = []
  for (const { row, user, badge: named, label, place, awardedAt } of rows) {
    try {
      const badge = badgeOf(named)
      const userGuid = users.get(user)
      if (userGuid === undefined) throw new CellFault('There is no such user.')
      const key = `${badge.guid} ${userGuid}`
      if (grantable.has(key)) repeated.push(userGuid)
      else grantable.set(key, { row, badge, recipient: { userGuid, label, place, awardedAt: awardedAt ?? undefined } })
    } catch (error) {
      if (!(error instanceof CellFault)) throw error
      all.push({ row, reason: error.message })
    }
  }
  return {
    grantable: [...grantable.values()],
    repeated,
    faults: all.toSorted((one, other) => one.row - other.row),
  }
}

/** A faulty row refuses the whole file unless `partial` is set. (B8) @throws Problem `badge_import.rows_invalid` */
export function checkRows(errors: readonly RowFault[], partial: boolean): void {
  if (partial || errors.length === 0) return
  const message = `${errors.length} rows cannot be used, and nothing was granted; correct them, or send the file with partial=true.`
  throw invalid('badge_import.rows_invalid', message, { errors })
}
