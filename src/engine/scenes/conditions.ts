import { isPlain, numberOf, type Plain, type Tree } from './values.ts'

/** When something of an element is set to something else. (OV4) */

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
  /** By the names of properties. */
  readonly set: Readonly<Record<string, Plain>>
}

/** What tests look at. */
export interface Looking {
  readonly read: (path: string) => Tree | undefined
  /** Milliseconds since what stands at the path has changed; null while it has not. */
  readonly sinceChange: (path: string) => number | null
}

/** (OV4) */
export const mostDepth = 3

/** Deeper than a document may be, a test does not hold. */
export function holds(test: Test, looking: Looking, depth = 1): boolean {
  if (depth > mostDepth) return false
  if ('all' in test) return test.all.every((each) => holds(each, looking, depth + 1))
  if ('any' in test) return test.any.some((each) => holds(each, looking, depth + 1))
  if ('not' in test) return !holds(test.not, looking, depth + 1)
  return compares(test, looking)
}

/** What the conditions set, in their order: later ones win. (OV4) */
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

/** What is not there is the same as null. */
function isSame(found: Tree | undefined, value: Comparison['value']): boolean {
  return (found ?? null) === (value ?? null)
}

/** Numbers by their size, texts by their code units (instants among them); what is of two kinds is in no order. */
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
