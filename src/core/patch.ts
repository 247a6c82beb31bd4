/** Computes the JSON Patch from one JSON document to another. (RFC 6902; RT3) */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
type JsonObject = { readonly [name: string]: Json }

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }

/**
 * Operations that turn `before` into `after` when applied in order; none where both are equal. Their values are those
 * of `after` itself, not copies.
 *
 * A record in an array (an object with a `guid`) is identified by its `guid`, at any index: a moved record is removed
 * and added, a changed one is changed in place. Members of other arrays are identified only by their index.
 *
 * Work grows with the size of both documents; for the order of n records, with n log n.
 *
 * Recurses for each level of nesting: a stack of the default size lasts for a thousand levels, not for ten thousand,
 * and our documents have less than 20.
 */
export function diff(before: Json, after: Json): PatchOperation[] {
  const operations: PatchOperation[] = []
  compare(before, after, '', operations)
  return operations
}

function compare(before: Json, after: Json, path: string, operations: PatchOperation[]): void {
  if (before === after) return
  if (isArray(before) && isArray(after)) compareArrays(before, after, path, operations)
  else if (isObject(before) && isObject(after)) compareObjects(before, after, path, operations)
  else operations.push({ op: 'replace', path, value: after })
}

function compareObjects(before: JsonObject, after: JsonObject, path: string, operations: PatchOperation[]): void {
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) operations.push({ op: 'remove', path: `${path}/${escaped(name)}` })
  }
  for (const [name, value] of Object.entries(after)) {
    // Only own members count, for every object inherits something under names like `constructor`.
    const was = Object.hasOwn(before, name) ? before[name] : undefined
    if (was === value) continue
    const place = `${path}/${escaped(name)}`
    if (was === undefined) operations.push({ op: 'add', path: place, value })
    else compare(was, value, place, operations)
  }
}

function compareArrays(
  before: readonly Json[],
  after: readonly Json[],
  path: string,
  operations: PatchOperation[],
): void {
  const [old, fresh] = [indexesByGuid(before), indexesByGuid(after)]
  if (old === null || fresh === null) compareByIndex(before, after, path, operations)
  else compareByGuid(before, old, after, fresh, path, operations)
}

type Indexes = ReadonlyMap<string, number>

function compareByGuid(
  before: readonly Json[],
  old: Indexes,
  after: readonly Json[],
  fresh: Indexes,
  path: string,
  operations: PatchOperation[],
): void {
  const stay = longestAscending([...fresh.keys()].flatMap((guid) => old.get(guid) ?? []))
  // From the end, so that the elements still to be removed keep their index.
  for (let index = before.length - 1; index >= 0; index--) {
    if (!stay.has(index)) operations.push({ op: 'remove', path: `${path}/${index}` })
  }
  // From the start: when an index is reached, all elements before it are final, and the kept ones follow in order.
  for (const [guid, index] of fresh) {
    const [was, place, value] = [old.get(guid), `${path}/${index}`, after[index] as Json]
    if (was !== undefined && stay.has(was)) compare(before[was] as Json, value, place, operations)
    else operations.push({ op: 'add', path: place, value })
  }
}

/**
 * Equal members at the end are set aside where the length has changed, so that an insertion or removal before them does
 * not count as a change of all that follows. Equal members at the beginning have the same index in both, and need
 * nothing.
 */
function compareByIndex(
  before: readonly Json[],
  after: readonly Json[],
  path: string,
  operations: PatchOperation[],
): void {
  let [old, fresh] = [before.length, after.length]
  if (old !== fresh) {
    while (old > 0 && fresh > 0 && equal(before[old - 1] as Json, after[fresh - 1] as Json)) {
      old--
      fresh--
    }
  }
  for (let index = old - 1; index >= fresh; index--) operations.push({ op: 'remove', path: `${path}/${index}` })
  for (let index = 0; index < fresh; index++) {
    const [place, value] = [`${path}/${index}`, after[index] as Json]
    if (index < old) compare(before[index] as Json, value, place, operations)
    else operations.push({ op: 'add', path: place, value })
  }
}

function equal(one: Json, other: Json): boolean {
  if (one === other) return true
  if (isArray(one) && isArray(other)) {
    return one.length === other.length && one.every((member, index) => equal(member, other[index] as Json))
  }
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && equal(one[name] as Json, other[name] as Json))
  )
}

/**
 * The index of each record by GUID, in the array's order; null where a member is no record, or two have the same guid.
 */
function indexesByGuid(array: readonly Json[]): Indexes | null {
  const indexes = new Map<string, number>()
  for (const [index, member] of array.entries()) {
    const guid = isObject(member) ? member.guid : null
    if (typeof guid !== 'string' || indexes.has(guid)) return null
    indexes.set(guid, index)
  }
  return indexes
}

/** The longest ascending subsequence of different numbers. (Fredman 1975) */
function longestAscending(numbers: readonly number[]): ReadonlySet<number> {
  /**
   * At index n: where an ascending subsequence of n + 1 numbers can end; of several ends, the one with the lowest
   * number.
   */
  const ends: number[] = []
  /** For each number, the index of its predecessor in the longest subsequence that it ends; -1 for none. */
  const previous: number[] = []
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] as number] as number) < number) low = middle + 1
      else high = middle
    }
    previous.push(low === 0 ? -1 : (ends[low - 1] as number))
    ends[low] = index
  }
  const longest = new Set<number>()
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] as number) {
    longest.add(numbers[index] as number)
  }
  return longest
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Escapes a name for a JSON Pointer. (RFC 6901 §3) */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
