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

/**
 * What each scope allows, with the scopes that it implies, in words for the user who is asked to grant it.
 * (rest-interface: Authentication)
 */
export const scopeWords: Readonly<Record<Scope, string>> = {
  'rest:user:read': 'See your own profile and account',
  'rest:user:write': 'See and change your profile and your account’s settings',
  'rest:read': 'See everything that you can see, your own account included',
  'rest:write': 'See and change everything that you can, your own account included',
  'ws:read': 'Follow live what you can see',
  'ws:write': 'Follow live what you can see, and give commands there',
  assistant: 'Manage and use the match assistant',
  'assistant:game': 'Sign your game in to the match assistant',
  compsystem: 'Use the competitive system',
}

const implied: Partial<Record<Scope, readonly Scope[]>> = {
  'rest:user:write': ['rest:user:read'],
  'rest:read': ['rest:user:read'],
  'rest:write': ['rest:read', 'rest:user:write'],
  'ws:write': ['ws:read'],
}

/**
 * Scopes that open only the operations that name them. The website's own tokens lack these scopes, so the REST scope
 * given here may replace each of them. (assistant: Operations; D40)
 */
const standIns: Partial<Record<Scope, Readonly<Record<Doing, Scope>>>> = {
  assistant: { query: 'rest:read', command: 'rest:write' },
}

/** Whether an operation reads or changes. */
type Doing = 'query' | 'command'

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

/** The scopes of the website and of clients that signed in through chat. (D40) */
export const firstPartyScopes: readonly Scope[] = ['rest:write', 'ws:write']

/** The scopes that each suffice for an operation with the scope `named`; `named` is the first. */
export function scopesFor(named: Scope, doing: Doing): readonly Scope[] {
  const inPlace = standIns[named]?.[doing]
  return inPlace === undefined ? [named] : [named, inPlace]
}

/** Whether a token with the scopes `held` may call an operation with the scope `named`. */
export function isHeld(held: ReadonlySet<Scope>, named: Scope, doing: Doing): boolean {
  return scopesFor(named, doing).some((scope) => held.has(scope))
}

/** Like `isHeld`, for a socket or a stream, where REST scopes do not count. (RT18, RT23) */
export function isHeldOnSocket(held: ReadonlySet<Scope>, named: string, doing: Doing): boolean {
  return (
    held.has(doing === 'query' ? 'ws:read' : 'ws:write') || (isScope(named) && isOfItsOwn(named) && held.has(named))
  )
}

/** Whether a token with these scopes may open a socket or a stream at all. */
export function mayConnect(held: ReadonlySet<Scope>): boolean {
  return held.has('ws:read') || [...held].some(isOfItsOwn)
}

/** Whether a scope alone opens the operations that name it. */
function isOfItsOwn(scope: Scope): boolean {
  return standIns[scope] !== undefined
}
