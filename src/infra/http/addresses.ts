import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../core/operation.ts'

const me = '@me'
/** Under longer ones nothing is remembered. */
const longest = 300

/**
 * The address under which the answer to a request may be remembered, or null where none may be: its path, and those
 * members of the query that the operation knows, in the order of its schema. However else a client spells it, and
 * whatever else it adds, the answer is the same to everybody of an audience. What is asked for as `@me` is not.
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

/** null where a member is there more than once: that is refused. */
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
