import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Actor, Audience, Policy, RecordPolicy, SignedIn } from './actor.ts'
import type { AnyEvent, EventType } from './events.ts'
import type { Problem } from './problem.ts'
import type { Scope } from './scopes.ts'

/**
 * An operation is a record: what the API does, who may do it, what it takes and what it answers. Everything else (routes,
 * OpenAPI, permission matrix, contract tests) is derived from the list of them.
 */

/** Records that addresses name, by the name of the path parameter. Each owning slice declares its own here. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging, so that core knows no slice.
export interface Resources {}

/** What handlers act through (`db`, `tx`, `services`, `clients`). Declared by infra and the composition root. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging, so that core knows no infrastructure.
export interface Effects {}

type Effect<Name extends string> = Name extends keyof Effects ? Effects[Name] : never

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `public`: no token needed (D2). `session`: the website's cookie, from its own pages alone (D41). `browser`: a page that
 * browsers open from anywhere, with the website's cookie where there is one. Any other: a bearer token with that scope.
 */
export type Access = Scope | 'public' | 'session' | 'browser'

/** Whether operations of an access are for programs with tokens, rather than for browsers with cookies. */
export function isForPrograms(access: Access): access is Scope | 'public' {
  return access !== 'session' && access !== 'browser'
}

type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The address of a tournament, with which that of everything in it begins. */
export const tournamentPath = '/tournaments/:tournament'

/** The records that a path names; a parameter that no slice resolves stays text. */
export type RecordsOf<Path extends string> = {
  readonly [Name in ParameterOf<Path>]: Name extends keyof Resources ? Resources[Name] : string
}

/** A rule that looks at a record inside a tournament must also say whom it could ever let through. */
type PolicyOf<Path extends string> = Path extends `${typeof tournamentPath}/${string}:${string}`
  ? Policy<RecordsOf<typeof tournamentPath>> | RecordPolicy<RecordsOf<Path>>
  : Policy<RecordsOf<Path>>

type ActorOf<A extends Access> = A extends 'public' | 'browser' ? Actor : SignedIn
type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise
type Merge<A, B> = A & B

interface Common<A extends Access, Q, H> {
  readonly actor: ActorOf<A>
  readonly query: StaticOr<Q, Record<never, never>>
  readonly headers: StaticOr<H, Record<never, never>>
  /** Whether the address names its user as `@me`; by any other name, users see of themselves what everybody sees. */
  readonly isMe: boolean
  readonly now: Date
  readonly services: Effect<'services'>
}

/** Tells what an answer was made from. */
export interface Depends {
  /** The records, by GUID or name: an event that touches one of them makes the answer stale. */
  (...tags: readonly string[]): void
  /** The answer changes then by itself, without an event: it is not remembered, and followers of it are told then. */
  until(date: Date): void
}

export type QueryInput<P extends string, A extends Access, Q, H, Prepared> = Merge<
  RecordsOf<P>,
  Common<A, Q, H> & {
    readonly db: Effect<'db'>
    readonly depends: Depends
    readonly prepared: Prepared
    readonly request: RequestFacts
  }
>

export type PrepareInput<P extends string, A extends Access, Q, H, B> = Merge<
  RecordsOf<P>,
  Common<A, Q, H> & {
    readonly db: Effect<'db'>
    readonly clients: Effect<'clients'>
    readonly body: StaticOr<B, undefined>
    readonly request: RequestFacts
  }
>

export type UploadInput<P extends string, A extends Access, B> = Merge<
  RecordsOf<P>,
  Pick<Common<A, undefined, undefined>, 'actor' | 'services' | 'now'> & {
    readonly db: Effect<'db'>
    /** The parts that are known so far. */
    readonly body: StaticOr<B, undefined>
    /** Whether all of them are, and the file has come with them. */
    readonly isWhole: boolean
    readonly hasFile: boolean
  }
>

export type CommandInput<P extends string, A extends Access, Q, H, B, Prepared> = Merge<
  RecordsOf<P>,
  Common<A, Q, H> & {
    readonly tx: Effect<'tx'>
    readonly body: StaticOr<B, undefined>
    readonly prepared: Prepared
    readonly request: RequestFacts
  }
>

