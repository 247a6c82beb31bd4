import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Actor, Audience, Policy, RecordPolicy, SignedIn } from './actor.ts'
import { delayedMember } from './delayed.ts'
import type { AnyEvent, EventType } from './events.ts'
import type { Problem } from './problem.ts'
import type { Scope } from './scopes.ts'
import type { SentUpload, UploadedFile, UploadTerms } from './uploads.ts'

/**
 * An operation is a record: what the API does, who may do it, its input and its answers. Routes, OpenAPI, the
 * permission matrix and contract tests are derived from the list of operations.
 */

/** Records that addresses name, by the name of the path parameter. Each slice declares its own records here. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging, so that core knows no slice.
export interface Resources {}

/** What handlers use (`db`, `tx`, `services`, `clients`). Declared by infra and the composition root. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging, so that core knows no infrastructure.
export interface Effects {}

type Effect<Name extends string> = Name extends keyof Effects ? Effects[Name] : never

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `public`: no token needed (D2). `session`: the website's cookie, only from the website's own pages (D41). `browser`:
 * a page that browsers open from anywhere, with that cookie if there is one. Others: a bearer token with that scope.
 */
export type Access = Scope | 'public' | 'session' | 'browser'

/** Whether operations of an access are for programs with tokens, and not for browsers with cookies. */
export function isForPrograms(access: Access): access is Scope | 'public' {
  return access !== 'session' && access !== 'browser'
}

type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The path of a tournament, with which all paths inside it begin. */
export const tournamentPath = '/tournaments/:tournament'

/** The records that a path names; a parameter that no slice resolves stays a string. */
export type RecordsOf<Path extends string> = {
  readonly [Name in ParameterOf<Path>]: Name extends keyof Resources ? Resources[Name] : string
}

/** A rule that looks at a record inside a tournament must also say which callers it could ever let through. */
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
  /**
   * Whether the address names its user as `@me`. Under any other name, users get the same answer about themselves as
   * everybody else.
   */
  readonly isMe: boolean
  readonly now: Date
  readonly services: Effect<'services'>
}

/** Declares what an answer depends on. */
export interface Depends {
  /** The records, by GUID or name: an event that touches one of them makes the answer stale. */
  (...tags: readonly string[]): void
  /** The answer changes then without an event. Followers get the change; it is cached only with `isCached`. */
  until(date: Date, options?: { readonly isCached: true }): void
}

