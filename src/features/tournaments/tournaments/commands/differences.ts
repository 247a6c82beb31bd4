import { isDeepStrictEqual } from 'node:util'

const maxTextLength = 2_000
const maxValueLength = 8_000

/** A value in the event log. A short text replaces a list or object that is too long. */
type Shortened<Value> = Value extends object ? Value | string : Value

export type Differing<T> = { readonly [Name in keyof T]?: Shortened<T[Name]> }

/**
 * Returns the members that differ between two states, small enough for the event log: long texts are cut, long lists
 * are replaced.
 */
export function differences<T extends object>(
  before: T,
  after: T,
): { readonly before: Differing<T>; readonly after: Differing<T> } {
  const names = (Object.keys(after) as (keyof T)[]).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const of = (state: T) =>
    Object.fromEntries(names.map((name) => [name, shortened(state[name])])) as unknown as Differing<T>
  return { before: of(before), after: of(after) }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    const characters = Array.from(value)
    return characters.length <= maxTextLength ? value : `${characters.slice(0, maxTextLength - 1).join('')}…`
  }
  return JSON.stringify(value).length <= maxValueLength ? value : '(too long for the log)'
}