/** What a handler may know of the connection, for security records. */
export interface RequestFacts {
  readonly address: string
  readonly userAgent: string | null
  /** The sender's key, by which a repetition is known, of an operation that takes one. (RT25) */
  readonly key: string | null
  /** It is read as the state of a topic, which tells what changes, rather than once. */
  readonly isFollowed: boolean
  /** The session cookie's value, for operations that end or read the session. */
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** What an operation with `parameters` reads; empty for all others. */
  readonly parameters: URLSearchParams
  /** What an operation whose `bodyType` is `multipart` was sent beside its body; null for all others. */
  readonly file: UploadedFile | null
  /** The file that an operation whose `bodyType` is `upload` or `file` was sent; null for all others. */
  readonly upload: StoredUpload | null
  /** What an operation whose `bodyType` is `raw` or `text` was sent; empty for all others. */
  readonly bytes: Uint8Array
  /**
   * Counts a guess, such as a wrong secret, against the sign-in budget of an address: for operations with credentials of their own.
   * @throws Problem `request.limited`
   */
  readonly countGuess: (address: string) => void
  /**
   * Counts a use of what a record may have done, or a user may do, a few times in a while.
   * @throws Problem `request.limited`
   */
  readonly countUse: (budget: 'assistant-test' | 'bridge' | 'award-nomination' | 'award-vote', of: string) => void
}

/** A file that was written to disk as it came, and is gone when the operation has ended. (M4) */
export interface StoredUpload {
  /** As its sender calls it. */
  readonly name: string | null
  /** Absolute. */
  readonly path: string
  readonly bytes: number
  /** SHA-256, in hex. */
  readonly digest: string
  /** The path of another file, which goes with it. */
  readonly beside: (name: string) => string
}

/** What an operation allows an upload, once it knows whose it is and what for. */
export interface UploadTerms {
  /** Of the file. */
  readonly mostBytes: number
  /** Within which all of it must have come. */
  readonly seconds: number
  /** GUID of the tournament in which the caller's rights were judged, if they were judged in one. */
  readonly tournament: string | null
}

export interface UploadedFile {
  /** As its sender calls it. */
  readonly name: string | null
  readonly bytes: Uint8Array
}

/**
 * What a command answers whose refusal stands beside something that it found out and that must be kept, such as that a time
 * was over: the transaction is committed, then the caller is told.
 */
export class Refusal {
  readonly problem: Problem

  constructor(problem: Problem) {
    this.problem = problem
  }
}

/** An answer that is more than a JSON body: redirects, cookies, files, pages. */
export class Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly Cookie[]
  /** Media type of a body of text or bytes; absent for JSON, which goes through the declared schema. */
  readonly contentType: string | undefined

  constructor(
    status: number,
    parts: {
      body?: unknown
      headers?: Readonly<Record<string, string>>
      cookies?: readonly Cookie[]
      contentType?: string
    } = {},
  ) {
    this.status = status
    this.body = parts.body
    this.headers = parts.headers ?? {}
    this.cookies = parts.cookies ?? []
    this.contentType = parts.contentType
  }
}

export interface Cookie {
  readonly name: string
  /** null removes the cookie. */
  readonly value: string | null
  readonly maxAgeSeconds: number
  readonly path: string
}

interface Spec<P extends string, A extends Access, Q, H, R extends Replies> {
  /** Stable `slice.verb`: logs, metrics, documentation and permissions use it. */
  readonly name: string
  /** Relative to `/api`. */
  readonly path: P
  /** The path stands at the root of the address instead, as well-known documents do. */
  readonly root?: true
  /** The path stands at the root too, where some clients know it. */
  readonly alsoAtRoot?: true
  readonly scope: A
  readonly allow: PolicyOf<P>
  readonly summary: string
  readonly description?: string
  readonly deprecated?: { readonly since: Date }
  readonly query?: Q
  /**
   * What the operation reads itself from `request.parameters`, as it came, with its own rules of what is a fault: the
   * query of a GET, the form of any other method. Only described here.
   */
  readonly parameters?: TObject
  /** Request headers that are part of the contract, in lower case. */
  readonly headers?: H
  /** Every status that `run` answers itself, with the schema of its body; for text bodies, `contentType` names the media type. */
  readonly reply: R
  readonly contentType?: string
  /** Every domain problem that this operation may answer, with its status here. The kernel adds its own. */
  readonly problems?: Readonly<Record<string, number>>
  /** What a refusal carries beside its message, by status, where it carries more. */
  readonly refusals?: Readonly<Record<number, TSchema>>
  /** D4: a role that does not suffice is 401 on some rows. */
  readonly forbidden?: 401
  /** D5: an unknown record is 400 on some rows. */
  readonly unknown?: 400
  /** D3: a missing token is 400 on some rows. */
  readonly missingToken?: 400
  /** D3: on some rows only where the address says `@me`. */
  readonly missingTokenOfMe?: 400
  /** D2: public for everybody but `@me`, which needs `scope`. */
  readonly publicUnlessMe?: true
  /** Its errors are RFC 6749 JSON, or a page for people; otherwise the caller's `Accept` chooses. (D10) */
  readonly errors?: 'oauth' | 'page'
  /** Budget that a call counts against; reads and writes by kind unless given. (D13) */
  readonly budget?: 'sign-in' | 'upload' | 'ticket' | 'game'
  /**
   * For other servers, which prove who they are in a way of their own, as the operation finds out: no token is read, and a call
   * counts against no budget but by `countGuess`.
   */
  readonly ownCredentials?: true
  /** Whoever has a view token of the overlay that is read may read it; anywhere else such a token counts as none. (OV16) */
  readonly takesViewToken?: true
}

