import { formatInstant } from './time.ts'

/**
 * What happened, as the event log tells it. Each slice declares the events that it emits in its `events.ts`; whoever
 * follows the log reads them by their types. Members hold JSON: instants are ISO strings.
 */

/** The events of each slice, by its name: a union of `Event` and `TournamentEvent`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging, so that core knows no slice.
export interface Events {}

export type AnyEvent = Events[keyof Events]
export type EventType = AnyEvent['type']
/** How the names of all events of a noun begin: `team.` */
export type EventPrefix<Type = EventType> = Type extends `${infer Noun}.${string}` ? `${Noun}.` : never
export type EventOf<Type extends EventType> = Extract<AnyEvent, { readonly type: Type }>

/**
 * A tag that every event of this type in the tournament touches: for what is made of few of the many things that happen there, and
 * does not know their records before they are made.
 * @param tournament GUID
 */
export function kindTag(tournament: string, type: EventType): string {
  return `${tournament} ${type}`
}

/** What an event tells beyond its name, the record that it happened to, and who did it. */
interface Told {
  /** An event that happened to no record in particular. */
  readonly subject?: null
  /** Changed members alone. Never secrets, and in a tournament nothing that its staff may not see. */
  readonly before?: object | null
  readonly after?: object | null
  /**
   * Somebody may do less after it: in the tournament, or the user who is the subject anywhere. Requests that were let in by
   * what was are judged anew before they are carried out.
   */
  readonly rights?: true
}

type ToldOf<T extends Told, Name extends keyof Told, Otherwise> = Name extends keyof T ? T[Name] : Otherwise

type Happened<Type extends string, Tournament extends string | null, T extends Told> = Base<Type, Tournament, T> &
  RightsOf<T>

type RightsOf<E> = E extends { readonly rights: true } ? { readonly rights: true } : Nothing

interface Base<Type extends string, Tournament extends string | null, T extends Told> {
  /** `noun.past_tense` */
  readonly type: Type
  /** GUID of the record that it happened to; of which kind, the slice's table tells. */
  readonly subject: ToldOf<T, 'subject', string>
  readonly tournament: Tournament
  /** GUID of the user who did it; null for the service itself. */
  readonly actor: string | null
  readonly before: ToldOf<T, 'before', null>
  readonly after: ToldOf<T, 'after', null>
}

type Nothing = Record<never, never>

/** Something that happened in a tournament, GUID `tournament`, whose staff may read it in the audit list. */
export type TournamentEvent<Type extends string, T extends Told = Nothing> = Type extends string
  ? Happened<Type, string, T>
  : never

/** Something that happened in no tournament, or that no tournament's staff may read. */
export type Event<Type extends string, T extends Told = Nothing> = Type extends string ? Happened<Type, null, T> : never

/** A member of a record as an event tells it. */
type Written<Value> = Value extends Date ? string : Value

/** Some members of a record, as an event tells them. */
export type MembersOf<T, Name extends keyof T = keyof T> = { readonly [N in Name]?: Written<T[N]> }

/** The named members of a record, as an event tells them. */
export function membersOf<T extends object, Name extends keyof T>(
  record: T,
  names: readonly Name[],
): MembersOf<T, Name> {
  const written = (value: unknown) => (value instanceof Date ? formatInstant(value) : value)
  return Object.fromEntries(names.map((name) => [name, written(record[name])])) as MembersOf<T, Name>
}

type MayBeLeftOut = 'tournament' | 'before' | 'after'

type Filled<E, Name extends keyof E> = { readonly [N in Name as null extends E[N] ? never : N]: E[N] } & {
  readonly [N in Name as null extends E[N] ? N : never]?: E[N]
}

/** An event as it is emitted: what it does not carry may be left out. */
export type NewEvent<E extends AnyEvent = AnyEvent> = E extends AnyEvent
  ? Pick<E, 'type' | 'subject' | 'actor'> &
      Filled<E, MayBeLeftOut> &
      RightsOf<E> & {
        /** Further records, by GUID or name, whose remembered answers are now stale; subject and tournament always are. */
        readonly touches?: readonly string[]
      }
  : never

/**
 * Whether everybody who may see an event's subject may be told that a member has changed. An event none of whose changed
 * members is public is not told to them at all, unless it is public itself.
 */
export type Audience = 'public' | 'private'

/** The same for every member that is named. */
export function everyMember<Name extends string, A extends Audience>(
  names: readonly Name[],
  audience: A,
): Record<Name, A> {
  return Object.fromEntries(names.map((name) => [name, audience])) as Record<Name, A>
}

export interface EventFacts {
  /** The noun that the subject is; null for an event without one. */
  readonly subject: string | null
  /** Everybody who may see the subject, or could until then, may be told of it, whatever has changed. */
  readonly isPublic?: true
  /** Every member that `before` or `after` may have. */
  readonly members?: Readonly<Record<string, Audience>>
}

type KeysOf<T> = T extends object ? keyof T : never
type MemberOf<E> = E extends { readonly before: infer Before; readonly after: infer After }
  ? KeysOf<Before> | KeysOf<After>
  : never
type FactsOf<E> = {
  readonly subject: E extends { readonly subject: null } ? null : string
  readonly isPublic?: true
} & ([MemberOf<E>] extends [never] ? Nothing : { readonly members: { readonly [Name in MemberOf<E>]: Audience } })

/** What a slice's events tell, for the running service: every event, and every member of each. */
export type EventTable<E extends { readonly type: string }> = {
  readonly [Type in E['type']]: FactsOf<Extract<E, { readonly type: Type }>>
}
