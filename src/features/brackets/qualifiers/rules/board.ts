import { parse } from 'csv-parse/sync'
import { Type } from 'typebox'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { shapeOf } from '../../../../core/shape.ts'
import { cleanText } from '../../../../core/text.ts'
import { parseAnyInstant } from '../../../../core/time.ts'
import { type Completion, completions } from '../../../../engine/qualifier-types.ts'
import type { QualifierMap } from '../types.ts'

/** Boards from other services, as JSON or comma-separated values. Their content is not trusted. */

/** A result in a board. */
export interface BoardRow {
  /** Any known identifier of the player. */
  readonly player: string
  readonly name: string | null
  /** GUID of the qualifier's map, or the hash of its files. */
  readonly map: string
  readonly difficulty: string | null
  readonly characteristic: string | null
  readonly score: number
  readonly accuracy: number | null
  readonly misses: number | null
  readonly badCuts: number | null
  readonly maxCombo: number | null
  readonly fullCombo: boolean | null
  readonly completion: Completion
  readonly externalId: string | null
  readonly playedAt: Date | null
}

export const maxBoardRows = 5_000

/** The text is not a valid board; the message completes a sentence that begins with "The board". */
export class BoardFault extends Error {
  override readonly name = 'BoardFault'
}

const columns = [
  'player',
  'name',
  'map',
  'difficulty',
  'characteristic',
  'score',
  'accuracy',
  'misses',
  'badCuts',
  'maxCombo',
  'fullCombo',
  'completion',
  'externalId',
  'playedAt',
] as const
type Column = (typeof columns)[number]
type RawRow = Partial<Record<Column, unknown>>

/**
 * Reads a board: a JSON array of rows, an object with `rows`, or comma-separated values whose first line names the
 * columns.
 * @throws BoardFault when any of it cannot be read
 */