export type Replies = Readonly<Record<number, TSchema>>
type ReplyOf<R extends Replies> = Static<R[keyof R & number]>
type Output<R extends Replies> = Promise<ReplyOf<R> | Answer> | ReplyOf<R> | Answer

export interface QuerySpec<P extends string, A extends Access, Q, H, R extends Replies, Prepared>
  extends Spec<P, A, Q, H, R> {
  readonly method: 'GET'
  /** Seconds that a shared cache may keep an anonymous answer without asking. (D11) */
  readonly maxAge?: number
  /**
   * Who gets the same answer: it is kept in memory for all of them, until an event touches what it depends on. Without an
   * audience, or where `run` says of an answer that it depends on nothing, it is made anew for each caller.
   */
  readonly audience?: Audience
  /**
   * Answers to strangers are compressed though the record has no `audience`. Where it has one, they are, and answers to whoever is
   * told the same.
   */
  readonly compressed?: true
  /** Records beside those that the address names, by which the audience tells callers with a token apart. */
  readonly beside?: (context: {
    readonly db: Effect<'db'>
    readonly records: RecordsOf<P>
  }) => Promise<Readonly<Record<string, unknown>>>
  /** The read can be followed: it is a topic of the real-time service. (RT1) */
  readonly live?: Live
  /** Network before the reading; its result reaches `run` as `prepared`. */
  readonly prepare?: (input: PrepareInput<P, A, Q, H, undefined>) => Promise<Prepared>
  readonly run: (input: QueryInput<P, A, Q, H, Prepared>) => Output<R>
}

/** A read as a topic of the real-time service. */
export interface Live {
  /** Members of the query by which the topic may be narrowed. Pages are not among them: a topic is the first page. */
  readonly query?: readonly string[]
  /**
   * Types of events that whoever follows may be told of, beside the staff of the tournament, who are told of whatever touches
   * it. Nobody is told of members that are not for them. (RT10)
   */
  readonly tells?: readonly EventType[]
  /** Of what is in no tournament: which of these events are told, now and to whoever comes back later. (RT11) */
  readonly concerns?: (asked: LiveAsked) => Concern | Promise<Concern>
  /** A list that leaves out what some may not know of: who follows it is told of what they are shown alone. */
  readonly isSelective?: true
  /** Name of the parameter whose record the topic is about, where its address goes on behind it. */
  readonly about?: string
  /** Milliseconds between two changes that are told, where that is more than usual. */
  readonly paceMs?: number
  /** What has changed is told as the whole body: for readers who know nothing of patches. */
  readonly toldWhole?: true
  /**
   * It tells of results: viewers of a stream that is behind may ask for it as it stood when the stream was there, by the member
   * `delayed` of the query. The tables that it is read from are named in `keep_earlier`. (RT40)
   */
  readonly canBeDelayed?: true
  /** GUID of the match that it is about alone, if it is about one: that is as late as the channel that shows it. (RT40) */
  readonly matchOf?: (records: Readonly<Record<string, unknown>>) => string | null
}

/** Who follows something that is in no tournament, and what it is. */
export interface LiveAsked {
  readonly actor: Actor
  readonly records: Readonly<Record<string, unknown>>
  /** Of the topic: its members are known to be good. */
  readonly query: Readonly<Record<string, string>>
  readonly db: Effect<'db'>
}

/** Which events concern the followers of something that is in no tournament. */
export interface Concern {
  /**
   * What all of them have in common, by which they are found in the log: a tag that they touch, which the read depends on, or the
   * platform that they name as `platformGuid` in their `after`. An index has them (`src/infra/events/tables.ts`).
   */
  readonly by: { readonly tag: string } | { readonly platform: string }
  /**
   * Which of these are told; all unless given. It is judged by the event alone, so that whoever was away is told what they were
   * told who stayed, and nothing of what was hidden when it happened.
   */
  readonly isTold?: (event: AnyEvent & { readonly at: Date }) => boolean
}

/** The member of the query by which a read is asked for as the stream shows it. */
const delayedMember = Type.Optional(
  Type.Boolean({
    description:
      'As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are.',
  }),
)

/** As what a body of text is sent. (D84) */
export const textTypes = ['text/csv', 'text/plain'] as const

