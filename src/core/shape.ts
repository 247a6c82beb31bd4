import type { Static, TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { lazily, load } from './lazily.ts'

/**
 * Checks values against a schema. The checking code is compiled at the first use, and once for all users of the schema;
 * the compiler, 160 modules, is also loaded only then, because a service at its start does not need it.
 */
export interface Shape<T> {
  check(value: unknown): value is T
  /** The first error is the first one from the top of the value. */
  errors(value: unknown): readonly SchemaError[]
}

export type SchemaError = TLocalizedValidationError

const compiler = lazily(() => load('typebox/schema') as typeof import('typebox/schema'))

const checks = new WeakMap<TSchema, (value: unknown) => boolean>()

/** The library's own validator would also keep the thousand pieces of text that its code is made of. */
function checkOf(schema: TSchema): (value: unknown) => boolean {
  const known = checks.get(schema)
  if (known !== undefined) return known
  const result = compiler().Build(schema).Evaluate()
  const check = (value: unknown) => result.Check(value)
  checks.set(schema, check)
  return check
}

export function shapeOf<const S extends TSchema>(schema: S): Shape<Static<S>> {
  let check: ((value: unknown) => boolean) | undefined
  let bounded: boolean | undefined
  return {
    check(value): value is Static<S> {
      check ??= checkOf(schema)
      return check(value)
    },
    errors(value) {
      bounded ??= asksForUnique(schema)
      const [, errors] = compiler().Errors(schema, bounded ? beginningOf(value) : value)
      return errors
    },
  }
}

/**
 * Items of an array that are checked for error messages; no array of a schema that forbids duplicates may be longer.
 */
const maxItemsTold = 1_000
/** Levels that are checked for error messages; no schema is that deep. */
const maxLevelsTold = 64

/** The library needs quadratic time to name the duplicates in an array, so it gets only the beginning. */
function beginningOf(value: unknown, levels = maxLevelsTold): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.slice(0, maxItemsTold).map((item) => beginningOf(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, beginningOf(member, levels - 1)]))
}

function asksForUnique(schema: unknown, seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
  seen.add(schema)
  if ('uniqueItems' in schema && schema.uniqueItems === true) return true
  return Object.values(schema).some((part) => asksForUnique(part, seen))
}
