import type { IncomingHttpHeaders } from 'node:http'
import { type Actor, anonymous } from '../../core/actor.ts'
import type { Operation } from '../../core/operation.ts'
import type { ReadBody } from './body.ts'
import type { Budget } from './limits.ts'

/** What an operation is asked for, through whichever door: as a request of HTTP, over a socket, or as a topic. */
export interface Asking {
  readonly params: unknown
  readonly query: unknown
  readonly headers: IncomingHttpHeaders
  /** Address of the caller. */
  readonly ip: string
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly url: string
  /** It is asked for as the state of a topic. */
  readonly isFollowed?: true
  readonly state: RequestState
}

/** What the life of a request has established so far. */
export interface RequestState {
  readonly operation: Operation | null
  readonly startedAt: number
  actor: Actor
  /** Whether the caller presented nothing that an answer could depend on: neither token nor cookie. */
  bare: boolean
  /** Whether the answer is what every stranger is told. */
  isPublic: boolean
  records: Record<string, unknown>
  /** What the audience looks at beside these. */
  beside: Readonly<Record<string, unknown>> | null
  /** GUID of the tournament in which the caller's rights count, if the address leads into one. */
  tournament: string | null
  /** Number of the newest event that was known when the caller was judged. */
  judgedAt: number
  /** Under which the answer may be remembered; null for one that may differ from caller to caller. */
  address: string | null
  /** The event number from which this request's reads start, for `Cache.keep`. */
  startingPoint: number
  /** Why the caller was not let through, where that is told once the body has come; null otherwise. */
  refused: unknown
  /** The body as it was read, or what was wrong with it; undefined until it is. */
  arrival: Promise<ReadBody> | undefined
  /** Gives back the memory that the body is counted with. */
  releaseBody: () => void
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** Of what is no operation: how many reads a request counts as; one unless given. */
    cost?: number
    /** Of what is no operation: what it counts against; reads unless given. */
    budget?: Budget
  }
}

export function newState(operation: Operation | null): RequestState {
  return {
    operation,
    startedAt: performance.now(),
    actor: anonymous,
    bare: true,
    isPublic: false,
    records: {},
    beside: null,
    address: null,
    tournament: null,
    judgedAt: 0,
    startingPoint: 0,
    refused: null,
    arrival: undefined,
    releaseBody: () => {},
  }
}