export interface CommandSpec<P extends string, A extends Access, Q, H, B, R extends Replies, Prepared>
  extends Spec<P, A, Q, H, R> {
  readonly method: Method
  readonly body?: B
  /** It is for match day, and is carried out over sockets, too. (RT24) */
  readonly socket?: true
  /** Its answer has a secret that is kept by its digest alone: sent again with its key, it says that it was carried out. */
  readonly tellsSecret?: true
  /** A body that may be left out altogether. */
  readonly bodyOptional?: true
  /** D43: a member that the body's schema does not name is 400 instead of being ignored. */
  readonly strict?: true
  /**
   * `form`: `application/x-www-form-urlencoded` instead of JSON. `multipart`: JSON, or `multipart/form-data` with the members
   * of the body as fields and a part `file`; both of more bytes than other bodies may have. `upload`: `multipart/form-data` alone,
   * whose file goes to disk as it comes; the members of the body, none of which may be required, may stand in the query too. `raw`:
   * bytes of whatever type, which the operation reads itself. `text`: the same of text, such as a table. `file`: JSON of more bytes than there is memory for, which goes to
   * disk as it comes, and which the operation reads itself from `request.upload`.
   */
  readonly bodyType?: 'form' | 'multipart' | 'upload' | 'raw' | 'text' | 'file'
  /** Bytes that a `raw` body, one of text, or one of JSON, may have, where that is more than usual; those that a `file` may have. */
  readonly mostBytes?: number
  /** What a `file` or a `text` holds. Only described: the operation checks it. */
  readonly holds?: TSchema
  /**
   * A body of JSON of which nothing is changed, and whose form and size the operation judges itself: texts of other bodies are trimmed,
   * and they hold fewer values.
   */
  readonly verbatim?: true
  /**
   * Whether an upload may go on: asked before a byte of the body is read, with those members that the query gives, and again
   * whenever a part brings one. Null for as long as that cannot be told; a file is taken meanwhile, up to the largest of all.
   */
  readonly admitUpload?: (input: UploadInput<P, A, B>) => Promise<UploadTerms | null>
  /** Network before the transaction; its result reaches `run` as `prepared`. */
  readonly prepare?: (input: PrepareInput<P, A, Q, H, B>) => Promise<Prepared>
  readonly run: (input: CommandInput<P, A, Q, H, B, Prepared>) => Output<R> | Promise<ReplyOf<R> | Answer | Refusal>
}

type Erased<S> = Omit<S, 'run' | 'prepare' | 'allow' | 'beside' | 'admitUpload'> & {
  // The input's type is known where the record is written and lost in the list of all records.
  readonly run: (input: never) => unknown
  readonly prepare?: (input: never) => Promise<unknown>
  readonly admitUpload?: (input: never) => Promise<UploadTerms | null>
  readonly beside?: (context: never) => Promise<Readonly<Record<string, unknown>>>
  readonly allow: Policy<never>
}

export type QueryOperation = { readonly kind: 'query' } & Erased<
  QuerySpec<string, Access, TObject | undefined, TObject | undefined, Replies, unknown>
>
export type CommandOperation = { readonly kind: 'command' } & Erased<
  CommandSpec<string, Access, TObject | undefined, TObject | undefined, TSchema | undefined, Replies, unknown>
>
export type Operation = QueryOperation | CommandOperation

/** A read: no transaction, no change. */
export function query<
  const P extends string,
  const A extends Access,
  R extends Replies,
  Q extends TObject | undefined = undefined,
  H extends TObject | undefined = undefined,
  Prepared = undefined,
>(spec: QuerySpec<P, A, Q, H, R, Prepared>): QueryOperation {
  const { live, query: members } = spec
  if (live?.canBeDelayed !== true) return { kind: 'query', ...spec } as QueryOperation
  const withDelayed = Type.Object({ ...members?.properties, delayed: delayedMember })
  return { kind: 'query', ...spec, query: withDelayed } as unknown as QueryOperation
}

/** A change: one transaction, opened by the kernel, holding the change and its event. */
export function command<
  const P extends string,
  const A extends Access,
  R extends Replies,
  B extends TSchema | undefined = undefined,
  Q extends TObject | undefined = undefined,
  H extends TObject | undefined = undefined,
  Prepared = undefined,
>(spec: CommandSpec<P, A, Q, H, B, R, Prepared>): CommandOperation {
  return { kind: 'command', ...spec } as CommandOperation
}

/** Whether an operation is carried out once for each key of its sender: every change by somebody who is known. (RT25; D57) */
export function takesKey({ kind, scope }: Operation): boolean {
  return kind === 'command' && isForPrograms(scope) && scope !== 'public'
}

/** The names of a path's parameters, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] as string)
}

export function successStatus(operation: Operation): number {
  return Number(Object.keys(operation.reply)[0])
}