export function readBoard(text: string): BoardRow[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  return readRows(/^[[{]/.test(trimmed) ? rowsOfJson(trimmed) : rowsOfCsv(trimmed))
}

/** @throws BoardFault */
export function readRows(rows: readonly unknown[]): BoardRow[] {
  if (rows.length > maxBoardRows) throw new BoardFault(`has more than ${maxBoardRows} rows`)
  return rows.map((row, index) => readRow(row, index + 1))
}

function rowsOfJson(text: string): readonly unknown[] {
  const parsed = parseJson(text)
  const rows = Array.isArray(parsed) ? parsed : (parsed as { rows?: unknown } | null)?.rows
  if (!Array.isArray(rows)) throw new BoardFault('is neither a list of rows nor an object with "rows"')
  return rows
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own error quotes the text.
    throw new BoardFault('is not valid JSON')
  }
}

function rowsOfCsv(text: string): readonly unknown[] {
  if (text === '') return []
  const [header = [], ...records] = recordsOf(text)
  const names = header.map(columnOf)
  if (!['player', 'map', 'score'].every((column) => names.includes(column))) {
    throw new BoardFault('needs the columns "player", "map" and "score"')
  }
  return records.map((record) => Object.fromEntries(record.map((cell, index) => [names[index], cell])))
}

/** Parses comma-separated values into rows of the same length. */
function recordsOf(text: string): string[][] {
  try {
    return parse(text, { delimiter: delimiterOf(text), skip_empty_lines: true, trim: true, max_record_size: 8_192 })
  } catch {
    // The parser's own error quotes the text.
    throw new BoardFault('is not well-formed CSV')
  }
}

/** The delimiter, found in the header. Spreadsheets write semicolons where the decimal sign is a comma. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.indexOf('\n') + 1 || text.length)
  const counted = [',', ';', '\t'].map((sign) => ({ sign, count: header.split(sign).length }))
  return counted.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ','
}

/** Columns match in any case, and with underscores, hyphens or spaces between words. */
function columnOf(name: string): string {
  const plain = name.replace(/[\s_-]/g, '').toLowerCase()
  return columns.find((column) => column.toLowerCase() === plain) ?? name
}

/** Checks types only; recording checks the ranges of each row. (D62) */
const Row = shapeOf(
  Type.Object({
    player: Type.String({ minLength: 1, maxLength: 100 }),
    map: Type.String({ minLength: 1, maxLength: 100 }),
    score: Type.Integer(),
    name: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
    difficulty: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
    characteristic: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
    accuracy: Type.Union([Type.Number(), Type.Null()]),
    misses: Type.Union([Type.Integer(), Type.Null()]),
    badCuts: Type.Union([Type.Integer(), Type.Null()]),
    maxCombo: Type.Union([Type.Integer(), Type.Null()]),
    fullCombo: Type.Union([Type.Boolean(), Type.Null()]),
    completion: Type.Enum(completions),
    externalId: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
    playedAt: Type.Union([Type.String(), Type.Null()]),
  }),
)

function readRow(given: unknown, number: number): BoardRow {
  if (typeof given !== 'object' || given === null) throw new BoardFault(`has something in row ${number} that is no row`)
  const raw = given as RawRow
  const row = {
    player: playerOf(textOf(raw.player, number)),
    map: textOf(raw.map, number)?.replace(/^custom_level_/i, '') ?? null,
    score: numberOf(raw.score),
    name: textOf(raw.name, number),
    difficulty: textOf(raw.difficulty, number),
    characteristic: textOf(raw.characteristic, number),
    accuracy: numberOf(raw.accuracy),
    misses: numberOf(raw.misses),
    badCuts: numberOf(raw.badCuts),
    maxCombo: numberOf(raw.maxCombo),
    fullCombo: flagOf(raw.fullCombo),
    completion: textOf(raw.completion, number) ?? 'passed',
    externalId: textOf(raw.externalId, number),
    playedAt: textOf(raw.playedAt, number),
  }
  if (!Row.check(row)) {
    const [error] = Row.errors(row)
    throw new BoardFault(`has an unusable "${error?.instancePath.slice(1) ?? ''}" in row ${number}`)
  }
  const playedAt = row.playedAt === null ? null : parseAnyInstant(row.playedAt)
  if (playedAt?.ok === false) throw new BoardFault(`has a "playedAt" in row ${number} that ${playedAt.reason}`)
  return { ...row, playedAt: playedAt?.value ?? null }
}

function playerOf(id: string | null): string | null {
  return id !== null && isGuid(id) ? normaliseGuid(id) : id
}

/** Reads a text; an id may also be a number. */
function textOf(value: unknown, number: number): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new BoardFault(`has no text in row ${number} where it needs one`)
  const cleaned = cleanText(String(value))
  if (!cleaned.ok) throw new BoardFault(`has a text in row ${number} that ${cleaned.reason}`)
  return cleaned.value === '' ? null : cleaned.value
}

/** Numbers in comma-separated values are text. */
function numberOf(value: unknown): unknown {
  if (value === '') return null
  if (typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value.trim())) return Number(value)
  return value ?? null
}

function flagOf(value: unknown): unknown {
  if (value === '') return null
  if (typeof value !== 'string') return value ?? null
  return /^(true|1|yes)$/i.test(value) ? true : /^(false|0|no)$/i.test(value) ? false : value
}

/**
 * Finds the qualifier's map of a row: by GUID, or by hash, with difficulty and characteristic if the row has them.
 * undefined if no map fits, or more than one.
 */
export function mapOf(row: BoardRow, maps: readonly QualifierMap[]): QualifierMap | undefined {
  const wanted = row.map.toLowerCase()
  const same = (given: string | null, own: string) => given === null || given.toLowerCase() === own.toLowerCase()
  const fitting = maps.filter(
    (map) =>
      map.guid === wanted ||
      (map.hash === wanted && same(row.difficulty, map.difficulty) && same(row.characteristic, map.characteristic)),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** The external id of a result in a board without ids. The same result in a later board is the same attempt. */
export function externalIdOf(row: BoardRow, userGuid: string, mapGuid: string): string {
  const { externalId, score, completion, playedAt } = row
  return externalId ?? ['row', mapGuid, userGuid, score, completion, playedAt?.getTime() ?? ''].join(':')
}
