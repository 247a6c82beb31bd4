import type { Static, TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { lazily, load } from './lazily.ts'

/**
 * Whether values are what a schema says. The code that tells is made of the schema when it is first asked for, and once for all
 * that take the schema; what makes it is loaded then, too: 160 modules, of which a service that was just started has no need.
 */
export interface Shape<T> {
  check(value: unknown): value is T
  /** The first is what whoever reads the value from its top meets first. */
  errors(value: unknown): readonly SchemaError[]
}

export type SchemaError = TLocalizedValidationError

const compiler = lazily(() => load('typebox/schema') as typeof import('typebox/schema'))

const checks = new WeakMap<TSchema, (value: unknown) => boolean>()

/** The library's own validator would also keep the thousand pieces of text that its code was put together from. */
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

/** Items of an array, of which something may be said; no array of a schema that has arrays without doubles takes so many. */
const mostItemsTold = 1_000
/** Levels; no schema is so deep. */
const mostLevelsTold = 64

/** To say what an array has twice takes the library time by the square of how much that is. */
function beginningOf(value: unknown, levels = mostLevelsTold): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.slice(0, mostItemsTold).map((item) => beginningOf(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, beginningOf(member, levels - 1)]))
}

function asksForUnique(schema: unknown, seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
  seen.add(schema)
  if ('uniqueItems' in schema && schema.uniqueItems === true) return true
  return Object.values(schema).some((part) => asksForUnique(part, seen))
}