export type QueryInput<P extends string, A extends Access, Q, H, Prepared> = Merge<
  RecordsOf<P>,
  Common<A, Q, H> & {
    readonly db: Effect<'db'>
    /** The present, also where `db` shows a held tournament late: only for the caller's own matches. (V1) */
    readonly present: Effect<'db'>
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
    /** The members of the body that are known so far; all that it needs once it is whole. */
    readonly body: Partial<StaticOr<B, undefined>>
    /** Whether the body is complete, and the file has come with it. */
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

/** Facts about the connection, for security records. */
export interface RequestFacts {
  readonly address: string
  readonly userAgent: string | null
  /** The sender's idempotency key, which identifies a repetition, for an operation that takes one. (RT25) */
  readonly key: string | null
  /** Whether it is read as the state of a topic, which reports changes, and not just once. */
  readonly isFollowed: boolean
  /** Whether the headers of the answer are asked for, and not its body. */
  readonly isHead: boolean
  /** The session cookie's value, for operations that end or read the session. */
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** The input of an operation with `parameters`; empty for all others. */
  readonly parameters: URLSearchParams
  /** The file sent with the body of a `multipart` operation; null for all others. */
  readonly file: UploadedFile | null
  /** The file sent to an operation whose `bodyType` is `upload`, `jsonOrUpload` or `file`; null where none came. */
  readonly upload: SentUpload | null
  /** The body of an operation whose `bodyType` is `raw` or `text`; empty for all others. */
  readonly bytes: Uint8Array
  /**
   * Counts a guess, such as a wrong secret, against the sign-in budget of an address: for operations that check their
   * own credentials.
   * @throws Problem `request.limited`
   */
  readonly countGuess: (address: string) => void
  /**
   * Counts a use against a budget that a record or a user has for some time.
   * @throws Problem `request.limited`
   */
  readonly countUse: (budget: 'assistant-test' | 'bridge' | 'award-nomination' | 'award-vote', of: string) => void
}

/**
 * The result of a command that refuses but must keep a finding, such as that a deadline had passed: the transaction is
 * committed, then the caller gets the refusal.
 */
export class Refusal {
  readonly problem: Problem

  constructor(problem: Problem) {
    this.problem = problem
  }
}

/** An answer other than a JSON body: redirects, cookies, files, pages. */
export class Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly Cookie[]
  /** Media type of a text or byte body; absent for JSON, which the declared schema serialises. */
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
  /** Stable `slice.verb`, used in logs, metrics, documentation and permissions. */
  readonly name: string
  /** Relative to `/api`. */
  readonly path: P
  /** The path is at the root of the address instead, as for well-known documents. */
  readonly root?: true
  /** The path is also at the root, where some clients expect it. */
  readonly alsoAtRoot?: true
  readonly scope: A
  readonly allow: PolicyOf<P>
  readonly summary: string
  readonly description?: string
  readonly deprecated?: { readonly since: Date }
  readonly query?: Q
  /**
   * Parameters that the operation parses and checks itself from `request.parameters`: the query of a GET, the form of
   * any other method. The schema only documents them.
   */
  readonly parameters?: TObject
  /** Request headers that belong to the contract, in lower case. */
  readonly headers?: H
  /** The statuses that `run` answers, with the schemas of bodies; of text bodies, `contentType` is the media type. */
  readonly reply: R
  readonly contentType?: string
  /** Every domain problem that this operation may answer, with its status. The kernel adds its own. */
  readonly problems?: Readonly<Record<string, number>>
  /** The data of refusals besides the message, by status. */
  readonly refusals?: Readonly<Record<number, TSchema>>
  /** D4: some rows answer 401 where the caller's role does not suffice. */
  readonly forbidden?: 401
  /** D5: some rows answer 400 for an unknown record. */
  readonly unknown?: 400
  /** D3: some rows answer 400 for a missing token. */
  readonly missingToken?: 400
  /** D3: some rows do so only for the address `@me`. */
  readonly missingTokenOfMe?: 400
  /** D2: public for everybody except `@me`, which needs `scope`. */
  readonly publicUnlessMe?: true
  /** Format of errors: RFC 6749 JSON, or a page for people. Without it, the caller's `Accept` decides. (D10) */
  readonly errors?: 'oauth' | 'page'
  /** The budget that a call counts against; by default the one for reads or for writes. (D13) */
  readonly budget?: 'sign-in' | 'upload' | 'ticket' | 'game'
  /**
   * For other servers, which authenticate in a way that the operation checks itself: no token is read, and a call
   * counts against no budget except by `countGuess`.
   */
  readonly ownCredentials?: true
  /** Whether it is possible in a rehearsal: by default a read without `prepare`, and no command. (R1, R3) */
  readonly inRehearsals?: boolean
  /** A view token of the overlay that is read grants the read; elsewhere a view token counts as no token. (OV16) */
  readonly takesViewToken?: true
}

export type Replies = Readonly<Record<number, TSchema>>
type ReplyOf<R extends Replies> = Static<R[keyof R & number]>
type Output<R extends Replies> = Promise<ReplyOf<R> | Answer> | ReplyOf<R> | Answer

export interface QuerySpec<P extends string, A extends Access, Q, H, R extends Replies, Prepared>
  extends Spec<P, A, Q, H, R> {
  readonly method: 'GET'
  /** Seconds that a shared cache may keep an anonymous answer without revalidation. (D11) */
  readonly maxAge?: number
  /**
   * The callers who get the same answer: it is cached for all of them until an event touches something that it depends
   * on. Without an audience, or where `run` declares no dependency, each caller gets a new answer.
   */
  readonly audience?: Audience
  /**
   * Compresses answers to anonymous callers even if the read has no `audience`. Reads with an audience compress these
   * answers, and those that callers share, anyway.
   */
  readonly compressed?: true
  /**
   * Further records, besides those that the address names, which the audience needs to classify callers with a token.
   */
  readonly beside?: (context: {
    readonly db: Effect<'db'>
    readonly records: RecordsOf<P>
  }) => Promise<Readonly<Record<string, unknown>>>
  /** The read can be followed: it is a topic of the real-time service. (RT1) */
  readonly live?: Live
  /** Network requests before the read; its result reaches `run` as `prepared`. */
  readonly prepare?: (input: PrepareInput<P, A, Q, H, undefined>) => Promise<Prepared>
  readonly run: (input: QueryInput<P, A, Q, H, Prepared>) => Output<R>
}

