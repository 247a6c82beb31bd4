import { createHash } from 'node:crypto'
import type { TSchema } from 'typebox'
import { isGuid, normaliseGuid } from '../../core/ids.ts'
import { type Inner, isGone, marksOf } from '../../core/packages/marks.ts'

/**
 * Rows without names: people, teams and texts become numbers, GUIDs become others, and times move. All of it follows from a
 * secret of the tournament, so that it is the same in each of its packages without names. (P5)
 */

type Row = Readonly<Record<string, unknown>>

const week = 7 * 86_400_000
/** No time of the service is before it. (D7) */
const firstInstant = Date.UTC(2020, 0, 1)
const leastWeeks = 4
const mostWeeks = 104

/** Characters of the digest that identifies a text. */
const digestLength = 32

export const numberedKinds = ['person', 'team', 'text'] as const
export type NumberedKind = (typeof numberedKinds)[number]

/** What earlier packages of the tournament have drawn. */
export interface Drawn {
  /** By keys, which are made by the secret and tell nothing of a name. */
  readonly numbers: Readonly<Record<NumberedKind, ReadonlyMap<string, number>>>
  /** By how many weeks times move; null if it was not drawn yet. */
  readonly weeks: number | null
}

const nothingDrawn: Drawn = { numbers: { person: new Map(), team: new Map(), text: new Map() }, weeks: null }

/** The people, teams or texts of a package: their keys, and then their numbers. */
class Numbered {
  readonly #width: number
  readonly #keys = new Set<string>()
  #numbers: ReadonlyMap<string, number> = new Map()

  constructor(width: number) {
    this.#width = width
  }

  note(key: string): void {
    this.#keys.add(key)
  }

  /**
   * Who is new gets a number behind all that were ever drawn, also by somebody who is gone. The order of the new ones is
   * that of their keys.
   */
  number(drawn: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const added = [...this.#keys].filter((key) => !drawn.has(key)).toSorted()
    const last = [...drawn.values()].reduce((highest, number) => Math.max(highest, number), 0)
    const own = new Map(added.map((key, index) => [key, last + index + 1] as const))
    this.#numbers = new Map([...drawn, ...own])
    return own
  }

  of(key: string): string {
    const number = this.#numbers.get(key)
    if (number === undefined) throw new Error('a name is replaced that was not noted')
    return String(number).padStart(this.#width, '0')
  }
}

/** First all rows are noted, then their numbers are drawn, then rows are replaced. */
export class Pseudonyms {
  readonly key: Buffer
  readonly #people = new Numbered(3)
  readonly #teams = new Numbered(2)
  readonly #texts = new Numbered(4)
  /** The teams of the package, by the digests of their names. */
  readonly #named = new Map<string, string>()
  #earliest = Number.POSITIVE_INFINITY
  #shift = 0

  /** @param secret of the tournament */
  constructor(secret: string) {
    this.key = createHash('sha256').update(secret).digest()
  }

  note(schema: TSchema, row: Row): void {
    walk(schema, row, { row, visit: (visited) => this.#note(visited) })
  }

  /**
   * Draws what earlier packages have not.
   * @returns what is new
   */
  number({ numbers, weeks }: Drawn = nothingDrawn): Drawn {
    const moved = weeks !== null && this.#isLate(weeks) ? weeks : this.#weeks()
    this.#shift = moved * week
    return {
      numbers: {
        person: this.#people.number(numbers.person),
        team: this.#teams.number(numbers.team),
        text: this.#texts.number(numbers.text),
      },
      weeks: moved,
    }
  }

  #weeks(): number {
    const drawn = this.#digest('weeks', '')
    const distance = leastWeeks + (Number.parseInt(drawn.slice(0, 8), 16) % (mostWeeks - leastWeeks + 1))
    return Number.parseInt(drawn.slice(8, 10), 16) % 2 === 1 && this.#isLate(-distance) ? -distance : distance
  }

  /** Whether no time moves to before the first of the service. */
  #isLate(weeks: number): boolean {
    return weeks > 0 || this.#earliest + weeks * week >= firstInstant
  }

  replaced(schema: TSchema, row: Row): Row {
    return walk(schema, row, { row, visit: (visited) => this.#replaced(visited) }) as Row
  }

  /** `pseudonymInSql` makes the same order. */
  guid(guid: string): string {
    const bytes = Buffer.from(normaliseGuid(guid).replaceAll('-', ''), 'hex')
    const hex = createHash('sha256').update(this.key).update(bytes).digest('hex').slice(0, digestLength)
    // An identifier whose form its maker has chosen. (RFC 9562, version 8)
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
    const own = `${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant}${hex.slice(17)}`
    return [own.slice(0, 8), own.slice(8, 12), own.slice(12, 16), own.slice(16, 20), own.slice(20)].join('-')
  }

  /** Of a person or a team. */
  #keyOf({ guid }: Row): string {
    return this.guid(guid as string).replaceAll('-', '')
  }

  #digest(kind: string, text: string): string {
    const hash = createHash('sha256').update(this.key).update(`${kind}\n`).update(text).update(this.key)
    return hash.digest('hex').slice(0, digestLength)
  }

  #note({ schema, value, row }: Visited): unknown {
    if (isGone(schema)) return undefined
    const { 'x-form': form, 'x-personal': personal, 'x-time': time } = marksOf(schema)
    if (time === 'milliseconds') this.#noteTime(value as number)
    if (typeof value !== 'string') return value
    if ((schema as Inner).format === 'date-time') this.#noteTime(Date.parse(value))
    if (form === 'person') this.#people.note(this.#keyOf(row))
    else if (form === 'team' || form === 'team-id') {
      const key = this.#keyOf(row)
      this.#teams.note(key)
      if (form === 'team') this.#named.set(this.#digest('text', value), key)
    } else if (form === 'pair') this.#noteText(pairOf(value).name)
    else if (personal === 'name' || personal === 'text') this.#noteText(value)
    return value
  }

  #noteTime(at: number): void {
    this.#earliest = Math.min(this.#earliest, at)
  }

