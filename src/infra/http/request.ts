import type { IncomingHttpHeaders } from 'node:http'
import { type Actor, anonymous } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import type { Operation } from '../../core/operation.ts'
import type { Lane } from '../held/held.ts'
import type { Credential } from './admission.ts'
import type { ReadBody } from './body.ts'
import type { Budget } from './limits.ts'
import type { Timing } from './timing.ts'

/** The input of an operation, independent of its transport: an HTTP request, a socket command, or a topic. */
export interface Asking {
  readonly params: unknown
  readonly query: unknown
  readonly headers: IncomingHttpHeaders
  /** IP address of the caller. */
  readonly ip: string
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly url: string
  /** Of a request over HTTP. */
  readonly method?: string
  /** Whether it is read as the state of a topic. */
  readonly isFollowed?: true
  readonly state: RequestState
}

/** What the processing of a request has established so far. */
export interface RequestState {
  readonly operation: Operation | null
  readonly startedAt: number
  /** null where requests are not timed, and for work that is no request of its own. */
  timing: Timing | null
  actor: Actor
  /** Whether the caller presented neither token nor cookie, so that the answer cannot depend on one. */
  bare: boolean
  /** Whether the answer is the same that every anonymous caller gets. */
  isPublic: boolean
  records: Record<string, unknown>
  /** Further records that the audience depends on. */
  beside: Readonly<Record<string, unknown>> | null
  /** GUID of the tournament in which the caller's rights count, if the address names one. */
  tournament: string | null
  /** Whether that tournament is a rehearsal. */
  isRehearsal: boolean
  /** The clock of that rehearsal, by which the operation runs; null for all other tournaments. */
  clock: Clock | null
  /** How the caller reads, where something is held from the caller; null for the present. */
  lane: Lane | null
  /** What the caller presented, for reads whose rights are judged by what is shown. */
  credential: Credential | null
  /** Number of the newest known event when the caller's rights were checked. */
  judgedAt: number
  /** The address under which the answer may be cached; null for an answer that may differ from caller to caller. */
  address: string | null
  /** The event number from which this request's reads start, for `Cache.keep`. */
  startingPoint: number
  /** Why the caller was refused, if the answer must wait for the body; null otherwise. */
  refused: unknown
  /** The parsed body, or the error of parsing it; undefined until it is parsed. */
  arrival: Promise<ReadBody> | undefined
  /** Frees the memory that the body is counted with. */
  releaseBody: () => void
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** For routes that are no operations: the number of calls that a request counts as; 1 by default. */
    cost?: number
    /** For routes that are no operations: the budget that a request counts against; `read` by default. */
    budget?: Budget
  }
}

export function newState(operation: Operation | null): RequestState {
  return {
    operation,
    startedAt: performance.now(),
    timing: null,
    actor: anonymous,
    bare: true,
    isPublic: false,
    records: {},
    beside: null,
    address: null,
    tournament: null,
    isRehearsal: false,
    clock: null,
    lane: null,
    credential: null,
    judgedAt: 0,
    startingPoint: 0,
    refused: null,
    arrival: undefined,
    releaseBody: () => {},
  }
}

/** What the judgement of a request has established, also one that refuses it. */
export function judgementOf({
  actor,
  bare,
  records,
  tournament,
  isRehearsal,
  clock,
  judgedAt,
  startingPoint,
}: RequestState): Partial<RequestState> {
  return { actor, bare, records, tournament, isRehearsal, clock, judgedAt, startingPoint }
}
