import { type Static, type TSchema, Type } from 'typebox'
import { defaultPageSize, maxPageSize } from './page.ts'

/** Building blocks of request and answer schemas: plain JSON Schema, read by validation, serialisation and OpenAPI. */

/** The GUID of any record in examples. */
export const exampleGuid = '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'
/** The chat platform's ID of any user in examples. */
export const exampleUser = '210987654321098765'

export const Guid = Type.String({ format: 'uuid', description: 'GUID, in lower case in answers.' })
export const Instant = Type.String({
  format: 'date-time',
  description: 'ISO 8601 instant; UTC with milliseconds in answers.',
})

/** A value or null, in the short form that serialisers handle fastest; a schema with a name of its own stays whole. */
export function nullable<S extends TSchema>(
  schema: S,
  description?: string,
): ReturnType<typeof Type.Unsafe<Static<S> | null>> {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: readonly unknown[] }
  const isNamed = 'title' in rest
  const described = description === undefined ? rest : { ...rest, description }
  if (typeof type === 'string' && !isNamed) {
    return Type.Unsafe<Static<S> | null>({
      ...described,
      type: [type, 'null'],
      ...(values ? { enum: [...values, null] } : {}),
    })
  }
  return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }], ...(description ? { description } : {}) })
}

/** One of several words. */
export function oneOf<const V extends readonly string[]>(values: V, options: { description?: string } = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/** An instant that may be given as null, or as the Unix epoch, to unset it. (D7) */
export const OptionalInstant = Type.Optional(nullable(Instant))

/** The number of records on a page of a list. */
export const pageLimit = (maximum: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      default: defaultPageSize,
      description: 'Records on a page at most; a page of large ones may end early.',
    }),
  )

export const PageQuery = {
  limit: pageLimit(maxPageSize),
  before: Type.Optional(Type.String({ maxLength: 500, description: 'The `nextCursor` of the page before.' })),
}

export const NextCursor = nullable(Type.String(), 'Give it as `before` to get the next page; null on the last one.')
