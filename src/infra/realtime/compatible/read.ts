import type { QueryOperation } from '../../../core/operation.ts'
import { isLive, type LiveOperation } from '../durable/topics.ts'

/** An event, and the name of the member that holds the body. */
export interface Push {
  readonly event: string
  readonly member: string
}

export interface CompatibleSpec<Body> {
  /** Always sent whole, because these clients do not know patches. */
  readonly operation: QueryOperation
  /** The event that requests it. The answer's event has the same name with the suffix `:response`. */
  readonly event: string
  /** The members of a request that give the address's parameters, by the name of the parameter. */
  readonly members: Readonly<Record<string, string>>
  /** The member of the answer that holds the body; null where the record does not exist. */
  readonly answer: string
  /** The events to send after a change, in this order: each with the whole current body. */
  readonly changes: (before: Body, after: Body) => readonly Push[]
}

/** A read for clients of the compatible protocol. Slices declare them; no other interface uses them. */
export type CompatibleRead = CompatibleSpec<never> & { readonly operation: LiveOperation }

export function compatibleRead<Body>(spec: CompatibleSpec<Body>): CompatibleRead {
  const { operation } = spec
  if (!isLive(operation) || operation.live.sentWhole !== true) throw new Error(`${operation.name} is not told whole`)
  return { ...(spec as CompatibleSpec<never>), operation }
}
