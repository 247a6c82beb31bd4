import { parse } from 'csv-parse/sync'
import { invalid, type Problem } from '../../../../core/problem.ts'
import { oneLine } from '../../../../core/text.ts'
import type { AdditionalField } from '../../../tournaments/tournaments/types.ts'
import type { ReadSheet, RowFault, SheetAnswer, SheetRow } from '../types.ts'
import { keyOf, RowError, readCell, readPerson, readPersonText, shown } from './people.ts'

/** Reads sheets of teams, whose content is not trusted. (additions: People who are not here yet) */

export const maxRows = 1_024
export const maxFileBytes = 2 * 1024 * 1024
const maxPeople = 16
const maxExternalId = 100
const maxWaiver = 500

const headings = {
  externalId: ['externalid', 'extid', 'signupid', 'entryid'],
  teamName: ['team', 'teamname', 'name'],
  teamId: ['teamid', 'shortid', 'id', 'tag'],
  seed: ['seed'],
  register: ['register', 'registered'],
  waiver: ['waiver'],
  captain: ['captain', 'leader', 'player', 'contact'],
  members: ['members', 'member', 'players', 'roster', 'mates', 'teammates'],
} as const
type Column = keyof typeof headings
const columns = Object.keys(headings) as Column[]

export function tooLarge(why: string): Problem {
  return invalid('team_import.too_large', `The sheet ${why}; send it in parts.`)
}

function unreadable(why: string): Problem {
  return invalid('team_import.unreadable', `The file ${why}.`)
}

/** A row as in the sheet, in the shape of a row of JSON. */
export interface GivenRow {
  readonly externalId?: string | null
  readonly teamName?: string | null
  readonly teamId?: string | null
  readonly seed?: number | null
  readonly register?: boolean
  readonly waiver?: string | null
  readonly captain?: Parameters<typeof readPerson>[0] | null
  readonly members?: readonly Parameters<typeof readPerson>[0][]
  readonly answers?: Readonly<Record<string, string>>
}

/**
 * Reads rows of JSON; lines count from 1. (additions: People who are not here yet)
 * @throws Problem `team_import.too_large`
 */
export function readRows(given: readonly GivenRow[], fields: readonly AdditionalField[]): ReadSheet {
  if (given.length > maxRows) throw tooLarge(`has more than ${maxRows} rows`)
  return collect(
    given.map((row, index) => ({ line: index + 1, row: () => row })),
    fields,
  )
}

/**
 * Reads a file: UTF-8 with or without a byte order mark, separated by commas, semicolons or tabs, with headings in its
 * first line, which is line 1. Columns stand in any order; a column with the label or GUID of an additional field has
 * the team's answers to it, and others are ignored. Members of one cell are parted by `|`. Empty lines are ignored.
 * (additions: People who are not here yet)
 * @throws Problem `team_import.unreadable`, `team_import.too_large`
 */
export function readFile(bytes: Uint8Array, fields: readonly AdditionalField[]): ReadSheet {
  if (bytes.byteLength > maxFileBytes) throw tooLarge('has more than 2 MiB')
  const [header, ...records] = recordsOf(textOf(bytes))
  if (header === undefined) throw unreadable('is empty')
  const full = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (full.length > maxRows) throw tooLarge(`has more than ${maxRows} rows`)
  const places = header.cells.map((cell) => placeOf(cell, fields))
  checkPlaces(places)
  return collect(
    full.map(({ line, cells }) => ({ line, row: () => rowOf(cells, places) })),
    fields,
  )
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable('is not UTF-8; save it as CSV in UTF-8')
  }
}

interface Record_ {
  /** The line at which the record begins. */
  readonly line: number
  readonly cells: readonly string[]
}

function recordsOf(text: string): Record_[] {
  try {
    const read = parse(text, {
      delimiter: separatorOf(text),
      relax_column_count: true,
      max_record_size: 65_536,
      info: true,
    }) as unknown as { readonly record: string[]; readonly info: { readonly lines: number } }[]
    // A record that ends the text without a line break counts no line of its own.
    return read.map(({ record, info }) => ({ line: info.lines - breaksIn(record), cells: record }))
  } catch {
    // The parser's own error message quotes the file.
    throw unreadable('is not well-formed CSV')
  }
}

function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)
}

