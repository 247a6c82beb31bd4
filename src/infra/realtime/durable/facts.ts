import { playersAudience, publicAudience } from '../../../core/actor.ts'
import type { EventFacts, Audience as MemberAudience } from '../../../core/events.ts'
import type { Concern } from '../../../core/operation.ts'
import { formatInstant } from '../../../core/time.ts'
import type { LoggedEvent } from '../../events/logged.ts'
import { audienceWithin, insideOf } from './held-audience.ts'
import type { Positions } from './topic-positions.ts'
import type { LiveOperation } from './topics.ts'

/** An event of the log, as the followers of a topic may see it. (RT10) */
export interface Fact {
  /** The event's opaque id, the same for every receiver. */
  readonly id: string
  readonly type: string
  readonly subject: { readonly kind: string | null; readonly guid: string | null }
  readonly at: string
  /** Names of the changed members. */
  readonly changed: readonly string[]
  /** Only for staff: the actor, and the changed members before and after. */
  readonly by?: string | null
  readonly before?: unknown
  readonly after?: unknown
}

export type TouchingEvent = LoggedEvent & { readonly touches: readonly string[]; readonly rights: boolean }

/** Prefix of audiences of a single caller, who receives events about themselves. */
export const ownAudience = 'user:'

/** The slices' declarations about their events, and which of them a tournament's staff may see. */
export interface FactRules {
  readonly events: Readonly<Record<string, EventFacts>>
  readonly staffSees: (audience: string, type: string) => boolean
  /**
   * Whether the topic was hidden from the public before the event, and after it; null for an event that changes
   * neither.
   */
  readonly hiding: (event: LoggedEvent) => { readonly before: boolean; readonly after: boolean } | null
  /** Types of events that may hide or show a topic. */
  readonly hidingTypes: readonly string[]
}

/** A search for the events that an audience may receive. */
export type Sought = SoughtInTournament | SoughtElsewhere

interface SoughtFor {
  /**
   * GUIDs of the held tournaments in which the audience sees the present; null for one that sees it everywhere, and learns
   * of events in the order of their numbers.
   */
  readonly inside: readonly string[] | null
}

export interface SoughtInTournament extends SoughtFor {
  readonly tournament: string
  /** null for all. */
  readonly types: readonly string[] | null
  /** The record that they touch; null for any. */
  readonly record: string | null
  /** Types of events that are always needed. */
  readonly hiding: readonly string[]
}

/** For topics outside tournaments. */
export interface SoughtElsewhere extends SoughtFor {
  readonly tournament: null
  readonly types: readonly string[]
  readonly by: Concern['by']
}

/** A topic, and the audience that follows it. */
export interface Scope {
  readonly operation: LiveOperation
  readonly audience: string
  /** The topic's tournament. */
  readonly tournament: string | null
  /** For a topic outside tournaments: the events to send; null for none. */
  readonly concern: Concern | null
  /** GUID of the record that the topic shows; null for a list. */
  readonly record: string | null
  /** GUID of the user for a private topic. */
  readonly user: string | null
  /** Whether a list contains the record; used for lists that show a part. */
  readonly holds: (guid: string) => boolean
}

export interface Telling {
  readonly facts: readonly Fact[]
  /** The event of the last fact. */
  readonly last: TouchingEvent | null
}

export class FactTeller {
  readonly #rules: FactRules
  readonly #positions: Positions

  constructor(rules: FactRules, positions: Positions) {
    this.#rules = rules
    this.#positions = positions
  }

