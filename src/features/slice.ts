import type { EventFacts } from '../core/events.ts'
import type { Operation } from '../core/operation.ts'
import type { Constraints } from '../infra/db/constraints.ts'
import type { Database, Tx } from '../infra/db/database.ts'
import type { PersonalData } from '../infra/db/personal-data.ts'
import type { Follower } from '../infra/events/follow.ts'
import type { Queue } from '../infra/health/types.ts'
import type { Parameters } from '../infra/http/admission.ts'
import type { Tags } from '../infra/http/openapi.ts'
import type { DueWork } from '../infra/jobs/due.ts'
import type { Job } from '../infra/jobs/jobs.ts'
import type { LeasedSet } from '../infra/jobs/lease-sets.ts'
import type { LeasedWork } from '../infra/jobs/leases.ts'
import type { MediaField } from '../infra/media/fields.ts'
import type { CompatibleRead } from '../infra/realtime/compatible/read.ts'
import type { DocumentKind } from '../infra/realtime/documents/kind.ts'
import type { EphemeralTopic } from '../infra/realtime/ephemeral/topic.ts'
import type { Resealed, SealChange } from '../infra/sealed-text.ts'
import type { Services } from '../services.ts'
import type { ProfileParts } from './people/users/rules/profile-parts.ts'
import type { User } from './people/users/types.ts'
import type { Unusable } from './tournaments/access/types.ts'
import type { Includes } from './tournaments/tournaments/rules/includes.ts'

/** A slice as the composition root sees it. */
export interface Slice {
  readonly name: string
  /** What its operations are about, by the first word of their names; for the description. */
  readonly tags?: Tags
  readonly operations?: readonly Operation[]
  /** What `tournaments.read` can answer beside the record, from the slice that owns it. */
  readonly includes?: Includes
  /** Operations made of what the other slices include. */
  readonly including?: (includes: Includes) => readonly Operation[]
  /** What a profile shows beside the user's record, from the slice that owns it. */
  readonly profile?: ProfileParts
  /** Operations made of what all slices show in a profile. */
  readonly overProfile?: (parts: ProfileParts) => readonly Operation[]
  /** Which of its operations cannot be used in a tournament, for want of what they need elsewhere. */
  readonly unusable?: Unusable
  /** Operations made of what no slice lets be used. */
  readonly overUnusable?: (all: readonly Unusable[]) => readonly Operation[]
  readonly personalData?: PersonalData<User>
  /** Where its records hold addresses of media. */
  readonly mediaFields?: readonly MediaField[]
  /** Operations made of where all slices hold addresses of media. */
  readonly overMediaFields?: (fields: readonly MediaField[]) => readonly Operation[]
  /** Operations made of what all slices keep about users, and of where all hold addresses of media. */
  readonly overPersonalData?: (
    personalData: readonly PersonalData<User>[],
    mediaFields: readonly MediaField[],
  ) => readonly Operation[]
  /** Path parameters whose records this slice owns, or which its operations read themselves. */
  readonly parameters?: Parameters
  readonly constraints?: Constraints
  /** Makes what its tables hold by the secret of the installation anew, when that secret is replaced. */
  readonly reseal?: (tx: Tx, change: SealChange, now: Date) => Promise<Resealed>
  /** What it emits, by name: its `EventTable`. */
  readonly events?: Readonly<Record<string, EventFacts>>
  /** Topics whose values are in no database. */
  readonly ephemeral?: readonly EphemeralTopic[]
  /** Topics that several people edit at once. */
  readonly documents?: readonly DocumentKind[]
  /** What clients of another protocol ask for, which nobody else is answered. */
  readonly compatible?: readonly CompatibleRead[]
  readonly jobs?: readonly Job[]
  /** What falls due at instants that rows name. */
  readonly due?: readonly DueWork[]
  /** What one process at a time does, for as long as it runs. */
  readonly leased?: readonly LeasedWork[]
  /** What one process at a time does for each of many things. */
  readonly leasedSets?: readonly LeasedSet[]
  /** What acts on events after their commit, each in the order of the log. */
  readonly followers?: readonly Follower[]
  /** What waits to be sent, for metrics and administrators. */
  readonly queues?: readonly Queue[]
  /** What must be there before the first request; runs at every start, on several processes at once. */
  readonly start?: (context: {
    readonly database: Database
    readonly services: Services
    readonly now: Date
  }) => Promise<void>
}