/** The separator, by the first line: the most frequent one outside quotation marks. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r\n|\n|\r/, 1)
  const bare = first.replace(/"[^"]*"/g, '')
  const counted = [',', ';', '\t'].map((sign) => ({ sign, count: bare.split(sign).length }))
  return counted.toSorted((one, other) => other.count - one.count)[0]?.sign ?? ','
}

type Place = { readonly column: Column } | { readonly fieldGuid: string } | null

function placeOf(cell: string, fields: readonly AdditionalField[]): Place {
  const heading = cell.trim()
  const field = fields.find(({ guid, label }) => guid === heading.toLowerCase() || isLike(label, heading))
  if (field !== undefined) return { fieldGuid: field.guid }
  const plain = plainly(heading).replace(/\d+$/, '')
  const column = columns.find((each) => (headings[each] as readonly string[]).includes(plain))
  if (column === undefined) return null
  // "player 2" and the like are further members.
  return { column: column === 'captain' && /[2-9]$|\d\d$/.test(heading) ? 'members' : column }
}

function isLike(label: string, heading: string): boolean {
  return heading !== '' && label.trim().toLowerCase() === heading.toLowerCase()
}

function plainly(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function checkPlaces(places: readonly Place[]): void {
  const named = places.flatMap((place) => (place !== null && 'column' in place ? [place.column] : []))
  for (const column of columns) {
    if (column !== 'members' && named.filter((each) => each === column).length > 1) {
      throw unreadable(`has two columns for ${column}`)
    }
  }
  if (!named.includes('teamName')) throw unreadable('needs a column `teamName` in its first line')
  if (!named.includes('captain') && !named.includes('members')) {
    throw unreadable('needs a column `captain` or `members` in its first line')
  }
}

function rowOf(cells: readonly string[], places: readonly Place[]): GivenRow {
  if (cells.length > places.length && cells.slice(places.length).some((cell) => cell.trim() !== '')) {
    throw new RowError(`The line has ${cells.length} cells, and the first line ${places.length}.`)
  }
  const all = (column: Column) =>
    places.flatMap((place, index) =>
      place !== null && 'column' in place && place.column === column ? [cells[index] ?? ''] : [],
    )
  const one = (column: Column) => all(column)[0]?.trim() || null
  const people = all('members')
    .flatMap((cell) => cell.split('|'))
    .filter((cell) => cell.trim() !== '')
  const [first, ...rest] = one('captain') === null ? people : [one('captain') as string, ...people]
  return {
    externalId: one('externalId'),
    teamName: one('teamName'),
    teamId: one('teamId'),
    seed: readSeed(one('seed')),
    register: readYes(one('register')),
    waiver: one('waiver'),
    captain: first ?? null,
    members: rest,
    answers: Object.fromEntries(
      places.flatMap((place, index) =>
        place !== null && 'fieldGuid' in place && cells[index]?.trim() ? [[place.fieldGuid, cells[index].trim()]] : [],
      ),
    ),
  }
}

function readSeed(cell: string | null): number | null {
  if (cell === null) return null
  if (/^\d{1,7}$/.test(cell)) return Number(cell)
  throw new RowError(`“${shown(cell)}” is no seed; a seed is a whole number from 1.`)
}

const yes = new Set(['true', 'yes', 'y', '1', 'x', '✓'])
const no = new Set(['false', 'no', 'n', '0', ''])

function readYes(cell: string | null): boolean {
  const word = (cell ?? '').toLowerCase()
  if (yes.has(word)) return true
  if (no.has(word)) return false
  throw new RowError(`“${shown(word)}” in \`register\` is neither yes nor no.`)
}

interface Lined {
  readonly line: number
  readonly row: () => GivenRow
}

function collect(given: readonly Lined[], fields: readonly AdditionalField[]): ReadSheet {
  const rows: SheetRow[] = []
  const faults: RowFault[] = []
  for (const { line, row } of given) {
    let teamName = ''
    try {
      const read = row()
      teamName = oneLine(read.teamName ?? '')
      rows.push(readRow(line, read, fields))
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      faults.push({ line, teamName, reason: error.message })
    }
  }
  return { rows, faults }
}

function readRow(line: number, given: GivenRow, fields: readonly AdditionalField[]): SheetRow {
  const teamName = readCell('`teamName`', given.teamName ?? '')
  if (teamName === '') throw new RowError('`teamName` is missing.')
  const externalId = readCell('`externalId`', given.externalId ?? '') || null
  if (externalId !== null && Array.from(externalId).length > maxExternalId) {
    throw new RowError(`\`externalId\` may have at most ${maxExternalId} characters.`)
  }
  const waiver = readCell('`waiver`', given.waiver ?? '') || null
  if (waiver !== null && Array.from(waiver).length > maxWaiver) {
    throw new RowError(`\`waiver\` may have at most ${maxWaiver} characters.`)
  }
  const { seed = null, register = false } = given
  if (seed !== null && (seed < 1 || seed > 1_000_000)) throw new RowError('A seed is a whole number from 1.')
  if (given.captain == null || given.captain === '') throw new RowError('`captain` is missing.')
  const captain = readPerson(given.captain)
  const people = new Map([captain, ...(given.members ?? []).map(readMember)].map((person) => [keyOf(person), person]))
  people.delete(keyOf(captain))
  const members = [...people.values()]
  if (members.length >= maxPeople) throw new RowError(`A team has at most ${maxPeople} people.`)
  const teamId = readCell('`teamId`', given.teamId ?? '') || null
  return {
    line,
    externalId,
    teamName,
    teamId,
    seed,
    register,
    waiver,
    captain,
    members,
    answers: readAnswers(given, fields),
  }
}

function readMember(given: Parameters<typeof readPerson>[0]) {
  return typeof given === 'string' ? readPersonText(given) : readPerson(given)
}

function readAnswers({ answers = {} }: GivenRow, fields: readonly AdditionalField[]): SheetAnswer[] {
  return Object.entries(answers).map(([named, response]) => {
    const field = fields.find(({ guid, label }) => guid === named.toLowerCase() || isLike(label, named.trim()))
    if (field === undefined) throw new RowError(`The tournament has no field “${shown(named)}”.`)
    return { fieldGuid: field.guid, response: readCell(`“${field.label}”`, response) }
  })
}