  #noteText(text: string): void {
    if (text !== '') this.#texts.note(this.#digest('text', text))
  }

  #replaced({ schema, value, row }: Visited): unknown {
    if (isGone(schema)) return undefined
    const { 'x-form': form, 'x-personal': personal, 'x-time': time } = marksOf(schema)
    if (time === 'milliseconds') return (value as number) + this.#shift
    if (typeof value !== 'string') return value
    const { format } = schema as Inner
    if (format === 'date-time') return new Date(Date.parse(value) + this.#shift).toISOString()
    if (format === 'uuid') return this.guid(value)
    if (form === 'person') return `Player ${this.#people.of(this.#keyOf(row))}`
    if (form === 'team') return `Team ${this.#teams.of(this.#keyOf(row))}`
    if (form === 'team-id') return `team-${this.#teams.of(this.#keyOf(row))}`
    if (form === 'short-id') return `text-${this.#texts.of(this.#digest('text', value))}`
    if (form === 'pair') return this.#pair(value)
    if (personal === 'id') return this.#person(value)
    if (personal === 'name' || personal === 'text') return this.#text(value, personal === 'name')
    return value
  }

  /** A team whose name another row keeps is called there as in its own row. */
  #text(text: string, isName: boolean): string {
    if (text === '') return ''
    const digest = this.#digest('text', text)
    const team = isName ? this.#named.get(digest) : undefined
    return team === undefined ? `Text ${this.#texts.of(digest)}` : `Team ${this.#teams.of(team)}`
  }

  #person(value: string): string | undefined {
    if (isGuid(value)) return this.guid(value)
    return /^seat:\d{1,4}$/.test(value) ? value : undefined
  }

  #pair(value: string): string {
    const { name, rest } = pairOf(value)
    if (name === '') return value
    const letters = this.#texts
      .of(this.#digest('text', name))
      .replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
    return `text${letters}${rest}`
  }
}

/** What a flow may say in the place of a pair. */
const words = new Set([
  ...['higherSeed', 'lowerSeed', 'rollWinner', 'rollLoser', 'lastMapWinner', 'lastMapLoser', 'leader', 'trailer', 'it'],
  ...['all', 'referee', 'system', 'side1', 'side2', 'seat', 'lowest_seed_first', 'highest_seed_first', 'last_first'],
])

/** The pair in texts such as `order` or the actor `order:2`; an empty name where there is none. */
function pairOf(value: string): { readonly name: string; readonly rest: string } {
  const [name = ''] = value.split(':', 1)
  return words.has(name) ? { name: '', rest: value } : { name, rest: value.slice(name.length) }
}

interface Visited {
  readonly schema: TSchema
  readonly value: unknown
  readonly row: Row
}

interface Walking {
  readonly row: Row
  /** What becomes of a value that holds no others; undefined for one that goes. */
  readonly visit: (visited: Visited) => unknown
}

/** Members that the schema does not name go: nothing is known of them. */
function walk(schema: TSchema, value: unknown, walking: Walking): unknown {
  if (value === null || value === undefined) return value
  const { anyOf, items, properties, patternProperties } = schema as Inner
  if (anyOf !== undefined) {
    const branch = branchOf(anyOf, value)
    return branch && walk(inherited(schema, branch), value, walking)
  }
  if (Array.isArray(value)) {
    if (items === undefined) return undefined
    const within = inherited(schema, items)
    return value.map((each) => walk(within, each, walking)).filter((each) => each !== undefined)
  }
  if (typeof value !== 'object') return walking.visit({ schema, value, row: walking.row })
  const others = Object.values(patternProperties ?? {})[0]
  const members = Object.entries(value).flatMap(([name, each]) => {
    const own = properties?.[name] ?? others
    if (own === undefined || isGone(own)) return []
    const became = walk(own, each, walking)
    return became === undefined ? [] : [[name, became] as const]
  })
  return Object.fromEntries(members)
}

/** What is said of a list or a choice holds for what is in it. */
function inherited(outer: TSchema, inner: TSchema): TSchema {
  const { 'x-personal': personal, 'x-impersonal': impersonal, 'x-form': form } = marksOf(outer)
  return {
    ...(personal && { 'x-personal': personal }),
    ...(impersonal && { 'x-impersonal': impersonal }),
    ...(form && { 'x-form': form }),
    ...inner,
  }
}

function branchOf(branches: readonly TSchema[], value: unknown): TSchema | undefined {
  const type = Array.isArray(value) ? 'array' : typeof value
  const ofType = branches.filter((each) => typesOf((each as Inner).type).includes(type))
  return ofType.find((each) => type !== 'object' || matches((each as Inner).properties, value as Row)) ?? ofType[0]
}

function typesOf(type: Inner['type']): readonly string[] {
  const types = [type].flat().filter((each) => each !== undefined)
  return types.includes('integer') ? [...types, 'number'] : types
}

/** Whether the value has no member that the branch lacks. */
function matches(properties: Inner['properties'], value: Row): boolean {
  return properties === undefined || Object.keys(value).every((name) => name in properties)
}
