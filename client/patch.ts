/** JSON Patch as far as the service uses it (RFC 6902). Unchanged parts keep their identity. */

export interface Operation {
  readonly op: 'add' | 'remove' | 'replace'
  /** JSON Pointer (RFC 6901). */
  readonly path: string
  readonly value?: unknown
}

type Members = Record<string, unknown>

/**
 * Applies the operations to a document, which itself stays unchanged. Equal parts are the same object in both
 * documents, even if an operation replaces a part with an equal one or moves it within its array.
 *
 * @throws Error when an operation does not fit the document
 */
export function patch(document: unknown, operations: readonly Operation[]): unknown {
  /** The containers that this call created and may change. */
  const own = new Set<object>()
  const changed = operations.reduce((value, operation) => apply(value, tokensOf(operation), operation, own), document)
  return reuse(document, changed)
}

function apply(target: unknown, path: readonly string[], operation: Operation, own: Set<object>): unknown {
  const [token, ...rest] = path
  if (token === undefined) {
    if (operation.op === 'remove') throw misfit(operation)
    return operation.value
  }
  if (typeof target !== 'object' || target === null) throw misfit(operation)
  const isPlace = rest.length === 0
  if (Array.isArray(target)) {
    const inserts = isPlace && operation.op === 'add'
    const index = inserts && token === '-' ? target.length : Number(/^(0|[1-9]\d*)$/.test(token) ? token : Number.NaN)
    if (!(index < target.length + (inserts ? 1 : 0))) throw misfit(operation)
    const array = copied(target, own)
    if (inserts) array.splice(index, 0, operation.value)
    else if (isPlace && operation.op === 'remove') array.splice(index, 1)
    else array[index] = apply(array[index], rest, operation, own)
    return array
  }
  // Objects inherit members such as `constructor`.
  const isThere = Object.hasOwn(target, token)
  if (!isThere && !(isPlace && operation.op === 'add')) throw misfit(operation)
  const object = copied(target as Members, own)
  if (isPlace && operation.op === 'remove') delete object[token]
  else setMember(object, token, apply(object[token], rest, operation, own))
  return object
}

/** An assignment to `__proto__` would change the prototype instead of adding a member. */
function setMember(object: Members, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true })
}

function copied<T extends unknown[] | Members>(target: T, own: Set<object>): T {
  if (own.has(target)) return target
  const copy = (Array.isArray(target) ? [...target] : { ...target }) as T
  own.add(copy)
  return copy
}

function tokensOf(operation: Operation): string[] {
  const [start, ...tokens] = operation.path.split('/')
  if (start !== '') throw misfit(operation)
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function misfit({ op, path }: Operation): Error {
  return new Error(`The patch does not fit the body: ${op} ${path}`)
}

/**
 * Returns `after`, with each part that equals a part of `before` replaced by that part. Array members with a `guid` are
 * matched by it, at any index.
 */
export function reuse(before: unknown, after: unknown): unknown {
  if (before === after || !isContainer(before) || !isContainer(after)) return after
  if (Array.isArray(before) !== Array.isArray(after)) return after
  if (Array.isArray(after)) return reuseArray(before as unknown[], after)
  const entries = Object.entries(after).map(
    ([name, value]) =>
      [name, reuse(Object.hasOwn(before, name) ? (before as Members)[name] : undefined, value)] as const,
  )
  const isSame =
    entries.length === Object.keys(before).length &&
    entries.every(([name, value]) => Object.hasOwn(before, name) && (before as Members)[name] === value)
  return isSame ? before : Object.fromEntries(entries)
}

function reuseArray(before: readonly unknown[], after: readonly unknown[]): unknown {
  const byGuid = new Map(before.map((member) => [guidOf(member), member]))
  const result = after.map((member, index) => {
    const guid = guidOf(member)
    return reuse(guid === undefined ? before[index] : byGuid.get(guid), member)
  })
  return result.length === before.length && result.every((member, index) => member === before[index]) ? before : result
}

function guidOf(member: unknown): unknown {
  return isContainer(member) && 'guid' in member ? member.guid : undefined
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