  /** The search for events that may be sent; null where there are none. */
  soughtFor({ operation, audience, record, tournament, concern }: Scope): Sought | null {
    const inside = insideOf(audience)
    const { sends = [] } = operation.live
    if (tournament === null) return concern === null ? null : { tournament, types: sends, by: concern.by, inside }
    const nouns = new Set(sends.map(nounOf))
    const ofNouns = () => Object.keys(this.#rules.events).filter((type) => nouns.has(nounOf(type)))
    const types = !isStaffAudience(audience) ? sends : record === null ? ofNouns() : null
    if (types?.length === 0) return null
    return { tournament, types, record, hiding: this.#rules.hidingTypes, inside }
  }

  /**
   * Whether an event of a step may produce a fact: it touches something that the earlier or the present state depends
   * on.
   */
  mayConcern(event: TouchingEvent, { tournament }: Scope, ...tags: ReadonlySet<string>[]): boolean {
    // Outside tournaments only the event itself decides. (`Concern`)
    return tournament === null || touchesAny(event, ...tags)
  }

  /** The facts to send for events, in their order, without events that were hidden when they happened. */
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
    const { type, subject, at, clockAt, before, after, actor } = event
    const isStaff = this.#isForStaff(event, scope)
    return {
      id: this.#positions.idOf(event.seq),
      type,
      subject: { kind: this.#rules.events[type]?.subject ?? null, guid: subject },
      at: formatInstant(clockAt ?? at),
      changed: names,
      ...(isStaff ? { by: actor, before, after } : {}),
    }
  }

  #isForStaff({ type }: TouchingEvent, { audience }: Scope): boolean {
    return isStaffAudience(audience) && this.#rules.staffSees(audienceWithin(audience), type)
  }

  /** Names of the changed members that the audience may see; null where it may not see the event at all. */
  #changedFor(event: TouchingEvent, scope: Scope): readonly string[] | null {
    const { operation, audience, record, tournament, user } = scope
    const { sends = [] } = operation.live
    const facts = this.#rules.events[event.type]
    const isAboutIt = tournament === null ? isOfConcern(event, scope) : isAbout(event, scope)
    if (facts === undefined || !isAboutIt) return null
    const names = [...new Set([...namesIn(event.before), ...namesIn(event.after)])].filter(
      (name) => !byThemselves.has(name),
    )
    const members: Readonly<Record<string, MemberAudience>> = facts.members ?? {}
    const open = names.filter((name) => members[name] === 'public')
    const ofEverybody = open.length > 0 || facts.isPublic ? open : null
    if (tournament === null) return audienceWithin(audience) === publicAudience ? ofEverybody : names
    if (isStaffAudience(audience)) {
      const isOfList = sends.some((type) => nounOf(type) === nounOf(event.type))
      const isSent = (record !== null || isOfList) && event.tournament === tournament
      if (!isSent) return null
      if (this.#isForStaff(event, scope)) return names
      // Staff without access to the event get what the public gets.
      return (sends as readonly string[]).includes(event.type) ? ofEverybody : null
    }
    if (!(sends as readonly string[]).includes(event.type)) return null
    if (user !== null) return event.touches.includes(user) || event.actor === user ? names : null
    return ofEverybody
  }
}

/** Members that change with every update of a record, so they are never listed as changed. */
const byThemselves: ReadonlySet<string> = new Set(['updatedAt', 'revision'])

/** Whether an event concerns a topic outside tournaments. */
function isOfConcern(event: TouchingEvent, { operation, concern }: Scope): boolean {
  const { sends = [] } = operation.live
  if (concern === null || !sends.includes(event.type)) return false
  const { by, isSent = () => true } = concern
  const isFound =
    'tag' in by
      ? event.touches.includes(by.tag)
      : (event.after as { readonly platformGuid?: unknown } | null)?.platformGuid === by.platform
  return isFound && isSent(event)
}

function isAbout({ touches, subject, tournament }: TouchingEvent, scope: Scope): boolean {
  if (tournament !== null && tournament !== scope.tournament) return false
  if (scope.record !== null) return touches.includes(scope.record)
  return subject === null || scope.holds(subject)
}

/** Whether an event touches one of these tags. */
export function touchesAny({ touches }: TouchingEvent, ...all: ReadonlySet<string>[]): boolean {
  return touches.some((tag) => all.some((tags) => tags.has(tag)))
}

export function isStaffAudience(audience: string): boolean {
  return !isOpenAudience(audience) && !audienceWithin(audience).startsWith(ownAudience)
}

/** Players see the same events as the public. */
function isOpenAudience(audience: string): boolean {
  const within = audienceWithin(audience)
  return within === publicAudience || within.startsWith(playersAudience)
}

function nounOf(type: string): string {
  return type.split('.')[0] as string
}

function namesIn(members: unknown): readonly string[] {
  return typeof members === 'object' && members !== null ? Object.keys(members) : []
}
