import type { Config } from '../config.ts'
import type { Operation } from '../core/operation.ts'
import type { Constraints } from '../infra/db/constraints.ts'
import type { Database } from '../infra/db/database.ts'
import type { Follower } from '../infra/events/follow.ts'
import type { Resolver } from '../infra/http/admission.ts'
import type { Job } from '../infra/jobs/jobs.ts'
import type { Gauge } from '../infra/metrics.ts'
import type { Services } from '../services.ts'
import type { Holdings } from './accounts/holdings.ts'
import type { Includes } from './tournaments/includes.ts'

/** A slice as the composition root sees it. */
export interface Feature {
  readonly name: string
  /** The slices whose files it may import, beside its own; `tables.ts` of any slice may be read by any store. */
  readonly uses: readonly string[]
  readonly operations?: readonly Operation[]
  /** What `tournaments.read` can answer beside the record, from the slice that owns it. */
  readonly includes?: Includes
  /** Operations made of what the other slices include. */
  readonly including?: (includes: Includes) => readonly Operation[]
  /** What it keeps about users. */
  readonly holdings?: Holdings
  /** Operations made of what all slices keep about users. */
  readonly overHoldings?: (holdings: readonly Holdings[]) => readonly Operation[]
  /** Operations that only some configurations have, and that are no part of the API. */
  readonly extras?: (config: Config) => readonly Operation[]
  /** Path parameters whose records this slice owns. */
  readonly resolvers?: Readonly<Record<string, Resolver>>
  readonly constraints?: Constraints
  readonly jobs?: readonly Job[]
  /** What acts on events after their commit, each in the order of the log. */
  readonly followers?: readonly Follower[]
  readonly gauges?: readonly Gauge[]
  /** What must be there before the first request; runs at every start, on several processes at once. */
  readonly start?: (context: {
    readonly database: Database
    readonly services: Services
    readonly now: Date
  }) => Promise<void>
}
