import { formatInstant } from './time.ts'

/**
 * The events of the event log. Each slice declares its events in its `events.ts`; followers of the log read them by
 * type. Members hold JSON: instants are ISO strings.
 */

/** The events of each slice, by its name: a union of `Event` and `TournamentEvent`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging, so that core knows no slice.
export interface Events {}

export type AnyEvent = Events[keyof Events]
export type EventType = AnyEvent['type']
/** The prefix of all event names of a noun: `team.` */
export type EventPrefix<Type = EventType> = Type extends `${infer Noun}.${string}` ? `${Noun}.` : never
export type EventOf<Type extends EventType> = Extract<AnyEvent, { readonly type: Type }>

/**
 * A tag that every event of this type in the tournament touches. For answers that depend on one type of event and
 * cannot name its records, because they do not exist yet.
 * @param tournament GUID
 */
export function kindTag(tournament: string, type: EventType): string {
  return `${tournament} ${type}`
}

/**
 * A tag that every event of this type touches, in whichever tournament. For answers about all tournaments that cannot
 * name the tournament of the event, because nothing of it is shown yet.
 */
export function kindTagOfAll(type: EventType): string {
  return `* ${type}`
}

/** An event's data beyond its name, its record and its actor. */
interface Told {
  /** null: the event has no subject. */
  readonly subject?: null
  /** Only changed members. Never secrets, and in a tournament nothing that its staff may not see. */
  readonly before?: object | null
  readonly after?: object | null
  /**
   * The event may reduce somebody's rights: in the tournament, or, for the user who is the subject, everywhere.
   * Requests that were admitted under the old rights are checked again before they are carried out.
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
  /** GUID of the event's record; the slice's event table gives its kind. */
  readonly subject: ToldOf<T, 'subject', string>
  readonly tournament: Tournament
  /** GUID of the user who caused it; null for the service itself. */
  readonly actor: string | null
  readonly before: ToldOf<T, 'before', null>
  readonly after: ToldOf<T, 'after', null>
}

type Nothing = Record<never, never>

/** An event in a tournament (GUID `tournament`), whose staff may read it in the audit list. */
export type TournamentEvent<Type extends string, T extends Told = Nothing> = Type extends string
  ? Happened<Type, string, T>
  : never

/** An event outside any tournament, or one that no tournament's staff may read. */
export type Event<Type extends string, T extends Told = Nothing> = Type extends string ? Happened<Type, null, T> : never

/** A member of a record as an event holds it: a date becomes a string. */
type Written<Value> = Value extends Date ? string : Value

/** Some members of a record, as an event holds them. */
export type MembersOf<T, Name extends keyof T = keyof T> = { readonly [N in Name]?: Written<T[N]> }

/** The named members of a record, as an event holds them. */
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

/** An event as slices emit it: empty members may be left out. */
export type NewEvent<E extends AnyEvent = AnyEvent> = E extends AnyEvent
  ? Pick<E, 'type' | 'subject' | 'actor'> &
      Filled<E, MayBeLeftOut> &
      RightsOf<E> & {
        /** Further records, by GUID or name, whose cached answers are now stale; subject and tournament always are. */
        readonly touches?: readonly string[]
      }
  : never

/**
 * Whether a changed member is public: everybody who may see the event's subject may learn of the change. An event
 * without a public changed member is not sent to them, unless the event itself is public.
 */
export type Audience = 'public' | 'private'

/** The same audience for every named member. */
export function everyMember<Name extends string, A extends Audience>(
  names: readonly Name[],
  audience: A,
): Record<Name, A> {
  return Object.fromEntries(names.map((name) => [name, audience])) as Record<Name, A>
}

export interface EventFacts {
  /** The kind of the subject, as a noun; null for an event without a subject. */
  readonly subject: string | null
  /** Everybody who may see the subject, or could until then, may learn of the event, whatever members have changed. */
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

/** The table of a slice's events at run time: every event, and every member of each. */
export type EventTable<E extends { readonly type: string }> = {
  readonly [Type in E['type']]: FactsOf<Extract<E, { readonly type: Type }>>
}