/** A read as a topic of the real-time service. */
export interface Live {
  /** Members of the query that may narrow the topic. Paging is not among them: a topic is the first page. */
  readonly query?: readonly string[]
  /**
   * Types of events that followers may receive. The tournament's staff receive every event that touches the topic.
   * Nobody receives members that are not for them. (RT10)
   */
  readonly sends?: readonly EventType[]
  /** For a topic outside tournaments: the events that its followers receive, now and after a reconnect. (RT11) */
  readonly concerns?: (asked: LiveAsked) => Concern | Promise<Concern>
  /**
   * A list that omits records which some callers may not know: followers receive only events about records that the
   * list shows them.
   */
  readonly isSelective?: true
  /** Name of the parameter whose record the topic is about, where the address continues after it. */
  readonly about?: string
  /** Minimum milliseconds between two changes that are sent, where that is more than the default. */
  readonly paceMs?: number
  /** A change is sent as the whole body: for clients that do not support patches. */
  readonly sentWhole?: true
  /**
   * The read shows results. Viewers of a delayed stream may request it as of the stream's time, with the member
   * `delayed` of the query. The tables that it reads are listed in `keep_earlier`. (RT40)
   */
  readonly canBeDelayed?: true
  /**
   * GUID of the only match that the read is about, or null: it is then as late as the channel that shows the match.
   * (RT40)
   */
  readonly matchOf?: (records: Readonly<Record<string, unknown>>) => string | null
}

/** The follower of a topic outside tournaments, and the topic. */
export interface LiveAsked {
  readonly actor: Actor
  readonly records: Readonly<Record<string, unknown>>
  /** The topic's query, with its members already checked. */
  readonly query: Readonly<Record<string, string>>
  readonly db: Effect<'db'>
}

/** The events that concern the followers of a topic outside tournaments. */
export interface Concern {
  /**
   * What these events have in common, by which the log is searched: a tag that they touch and the read depends on, or
   * the platform that they name as `platformGuid` in their `after`. Both are indexed (`src/infra/events/tables.ts`).
   */
  readonly by: { readonly tag: string } | { readonly platform: string }
  /**
   * Which of these events are sent; all by default. It depends on the event alone, so that a client that reconnects
   * receives the same events as one that stayed, and none that were hidden when they happened.
   */
  readonly isSent?: (event: AnyEvent & { readonly at: Date }) => boolean
}

/** The media types of a `text` body. (D84) */
export const textTypes = ['text/csv', 'text/plain'] as const

export interface CommandSpec<P extends string, A extends Access, Q, H, B, R extends Replies, Prepared>
  extends Spec<P, A, Q, H, R> {
  readonly method: Method
  readonly body?: B
  /** For match day: the command can also be sent over sockets. (RT24) */
  readonly socket?: true
  /**
   * The answer contains a secret of which only the digest is stored: a repetition with the same key answers only that
   * the command was carried out.
   */
  readonly returnsSecret?: true
  /** The body may be left out altogether. */
  readonly bodyOptional?: true
  /** D43: a member that the body's schema does not name is answered with 400 instead of being ignored. */
  readonly strict?: true
  /**
   * `form`: `application/x-www-form-urlencoded` instead of JSON. `multipart`: JSON, or `multipart/form-data` with the
   * members of the body as fields and a part `file`; both with a higher limit than other bodies. `upload`: only
   * `multipart/form-data`, whose file is written to disk as it arrives; the members of the body, which must all be
   * optional, may also be in the query. `jsonOrUpload`: JSON, or such a form with the members and a `file`. `raw`:
   * bytes of any type, which the operation reads itself. `text`: the same for text, such as a table. `file`: JSON that
   * is too large for memory, written to disk as it arrives, which the operation reads itself from `request.upload`.
   */
  readonly bodyType?: 'form' | 'multipart' | 'upload' | 'jsonOrUpload' | 'raw' | 'text' | 'file'
  /** Maximum bytes of a `raw`, `text` or JSON body, where that is more than the default; maximum bytes of a `file`. */
  readonly maxBytes?: number
  /** The content of a `file` or `text`. It is only documented: the operation checks it itself. */
  readonly holds?: TSchema
  /**
   * A JSON body that is not changed, and whose form and size the operation checks itself. In other bodies, strings are
   * trimmed, and fewer values are allowed.
   */
  readonly verbatim?: true
  /**
   * Decides whether an upload may continue: called before a byte of the body is read, with the members in the query,
   * and again whenever a part brings a member. Null while it cannot be decided; meanwhile the file is accepted up to
   * the largest limit of all.
   */
  readonly admitUpload?: (input: UploadInput<P, A, B>) => Promise<UploadTerms | null>
  /** Network requests before the transaction; its result reaches `run` as `prepared`. */
  readonly prepare?: (input: PrepareInput<P, A, Q, H, B>) => Promise<Prepared>
  readonly run: (input: CommandInput<P, A, Q, H, B, Prepared>) => Output<R> | Promise<ReplyOf<R> | Answer | Refusal>
}

type Erased<S> = Omit<S, 'run' | 'prepare' | 'allow' | 'beside' | 'admitUpload'> & {
  // The input's type is known where the operation is declared, and lost in the list of all operations.
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

/** A change: one transaction, opened by the kernel, that contains the change and its event. */
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

/**
 * Whether an operation is carried out once for each key of its sender: every change by an authenticated caller. (RT25;
 * D57)
 */
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
