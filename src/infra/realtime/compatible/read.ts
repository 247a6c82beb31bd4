import type { QueryOperation } from '../../../core/operation.ts'
import { isLive, type LiveOperation } from '../durable/topics.ts'

/** An event, with the name of its member that the body is. */
export interface Push {
  readonly event: string
  readonly member: string
}

export interface CompatibleSpec<Body> {
  /** Told whole, as clients know nothing of patches. */
  readonly operation: QueryOperation
  /** The event that asks for it. The answer is called the same, and `:response`. */
  readonly event: string
  /** The member of a request by which it names a parameter of the address, by the name of the parameter. */
  readonly members: Readonly<Record<string, string>>
  /** The member of the answer that the body is; null where there is no such thing. */
  readonly answer: string
  /** What is told of a change, in this order: each with the whole body as it is now. */
  readonly changes: (before: Body, after: Body) => readonly Push[]
}

/** A read as clients of another protocol ask for it, and are told of it. Slices declare them; no other door knows them. */
export type CompatibleRead = CompatibleSpec<never> & { readonly operation: LiveOperation }

export function compatibleRead<Body>(spec: CompatibleSpec<Body>): CompatibleRead {
  const { operation } = spec
  if (!isLive(operation) || operation.live.toldWhole !== true) throw new Error(`${operation.name} is not told whole`)
  return { ...(spec as CompatibleSpec<never>), operation }
}
