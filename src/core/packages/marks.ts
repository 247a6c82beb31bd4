import { type TSchema, Type } from 'typebox'

/**
 * What the schemas of a package say of each text in it: who it is about, or that it is about no person. What a package
 * without names replaces or leaves out follows from that. (P3, P5)
 */

/** What a member tells of people: in which way it is about one, or was written by one. (P3) */
export const personalKinds = ['name', 'text', 'link', 'contact', 'id', 'place'] as const
export type Personal = (typeof personalKinds)[number]

/**
 * What a text is that tells nothing of people: a `word` of the service or the game, what the catalogue says of a published
 * map (`work`), an `address` of its picture, or bytes that are a `digest` or were drawn.
 */
export const impersonalKinds = ['word', 'work', 'address', 'digest'] as const
export type Impersonal = (typeof impersonalKinds)[number]

/**
 * How a replacement is written: as the name of a `person` or a `team`, as a `short-id` (that of a team: `team-id`), or as a
 * `pair` of a match flow. A `player` is a user, or a seat that has only a name.
 */
export type Form = 'person' | 'team' | 'team-id' | 'short-id' | 'pair' | 'player'

/** How the operations that write a text clean it: as one line, as a name with a visible character, or as safe Markdown. (P6) */
export type TextForm = 'line' | 'name' | 'markdown'

export interface Marks {
  readonly 'x-personal'?: Personal
  readonly 'x-impersonal'?: Impersonal
  readonly 'x-form'?: Form
  readonly 'x-time'?: 'milliseconds'
  readonly 'x-text'?: TextForm
}

export const marksOf = (schema: TSchema): Marks => schema as Marks

export function personal(kind: Personal, schema: TSchema = Type.String(), form?: Form): TSchema {
  return { ...schema, 'x-personal': kind, ...(form && { 'x-form': form }) }
}

export function impersonal(kind: Impersonal, schema: TSchema = Type.String()): TSchema {
  return { ...schema, 'x-impersonal': kind }
}

export const Word = impersonal('word')
export const Drawn = impersonal('digest', Type.String({ maxLength: 1_024 }))
/** A user's GUID, or a seat such as `seat:3`. */
export const Player = personal('id', Type.String({ maxLength: 64 }), 'player')

/** The last instant that can be written with a year of four digits. */
const lastInstant = Date.UTC(10_000, 0, 1) - 1

export const Milliseconds: TSchema = {
  ...Type.Integer({ minimum: 0, maximum: lastInstant, description: 'Milliseconds since the Unix epoch.' }),
  'x-time': 'milliseconds',
}

const gone: ReadonlySet<string> = new Set(['link', 'contact', 'place', 'address', 'digest'])

/** Whether packages without names lack the member. A name on another platform is no GUID, and cannot be replaced. (P5) */
export function isGone(schema: TSchema): boolean {
  const { 'x-personal': personalKind, 'x-impersonal': impersonalKind, 'x-form': form } = marksOf(schema)
  if (personalKind === 'id') return form === undefined && !hasFormat(schema, 'uuid')
  return gone.has(personalKind ?? impersonalKind ?? '')
}

export function hasFormat(schema: TSchema, format: string): boolean {
  const { format: own, items, anyOf } = schema as Inner
  if (own === format) return true
  if (items !== undefined && hasFormat(items, format)) return true
  return anyOf?.some((each) => hasFormat(each, format)) ?? false
}

/** The parts of a schema that hold others. */
export interface Inner {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: unknown
  readonly required?: readonly string[]
}

/** The texts in a schema about which nothing is said, by their paths. */
export function undecided(schema: TSchema, path = ''): string[] {
  const marks = marksOf(schema)
  if (marks['x-personal'] !== undefined || marks['x-impersonal'] !== undefined) return []
  const { type, format, enum: words, const: only, items, anyOf, properties, patternProperties } = schema as Inner
  const inner = [
    ...(items === undefined ? [] : undecided(items, `${path}[]`)),
    ...(anyOf ?? []).flatMap((each) => undecided(each, path)),
    ...Object.entries(properties ?? {}).flatMap(([name, each]) => undecided(each, `${path}.${name}`)),
    ...Object.values(patternProperties ?? {}).flatMap((each) => undecided(each, `${path}.*`)),
  ]
  const isOpen = type === undefined && anyOf === undefined && only === undefined && words === undefined
  const isText = [type].flat().includes('string') && format === undefined && words === undefined && only === undefined
  const isWithoutMembers = [type].flat().includes('object') && !properties && !patternProperties
  return isOpen || isText || isWithoutMembers ? [path, ...inner] : inner
}

/** The schema of rows whose names are replaced: without what they lack. */
export function withoutGone<S extends TSchema>(schema: S): S {
  const { items, anyOf, properties, patternProperties, required } = schema as Inner
  const kept = Object.entries(properties ?? {}).filter(([, each]) => !isGone(each))
  const names = new Set(kept.map(([name]) => name))
  return {
    ...schema,
    ...(items && { items: withoutGone(items) }),
    ...(anyOf && { anyOf: anyOf.map(withoutGone) }),
    ...(properties && { properties: mapped(kept) }),
    ...(patternProperties && { patternProperties: mapped(Object.entries(patternProperties)) }),
    ...(required && { required: required.filter((name) => names.has(name)) }),
  }
}

function mapped(members: readonly (readonly [string, TSchema])[]): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(members.map(([name, each]) => [name, withoutGone(each)]))
}
