import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../core/operation.ts'

const me = '@me'
/** Answers with a longer address are not cached. */
const longest = 300

/**
 * Returns a function that gives the cache address of a request, or null where its answer may not be cached. The address
 * is the path and the query members that the operation knows, in the order of its schema. So different spellings and
 * unknown members share one answer within an audience. Requests for `@me` are not cached.
 */
export function addressReader(operation: Operation): (request: FastifyRequest) => string | null {
  if (operation.kind !== 'query' || operation.audience === undefined) return () => null
  const template = operation.root ? operation.path : `/api${operation.path}`
  const parts = template.split(/:(\w+)/)
  const known = Object.keys(operation.query?.properties ?? {})
  return (request) => {
    const params = request.params as Readonly<Record<string, string>>
    if (Object.values(params).includes(me)) return null
    const path = parts.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(params[part] ?? ''))).join('')
    const query = knownQuery(known, request.query as Readonly<Record<string, unknown>>)
    if (query === null) return null
    const address = query === '' ? path : `${path}?${query}`
    return address.length < longest ? address : null
  }
}

/** null where a member occurs more than once: such a request is refused. */
function knownQuery(known: readonly string[], query: Readonly<Record<string, unknown>>): string | null {
  const members: [string, string][] = []
  for (const name of known) {
    const value = query[name]
    if (value === undefined) continue
    if (typeof value !== 'string' || value === me) return null
    members.push([name, value])
  }
  return members.length === 0 ? '' : new URLSearchParams(members).toString()
}

/**
 * A cached answer's address within an audience. Anonymous callers get cached answers before records are looked up, and
 * callers with a token may see records that are hidden from them. So answers for audiences with a token are cached
 * separately, and sent only after a caller has been let through to the same records.
 */
export function addressFor(audience: string, address: string): string {
  return `${audience} ${address}`
}
