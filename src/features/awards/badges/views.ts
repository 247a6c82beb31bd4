import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import {
  type Badge,
  type BadgeImport,
  badgeKinds,
  type Grant,
  grantSources,
  type HeldBadge,
  importSkips,
  importStatuses,
  type RowGrant,
} from './types.ts'

const Tournament = nullable(
  Type.Object({
    guid: Guid,
    id: Type.String({ examples: ['spring-cup'] }),
    name: Type.String({ examples: ['Spring Cup'] }),
  }),
  'Null too where the caller may not know of it.',
)
type Tournament = Static<typeof Tournament>

const shown = {
  name: Type.String({ examples: ['Spring Cup: second place'] }),
  description: Type.String({ description: 'Plain text.', examples: ['Came second in the Spring Cup.'] }),
  kind: oneOf(badgeKinds),
  imageUrl: nullable(
    Type.String({ examples: ['https://downbeat.example/media/3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42/full.webp'] }),
    'Null while its picture was taken down and no other one given.',
  ),
}

/** A badge. (badges: Records) */
export const BadgeView = Type.Object(
  {
    guid: Guid,
    ...shown,
    tournament: Tournament,
    edition: nullable(
      Type.Object({ guid: Guid, id: Type.String({ examples: ['2026'] }) }),
      'Of the awards that it was given in.',
    ),
    holders: Type.Integer({ minimum: 0, description: 'How many users hold it.', examples: [16] }),
    retiredAt: nullable(Instant, 'From then on it can be granted no longer.'),
    createdBy: Type.Optional(
      nullable(UserCard, 'For those who manage badges; null where it was the service itself, or somebody who is gone.'),
    ),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Badge', description: 'What users hold for what they did.' },
)
export type BadgeView = Static<typeof BadgeView>

/** Records of other features that are shown with a badge. */
export interface BadgeContext {
  readonly tournament: Tournament
  readonly edition: BadgeView['edition']
  /** undefined if the reader does not manage badges. */
  readonly createdBy?: UserFacts | null
}

export function badgeView(badge: Badge, { tournament, edition, createdBy }: BadgeContext): BadgeView {
  return {
    guid: badge.guid,
    name: badge.name,
    description: badge.description,
    kind: badge.kind,
    imageUrl: badge.imageUrl || null,
    tournament,
    edition,
    holders: badge.holders,
    retiredAt: formatInstant(badge.retiredAt),
    ...(createdBy === undefined ? {} : { createdBy: createdBy && userCard(createdBy) }),
    createdAt: formatInstant(badge.createdAt),
    updatedAt: formatInstant(badge.updatedAt),
  }
}

const label = nullable(Type.String({ examples: ['2nd place'] }), 'What is written beside it.')
const place = nullable(Type.Integer({ minimum: 1, maximum: 999, examples: [2] }))
const hidden = Type.Optional(
  Type.Literal(true, { description: 'Its holder has hidden it: others do not see that they hold it.' }),
)

/** A badge as a user's profile shows it. (B2) */
export const HeldBadgeView = Type.Object(
  {
    guid: Type.String({ format: 'uuid', description: 'Of the grant: that this user holds this badge.' }),
    badgeGuid: Guid,
    ...shown,
    label,
    place,
    tournament: Tournament,
    awardedAt: Instant,
    hidden,
  },
  { title: 'HeldBadge', description: 'A badge that a user holds.' },
)
export type HeldBadgeView = Static<typeof HeldBadgeView>

export function heldBadgeView({ grant, badge }: HeldBadge, tournament: Tournament): HeldBadgeView {
  return {
    guid: grant.guid,
    badgeGuid: badge.guid,
    name: badge.name,
    description: badge.description,
    kind: badge.kind,
    imageUrl: badge.imageUrl || null,
    label: grant.label,
    place: grant.place,
    tournament,
    awardedAt: formatInstant(grant.awardedAt),
    ...(grant.hidden ? { hidden: true } : {}),
  }
}

const granted = { guid: Guid, user: UserCard, label, place, awardedAt: Instant, source: oneOf(grantSources), hidden }

export const HolderView = Type.Object(granted, {
  title: 'BadgeHolder',
  description: 'A user who holds a badge, with how they came by it.',
})

/** A grant, for managers of badges. (badges: Records) */
export const GrantView = Type.Object(
  {
    ...granted,
    badge: Type.Object({ guid: Guid, name: shown.name }),
    position: nullable(Type.Integer(), 'Among what its holder put first.'),
    revokedAt: nullable(Instant),
    revokeReason: nullable(Type.String({ examples: ['It was meant for another player of this name.'] })),
    createdAt: Instant,
  },
  { title: 'Grant', description: 'That a user holds a badge, or held it until it was revoked.' },
)

export function holderView(grant: Grant, user: UserFacts): Static<typeof HolderView> {
  return {
    guid: grant.guid,
    user: userCard(user),
    label: grant.label,
    place: grant.place,
    awardedAt: formatInstant(grant.awardedAt),
    source: grant.source,
    ...(grant.hidden ? { hidden: true } : {}),
  }
}

export function grantView(
  grant: Grant,
  user: UserFacts,
  { guid, name }: Pick<Badge, 'guid' | 'name'>,
): Static<typeof GrantView> {
  return {
    ...holderView(grant, user),
    badge: { guid, name },
    position: grant.position,
    revokedAt: formatInstant(grant.revokedAt),
    revokeReason: grant.revokeReason,
    createdAt: formatInstant(grant.createdAt),
  }
}

const GuidOrNone = nullable(Guid, 'null in a dry run, of what is not there yet.')

/** The result of an import from the ranking platform. (B7) */
export const ImportedView = Type.Object(
  {
    made: Type.Array(Type.Object({ guid: GuidOrNone, name: shown.name, description: shown.description }), {
      description: 'Badges that are new.',
    }),
    granted: Type.Array(Type.Object({ userGuid: Guid, badgeGuid: GuidOrNone, name: shown.name })),
    skipped: Type.Array(
      Type.Object({
        user: Type.String({ description: 'As they were named, or their GUID.' }),
        why: oneOf(importSkips, {
          description: '`nothing_new`: they have no badge there that they were not given before.',
        }),
      }),
    ),
    failed: Type.Array(Guid, {
      description:
        'Users of whom the platform told nothing, or a picture could not be had; nothing of theirs has changed.',
    }),
  },
  { title: 'ImportedBadges' },
)

export const BadgeImportView = Type.Object(
  {
    guid: Guid,
    status: oneOf(importStatuses),
    dryRun: Type.Boolean(),
    made: Type.Integer({ description: 'Badges that are new.', examples: [12] }),
    granted: Type.Integer({ examples: [340] }),
    skipped: Type.Integer({ description: 'Users whose badges stayed as they were.' }),
    failures: Type.Integer({ description: 'Users of whom the platform told nothing.' }),
    failed: Type.Array(Guid, { description: 'The first of these.' }),
    createdAt: Instant,
    finishedAt: nullable(Instant),
  },
  { title: 'BadgeImport', description: 'An import of the badges of everybody, and how far it has come.' },
)

export function badgeImportView(job: BadgeImport): Static<typeof BadgeImportView> {
  const { made, granted, skipped, failures, failed } = job.report
  return {
    guid: job.guid,
    status: job.status,
    dryRun: job.dryRun,
    made,
    granted,
    skipped,
    failures,
    failed: [...failed],
    createdAt: formatInstant(job.createdAt),
    finishedAt: formatInstant(job.finishedAt),
  }
}

const RowFaultView = Type.Object({
  row: Type.Integer({ minimum: 1, description: '1 is the first behind the header.', examples: [7] }),
  reason: Type.String({ examples: ['There is no such user.'] }),
})

/** The result of an import by CSV. (B8) */
export const ImportedRowsView = Type.Object(
  {
    granted: Type.Array(
      Type.Object({
        row: RowFaultView.properties.row,
        guid: GuidOrNone,
        badge: Type.Object({ guid: Guid, name: shown.name }),
        userGuid: Guid,
        label,
        place,
        awardedAt: Instant,
      }),
    ),
    alreadyHeld: Type.Array(Guid, { description: 'Users who hold the badge of one of their rows already.' }),
    errors: Type.Array(RowFaultView),
  },
  { title: 'ImportedGrants' },
)

export const RowsRefusal = Type.Object(
  { message: Type.String(), errors: Type.Optional(Type.Array(RowFaultView)) },
  { title: 'ImportRefusal' },
)

export function rowGrantView({ row, grant, badge, userGuid, label, place, awardedAt }: RowGrant) {
  return {
    row,
    guid: grant?.guid ?? null,
    badge: { guid: badge.guid, name: badge.name },
    userGuid,
    label,
    place,
    awardedAt: formatInstant(awardedAt),
  }
}
