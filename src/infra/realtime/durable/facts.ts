import { playersAudience, publicAudience } from '../../../core/actor.ts'
import type { EventFacts, Audience as MemberAudience } from '../../../core/events.ts'
import type { Concern } from '../../../core/operation.ts'
import { formatInstant } from '../../../core/time.ts'
import type { LoggedEvent } from '../../events/logged.ts'
import type { Positions } from './positions.ts'
import type { LiveOperation } from './topics.ts'

/** An event of the log, as those who follow a topic may see it. (RT10) */
export interface Fact {
  /** The same for everybody who is told. */
  readonly id: string
  readonly type: string
  readonly subject: { readonly kind: string | null; readonly guid: string | null }
  readonly at: string
  /** Names of the members that have changed. */
  readonly changed: readonly string[]
  /** For the staff: who did it, and what changed as it was and as it is. */
  readonly by?: string | null
  readonly before?: unknown
  readonly after?: unknown
}

export type TouchingEvent = LoggedEvent & { readonly touches: readonly string[]; readonly rights: boolean }

/** Callers who share nothing: what is told concerns themselves. */
export const ownAudience = 'user:'

/** What the slices say of their events, and of who among a tournament's staff may be told of them. */
export interface FactRules {
  readonly events: Readonly<Record<string, EventFacts>>
  readonly staffSees: (audience: string, type: string) => boolean
  /** Whether what is followed was hidden from the public before the event, and whether it is after it; null where it changes neither. */
  readonly hiding: (event: LoggedEvent) => { readonly before: boolean; readonly after: boolean } | null
  /** Types of events that may change it. */
  readonly hidingTypes: readonly string[]
}

/** Events among which those are that an audience may be told of. */
export type Sought = SoughtInTournament | SoughtElsewhere

export interface SoughtInTournament {
  readonly tournament: string
  /** null for all. */
  readonly types: readonly string[] | null
  /** That they touch; null for any. */
  readonly record: string | null
  /** Types of those that are needed in any case. */
  readonly hiding: readonly string[]
}

/** Of what is in no tournament. */
export interface SoughtElsewhere {
  readonly tournament: null
  readonly types: readonly string[]
  readonly by: Concern['by']
}

/** What is followed, and as whom. */
export interface Scope {
  readonly operation: LiveOperation
  readonly audience: string
  /** The tournament that it is in. */
  readonly tournament: string | null
  /** Of what is in none: which events are told; null where none is. */
  readonly concern: Concern | null
  /** GUID of the record that the topic is; null for a list. */
  readonly record: string | null
  /** GUID of the user who follows what is theirs alone. */
  readonly user: string | null
  /** Whether a list holds the record: asked of those that show a part. */
  readonly holds: (guid: string) => boolean
}

export interface Telling {
  readonly facts: readonly Fact[]
  /** The event that the last of them is made of. */
  readonly last: TouchingEvent | null
}

export class FactTeller {
  readonly #rules: FactRules
  readonly #positions: Positions

  constructor(rules: FactRules, positions: Positions) {
    this.#rules = rules
    this.#positions = positions
  }

