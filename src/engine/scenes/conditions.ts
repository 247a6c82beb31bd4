import { isPlain, numberOf, type Plain, type Tree } from './values.ts'

/** Conditions, which set properties of an element while a test holds. (OV4) */

export const operators = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'contains',
  'exists',
  'empty',
  'changedWithin',
] as const

export interface Comparison {
  readonly path: string
  readonly op: (typeof operators)[number]
  readonly value?: Plain | readonly Plain[]
}

export type Test =
  | Comparison
  | { readonly all: readonly Test[] }
  | { readonly any: readonly Test[] }
  | { readonly not: Test }

export interface Condition {
  readonly when: Test
  /** Values by the names of properties. */
  readonly set: Readonly<Record<string, Plain>>
}

/** The values that tests read. */
export interface Looking {
  readonly read: (path: string) => Tree | undefined
  /** Milliseconds since the value at the path changed; null if it has not changed. */
  readonly sinceChange: (path: string) => number | null
}

/** The most levels of tests in a condition. (OV4) */
export const maxDepth = 3

/** Whether the test holds. A test that is deeper than a document may have does not hold. */
export function holds(test: Test, looking: Looking, depth = 1): boolean {
  if (depth > maxDepth) return false
  if ('all' in test) return test.all.every((each) => holds(each, looking, depth + 1))
  if ('any' in test) return test.any.some((each) => holds(each, looking, depth + 1))
  if ('not' in test) return !holds(test.not, looking, depth + 1)
  return compares(test, looking)
}

/** The values that the conditions set. Where several set a property, the last one wins. (OV4) */
export function setBy(conditions: readonly Condition[], looking: Looking): Readonly<Record<string, Plain>> {
  return Object.assign({}, ...conditions.filter(({ when }) => holds(when, looking)).map(({ set }) => set))
}

function compares({ path, op, value }: Comparison, { read, sinceChange }: Looking): boolean {
  const found = read(path)
  switch (op) {
    case 'eq':
      return isSame(found, value)
    case 'ne':
      return !isSame(found, value)
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return isInOrder(op, found, value)
    case 'in':
      return Array.isArray(value) && value.some((each) => isSame(found, each))
    case 'contains':
      return contains(found, value)
    case 'exists':
      return found !== undefined && found !== null
    case 'empty':
      return isEmpty(found)
    case 'changedWithin': {
      const since = sinceChange(path)
      const within = numberOf(value as Plain | undefined)
      return since !== null && within !== null && since <= within
    }
  }
}

/** A missing value equals null. */
function isSame(found: Tree | undefined, value: Comparison['value']): boolean {
  return (found ?? null) === (value ?? null)
}

/**
 * Numbers are compared by size, and texts (also instants) by code units. Values of two different types are in no order.
 */
function isInOrder(op: 'lt' | 'lte' | 'gt' | 'gte', found: Tree | undefined, value: Comparison['value']): boolean {
  const areNumbers = typeof found === 'number' && typeof value === 'number'
  const areTexts = typeof found === 'string' && typeof value === 'string'
  if (!areNumbers && !areTexts) return false
  if (found === value) return op === 'lte' || op === 'gte'
  return found < value === (op === 'lt' || op === 'lte')
}

function contains(found: Tree | undefined, value: Comparison['value']): boolean {
  if (typeof found === 'string') return typeof value === 'string' && found.includes(value)
  return Array.isArray(found) && found.some((each) => isPlain(each) && isSame(each, value))
}

function isEmpty(found: Tree | undefined): boolean {
  if (found === undefined || found === null || found === '') return true
  return typeof found === 'object' && Object.keys(found).length === 0
}
