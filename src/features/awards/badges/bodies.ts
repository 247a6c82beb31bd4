import { Type } from 'typebox'
import { exampleGuid, exampleUser, Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { badgeKinds, badgeLimits } from './types.ts'

const optional = Type.Optional

const name = Type.String({ minLength: 1, maxLength: badgeLimits.name, examples: ['Spring Cup: second place'] })
const description = Type.String({ maxLength: badgeLimits.description, description: 'Plain text.' })
const kind = oneOf(badgeKinds)
const mediaGuid = Type.String({ format: 'uuid', description: 'Own media of the kind `badge_image`; 8:3 is usual.' })
const tournament = optional(
  nullable(Type.String({ maxLength: 100 }), 'GUID or short id of the tournament that it is of.'),
)

const example = {
  name: 'Spring Cup: second place',
  description: 'Came second in the Spring Cup.',
  kind: 'placement',
}

export const NewBadgeBody = Type.Object(
  { name, description, kind, mediaGuid, tournament },
  { examples: [{ ...example, mediaGuid: exampleGuid }] },
)

export const BadgeBody = Type.Object(
  {
    name: optional(name),
    description: optional(description),
    kind: optional(kind),
    mediaGuid: optional(mediaGuid),
    tournament,
    retired: optional(
      Type.Boolean({ description: 'A retired badge stays with its holders, and is given to nobody else.' }),
    ),
  },
  { examples: [{ ...example, tournament: null, retired: false }] },
)

/** The maximum number of recipients in one call. (badges: Operations) */
const maxRecipients = 200

export const GrantsBody = Type.Object(
  {
    users: Type.Array(
      Type.Object({
        user: Type.String({ minLength: 1, maxLength: 100, description: 'Any identifier of a user.' }),
        label: optional(nullable(Type.String({ maxLength: badgeLimits.label }), 'What is written beside it.')),
        place: optional(nullable(Type.Integer({ minimum: 1, maximum: badgeLimits.place }))),
      }),
      { minItems: 1, maxItems: maxRecipients },
    ),
    awardedAt: optional(nullable(Instant, 'When they earned it; unset: now.')),
  },
  {
    examples: [{ users: [{ user: exampleUser, label: '2nd place', place: 2 }], awardedAt: '2026-05-03T20:00:00.000Z' }],
  },
)

export const RevokeBody = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: badgeLimits.reason, description: 'The user is told.' }) },
  { examples: [{ reason: 'It was meant for another player of this name.' }] },
)

/** A limit of the body; more than any user orders. */
const maxOrdered = 1_000

export const ShownAsBody = Type.Object(
  {
    order: optional(
      Type.Array(Guid, {
        maxItems: maxOrdered,
        description: 'Grants that stand first, in this order; all others stand behind them, the newest first.',
      }),
    ),
    hidden: optional(
      Type.Array(Guid, {
        maxItems: maxOrdered,
        description: 'All grants that others do not see; every other one is shown.',
      }),
    ),
  },
  { examples: [{ order: [], hidden: [] }] },
)

const DryRun = Type.Boolean({ description: 'Only tell what would happen.' })

/** An import from ranking platform A. (B7) */
export const RankingImportBody = Type.Object(
  {
    users: optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 500,
        description: 'Any identifiers; unless given, everybody with a verified link to ranking platform A, by a job.',
      }),
    ),
    dryRun: optional(DryRun),
  },
  { examples: [{ users: [exampleUser], dryRun: true }] },
)

/** The options of an import by CSV. (B8) */
export const RowsQuery = Type.Object({
  dryRun: optional(DryRun),
  partial: optional(Type.Boolean({ description: 'Take the rows that can be used, and tell which cannot.' })),
})
