import type { FastifyRequest } from 'fastify'
import { type Actor, anonymous } from '../../core/actor.ts'
import type { Operation } from '../../core/operation.ts'

/** What the life of a request has established so far. */
export interface RequestState {
  readonly operation: Operation | null
  readonly startedAt: number
  actor: Actor
  /** Whether the caller presented nothing that an answer could depend on: neither token nor cookie. */
  bare: boolean
  records: Record<string, unknown>
  /** The event number from which this request's reads start, for `Memory.keep`. */
  startingPoint: number
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** No rate limit holds: those who run the service may look as often as they like. */
    uncounted?: true
  }
}

export function newState(request: FastifyRequest): RequestState {
  return {
    operation: request.routeOptions.config.operation ?? null,
    startedAt: performance.now(),
    actor: anonymous,
    bare: true,
    records: {},
    startingPoint: 0,
  }
}