  /** Where to look for what may be told; null where nothing is. */
  soughtFor({ operation, audience, record, tournament, concern }: Scope): Sought | null {
    const { tells = [] } = operation.live
    if (tournament === null) return concern === null ? null : { tournament, types: tells, by: concern.by }
    const nouns = new Set(tells.map(nounOf))
    const ofNouns = () => Object.keys(this.#rules.events).filter((type) => nouns.has(nounOf(type)))
    const types = !isStaffAudience(audience) ? tells : record === null ? ofNouns() : null
    if (types?.length === 0) return null
    return { tournament, types, record, hiding: this.#rules.hidingTypes }
  }

  /** Whether an event of a step may be one of those that are told: it touches what the state was made from, or is made from now. */
  mayConcern(event: TouchingEvent, { tournament }: Scope, ...tags: ReadonlySet<string>[]): boolean {
    // Elsewhere it is the event alone that tells. (`Concern`)
    return tournament === null || touchesAny(event, ...tags)
  }

  /** What is told of events, in their order: nothing that was hidden when it happened. */
  tell(events: readonly TouchingEvent[], scope: Scope): Telling {
    const facts: Fact[] = []
    let last: TouchingEvent | null = null
    const isOpen = isOpenAudience(scope.audience)
    const changes = isOpen ? events.map((event) => this.#rules.hiding(event)) : []
    let hidden = changes.find((change) => change !== null)?.before ?? false
    for (const [index, event] of events.entries()) {
      hidden = changes[index]?.after ?? hidden
      if (hidden) continue
      const fact = this.#factOf(event, scope)
      if (fact === null) continue
      facts.push(fact)
      last = event
    }
    return { facts, last }
  }

  #factOf(event: TouchingEvent, scope: Scope): Fact | null {
    const names = this.#changedFor(event, scope)
    if (names === null) return null
    const { type, subject, at, before, after, actor } = event
    const isStaff = this.#isForStaff(event, scope)
    return {
      id: this.#positions.idOf(event.seq),
      type,
      subject: { kind: this.#rules.events[type]?.subject ?? null, guid: subject },
      at: formatInstant(at),
      changed: names,
      ...(isStaff ? { by: actor, before, after } : {}),
    }
  }

  #isForStaff({ type }: TouchingEvent, { audience }: Scope): boolean {
    return isStaffAudience(audience) && this.#rules.staffSees(audience, type)
  }

  /** Names of the members that the audience is told of; null where it is not told of the event at all. */
  #changedFor(event: TouchingEvent, scope: Scope): readonly string[] | null {
    const { operation, audience, record, tournament, user } = scope
    const { tells = [] } = operation.live
    const facts = this.#rules.events[event.type]
    const isAboutIt = tournament === null ? isOfConcern(event, scope) : isAbout(event, scope)
    if (facts === undefined || !isAboutIt) return null
    const names = [...new Set([...namesIn(event.before), ...namesIn(event.after)])].filter(
      (name) => !byThemselves.has(name),
    )
    const members: Readonly<Record<string, MemberAudience>> = facts.members ?? {}
    const open = names.filter((name) => members[name] === 'public')
    const ofEverybody = open.length > 0 || facts.isPublic ? open : null
    if (tournament === null) return audience === publicAudience ? ofEverybody : names
    if (isStaffAudience(audience)) {
      const isOfList = tells.some((type) => nounOf(type) === nounOf(event.type))
      const isTold = (record !== null || isOfList) && event.tournament === tournament
      if (!isTold) return null
      if (this.#isForStaff(event, scope)) return names
      // What is for others among the staff they are told as everybody is.
      return (tells as readonly string[]).includes(event.type) ? ofEverybody : null
    }
    if (!(tells as readonly string[]).includes(event.type)) return null
    if (user !== null) return event.touches.includes(user) || event.actor === user ? names : null
    return ofEverybody
  }
}

/** They change whenever anything does. */
const byThemselves: ReadonlySet<string> = new Set(['updatedAt', 'revision'])

/** Whether an event is one of those that are told of what is in no tournament. */
function isOfConcern(event: TouchingEvent, { operation, concern }: Scope): boolean {
  const { tells = [] } = operation.live
  if (concern === null || !tells.includes(event.type)) return false
  const { by, isTold = () => true } = concern
  const isFound =
    'tag' in by
      ? event.touches.includes(by.tag)
      : (event.after as { readonly platformGuid?: unknown } | null)?.platformGuid === by.platform
  return isFound && isTold(event)
}

function isAbout({ touches, subject, tournament }: TouchingEvent, scope: Scope): boolean {
  if (tournament !== null && tournament !== scope.tournament) return false
  if (scope.record !== null) return touches.includes(scope.record)
  return subject === null || scope.holds(subject)
}

/** Whether an event touches something of which there are these tags. */
export function touchesAny({ touches }: TouchingEvent, ...all: ReadonlySet<string>[]): boolean {
  return touches.some((tag) => all.some((tags) => tags.has(tag)))
}

export function isStaffAudience(audience: string): boolean {
  return !isOpenAudience(audience) && !audience.startsWith(ownAudience)
}

/** Those who play are told what everybody is told. */
function isOpenAudience(audience: string): boolean {
  return audience === publicAudience || audience.startsWith(playersAudience)
}

function nounOf(type: string): string {
  return type.split('.')[0] as string
}

function namesIn(members: unknown): readonly string[] {
  return typeof members === 'object' && members !== null ? Object.keys(members) : []
}
