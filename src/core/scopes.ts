/** Token scopes and what each implies. (rest-interface: Authentication; D18) */

export const scopes = [
  'rest:user:read',
  'rest:user:write',
  'rest:read',
  'rest:write',
  'ws:read',
  'ws:write',
  'assistant',
  'assistant:game',
  'compsystem',
] as const

export type Scope = (typeof scopes)[number]

const implied: Partial<Record<Scope, readonly Scope[]>> = {
  'rest:user:write': ['rest:user:read'],
  'rest:read': ['rest:user:read'],
  'rest:write': ['rest:read', 'rest:user:write'],
  'ws:write': ['ws:read'],
}

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}

/** The scopes that a grant allows: those named and, transitively, those they imply. */
export function withImplied(granted: Iterable<Scope>): ReadonlySet<Scope> {
  const all = new Set<Scope>()
  const open = [...granted]
  for (let scope = open.pop(); scope !== undefined; scope = open.pop()) {
    if (all.has(scope)) continue
    all.add(scope)
    open.push(...(implied[scope] ?? []))
  }
  return all
}

/** What the website and clients that signed in through chat hold. (D40) */
export const firstPartyScopes: readonly Scope[] = ['rest:write', 'ws:write']
