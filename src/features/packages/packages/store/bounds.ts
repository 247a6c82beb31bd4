import { type TSchema, Type } from 'typebox'
import { impersonal, type Personal, personal, type TextForm } from '../../../../core/packages/marks.ts'
import { oneOf } from '../../../../core/schema.ts'
import { maxAddressLength } from '../../../../core/web.ts'
import { maxAmount } from '../../../../infra/clients/catalogue-songs.ts'

/** The bounds of members: those of the operations that write them, from the schemas of their bodies. (P6) */

/** What limits a value, of all that a schema says. */
const limits = [
  ...['enum', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'minItems', 'maxItems'],
  'format',
]

interface Body {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

/** What the schema of a body says of a value, without whether it may be missing or null. */
export function like(body: TSchema): TSchema {
  const { type, anyOf, items, properties, required } = body as Body
  if (anyOf !== undefined) return like(anyOf[0] as TSchema)
  const said = Object.entries(body).filter(([name, value]) => limits.includes(name) && value !== undefined)
  return {
    type: [type].flat()[0],
    ...Object.fromEntries(said.map(([name, value]) => [name, Array.isArray(value) ? value.filter(isSet) : value])),
    ...(items && { items: like(items) }),
    ...(required && { required }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, like(each)])),
    }),
  } as TSchema
}

const isSet = (value: unknown) => value !== null

/** A list, as long as an operation takes it. */
export function listLike<S extends TSchema>(body: TSchema, items: S) {
  const { maxItems } = like(body) as { readonly maxItems?: number }
  if (maxItems === undefined) throw new TypeError('the body does not limit the list')
  return Type.Array(items, { maxItems })
}

/** A whole number of at most so much. */
export const wholeUpTo = (maximum: number, minimum = 0) => Type.Integer({ minimum, maximum })
/** What a column of whole numbers holds. Revisions, numbers and places in lists, which operations count up, have no other bound. */
export const maxCounter = 2_147_483_647
export const Counter = wholeUpTo(maxCounter)
/** Of what is numbered from 1. */
export const CounterFrom1 = wholeUpTo(maxCounter, 1)
/** What the catalogue tells of a map, where it need not be whole. */
export const Figure = Type.Number({ minimum: 0, maximum: maxAmount })

const formed = (form: TextForm, schema: TSchema): TSchema => ({ ...schema, 'x-text': form })
const upTo = (maxLength: number, minLength?: number) =>
  Type.String({ maxLength, ...(minLength === undefined ? {} : { minLength }) })

/** A text of people, as an operation takes it. */
export const textLike = (body: TSchema): TSchema => personal('text', like(body))
/** A text on one line. */
export const lineLike = (body: TSchema, about: Personal = 'text'): TSchema =>
  personal(about, formed('line', like(body)))
/** A line with a visible character. */
export const nameLike = (body: TSchema, about: Personal = 'name'): TSchema =>
  personal(about, formed('name', like(body)))

/** The same, of at most so many characters. */
export const textUpTo = (maxLength: number): TSchema => textLike(upTo(maxLength))
export const lineUpTo = (maxLength: number, about?: Personal): TSchema => lineLike(upTo(maxLength), about)
export const nameUpTo = (maxLength: number, about?: Personal): TSchema => nameLike(upTo(maxLength, 1), about)
/** Safe Markdown. */
export const markdownUpTo = (maxLength: number): TSchema => personal('text', formed('markdown', upTo(maxLength)))
export const Address: TSchema = personal('link', Type.String({ maxLength: maxAddressLength }))

/** Operations take longer texts, and refuse them then. */
export const ShortId: TSchema = Type.String({ minLength: 1, maxLength: 32 })

/** ISO 3166-1 alpha-2, and `XK`. */
export const Country: TSchema = personal('place', Type.String({ pattern: '^[A-Z]{2}$' }))

/** No operation takes such a text: it is the service's or the game's own. */
const maxWordLength = 250
export const wordUpTo = (maxLength: number = maxWordLength): TSchema => impersonal('word', Type.String({ maxLength }))
export const wordOf = (pattern: string): TSchema => impersonal('word', Type.String({ pattern }))
export const wordLike = (body: TSchema): TSchema => impersonal('word', like(body))
/** What the catalogue says of a map. It has no bounds of its own. */
const maxWorkLength = 1_000
export const workUpTo = (maxLength: number = maxWorkLength): TSchema => impersonal('work', Type.String({ maxLength }))
export const workLike = (body: TSchema): TSchema => impersonal('work', like(body))
export const Hash: TSchema = impersonal('work', Type.String({ pattern: '^[0-9a-f]{40}$' }))
/** Several words, each at most once. */
export const someOf = (values: readonly string[]): TSchema => Type.Array(oneOf(values), { maxItems: values.length })
