import type { Json, PatchOperation } from '../src/core/patch.ts'

/**
 * Applies a patch to a document, which itself stays unchanged; parts that no operation reaches are the same object in
 * both. Throws for a patch that does not fit. (RFC 6902 §4.1 to §4.3, §5)
 */
export function patched(document: Json, operations: readonly PatchOperation[]): Json {
  return operations.reduce((value, operation) => applied(value, tokensOf(operation), operation), document)
}

function applied(target: Json | undefined, [token, ...rest]: readonly string[], operation: PatchOperation): Json {
  if (token === undefined) return whole(target, operation)
  if (typeof target !== 'object' || target === null) throw misfit(operation)
  if (isArray(target)) return inArray(target, token, rest, operation)
  const was = Object.hasOwn(target, token) ? target[token] : undefined
  if (rest.length > 0 || operation.op !== 'remove') return { ...target, [token]: applied(was, rest, operation) }
  if (was === undefined) throw misfit(operation)
  return Object.fromEntries(Object.entries(target).filter(([name]) => name !== token))
}

function inArray(target: readonly Json[], token: string, rest: readonly string[], operation: PatchOperation): Json {
  const index = token === '-' ? target.length : /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN
  const inserts = rest.length === 0 && operation.op === 'add'
  if (!(index < target.length + (inserts ? 1 : 0))) throw misfit(operation)
  if (inserts) return target.toSpliced(index, 0, operation.value)
  if (rest.length === 0 && operation.op === 'remove') return target.toSpliced(index, 1)
  return target.with(index, applied(target[index], rest, operation))
}

/** `target` is the value at the place that the operation names; undefined without one. */
function whole(target: Json | undefined, operation: PatchOperation): Json {
  if (operation.op === 'add' || (operation.op === 'replace' && target !== undefined)) return operation.value
  throw misfit(operation)
}

/** (RFC 6901 §3, §4) */
function tokensOf(operation: PatchOperation): string[] {
  const [nothing, ...tokens] = operation.path.split('/')
  if (nothing !== '' || /~(?![01])/.test(operation.path)) throw misfit(operation)
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function misfit(operation: PatchOperation): Error {
  return new Error(`does not fit the document: ${JSON.stringify(operation)}`)
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
