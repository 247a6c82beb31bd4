import type { TSchema } from 'typebox'
import { type Actor, anonymous, publicAudience } from '../../../core/actor.ts'
import type { CommandOperation, Operation } from '../../../core/operation.ts'
import { globalRoles, platformRoles, tournamentRoles } from '../../../core/roles.ts'
import { audienceOf } from '../../http/audience.ts'
import type { DocumentKind } from '../documents/kind.ts'
import { isLive, type LiveOperation } from '../durable/topics.ts'
import type { EphemeralTopic } from '../ephemeral/topic.ts'

/** The topics that clients can follow, and the commands of the socket, read from the records. (RT19) */

export interface QueryMember {
  readonly name: string
  readonly description: string
  readonly schema: TSchema
}

export interface TopicEntry {
  readonly operation: LiveOperation
  /** Its names, with `{name}` where a record is named. */
  readonly pattern: string
  readonly query: readonly QueryMember[]
  /** The scopes of which a token needs one; `ws:read` is enough for every topic. */
  readonly scope: TopicScope
  /** Classes of callers, within each of which everybody holds the same. */
  readonly audiences: readonly string[]
  /** Types of events that followers outside the staff receive. */
  readonly facts: readonly string[]
  /** Whether the topic has a delayed form, for viewers of a delayed stream. */
  readonly canBeDelayed: boolean
}

export const topicScopes = ['public', 'ws:read', 'assistant'] as const
export type TopicScope = (typeof topicScopes)[number]

/** Scopes, each of which does for a topic. */
export function scopesOfTopic(scope: TopicScope): readonly string[] {
  if (scope === 'public') return []
  return scope === 'ws:read' ? [scope] : [scope, 'ws:read']
}

/** Scopes, each of which does for a command. */
export function scopesOfCommand({ scope }: Operation): readonly string[] {
  return scope === 'assistant' ? [scope, 'ws:write'] : ['ws:write']
}

/** In the order of their patterns. */
export function topicsIn(operations: readonly Operation[]): TopicEntry[] {
  return operations
    .filter(isLive)
    .map(
      (operation): TopicEntry => ({
        operation,
        pattern: patternOf(operation),
        query: (operation.live.query ?? []).map((name) => memberOf(operation, name)),
        scope: topicScopeOf(operation),
        audiences: audiencesOf(operation),
        facts: operation.live.sends ?? [],
        canBeDelayed: operation.live.canBeDelayed === true,
      }),
    )
    .sort((a, b) => (a.pattern < b.pattern ? -1 : 1))
}

export interface EphemeralEntry {
  readonly topic: EphemeralTopic
  /** Made of the read that decides who may follow, and of what its path has beyond that. */
  readonly name: string
  readonly pattern: string
  readonly scope: TopicScope
  readonly who: string
}

/** @throws Error for one that follows no read */
export function ephemeralIn(topics: readonly EphemeralTopic[], operations: readonly Operation[]): EphemeralEntry[] {
  return topics
    .map((topic): EphemeralEntry => {
      const read = operations.find(({ name }) => name === topic.follows)
      if (read === undefined) throw new Error(`${topic.path} follows no read`)
      const { who } = topic.reads ?? read.allow
      return {
        topic,
        name: `${read.name}${topic.path.slice(read.path.length).replaceAll('/', '.')}`,
        pattern: patternOf(topic),
        scope: (topic.reads?.open ?? true) ? topicScopeOf(read) : 'ws:read',
        who: who.replace(/,$/, ''),
      }
    })
    .sort((a, b) => (a.pattern < b.pattern ? -1 : 1))
}

export interface DocumentEntry {
  readonly kind: DocumentKind
  /** Made of its path. */
  readonly name: string
  readonly pattern: string
}

/** In the order of their patterns. */
export function documentsIn(kinds: readonly DocumentKind[]): DocumentEntry[] {
  return kinds
    .map((kind): DocumentEntry => ({ kind, name: kind.operation.name, pattern: patternOf(kind) }))
    .sort((a, b) => (a.pattern < b.pattern ? -1 : 1))
}

/** In the order of their names. */
export function commandsIn(operations: readonly Operation[]): CommandOperation[] {
  return operations
    .filter((operation) => operation.kind === 'command')
    .filter(({ socket }) => socket === true)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function patternOf({ path }: Pick<Operation, 'path'>): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** @throws Error for a member that the read does not have */
function memberOf({ name: operation, query }: LiveOperation, name: string): QueryMember {
  const schema = query?.properties[name] as (TSchema & { readonly description?: string }) | undefined
  if (schema === undefined) throw new Error(`${operation} has no member ${name} of its query`)
  return { name, description: schema.description ?? '', schema }
}

function topicScopeOf(operation: Operation): TopicScope {
  if (isOpen(operation)) return 'public'
  return operation.scope === 'assistant' ? 'assistant' : 'ws:read'
}

function isOpen({ scope, publicUnlessMe }: Operation): boolean {
  return scope === 'public' || publicUnlessMe === true
}

/** The audience of a caller who shares answers with no other caller. */
const own = 'own'

/** The audiences of all callers who may be admitted, as far as the rules can decide without a record. */
function audiencesOf(operation: LiveOperation): string[] {
  const callers = isOpen(operation) ? [anonymous, ...signedInCallers] : signedInCallers
  const letIn = callers.filter((actor) => mayBeLetIn(operation, actor))
  const named = (letIn.length === 0 ? callers : letIn).map(
    (actor) =>
      audienceOf(operation, { actor, records: {}, beside: null }) ?? (actor === anonymous ? publicAudience : own),
  )
  return [...new Set(named)]
}

function mayBeLetIn({ allow }: LiveOperation, actor: Actor): boolean {
  if (allow.mayEver !== undefined) return allow.mayEver(actor)
  try {
    return allow.allows(actor, {} as never)
  } catch {
    return true
  }
}

/** One of each kind: audiences and rules look at what callers are, not at who. */
const signedInCallers: readonly Actor[] = [
  somebody({}),
  ...tournamentRoles.map((role) => somebody({ roles: new Set([role]) })),
  somebody({ isOrganiser: true }),
  ...platformRoles.map((platformRole) => somebody({ platformRole })),
  ...globalRoles.map((role) => somebody({ globalRoles: new Set([role]) })),
]

function somebody(more: Partial<Actor>): Actor {
  return { ...anonymous, guid: 'somebody', token: { jti: '', clientId: null }, ...more }
}
