import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { ShownTarget } from '../store/targets.ts'
import type { Nomination } from '../types.ts'
import { targetMembers, targetView } from './nominee.ts'

export const NominationView = Type.Object(
  {
    guid: Guid,
    categoryGuid: Guid,
    ...targetMembers,
    label: nullable(Type.String({ examples: ['A song'] }), 'In words, where no record is nominated.'),
    link: nullable(Type.String({ examples: ['https://example.org/a-song'] })),
    reason: nullable(Type.String({ examples: ['Always there for newcomers.'] })),
    isOwn: Type.Boolean({ description: 'Whether it is the caller’s. Nobody is told whose the others are.' }),
    sameTarget: nullable(Type.Integer(), 'How many users nominate the same, for managers; null for others.'),
    nomineeGuid: nullable(Guid, 'What it was merged into, for managers; null for others.'),
    createdAt: Instant,
  },
  { title: 'Nomination' },
)
type NominationView = Static<typeof NominationView>

export interface NominationFacts {
  readonly viewer: string | null
  readonly targets: ReadonlyMap<string, ShownTarget>
  /** How many users nominate each target, by target key; null for readers who are not managers. */
  readonly counts: ReadonlyMap<string, number> | null
}

/** A nomination without its author. (awards: Records) */
export function nominationView(nomination: Nomination, { viewer, targets, counts }: NominationFacts): NominationView {
  const { guid, categoryGuid, label, link, reason, targetGuid, targetKey } = nomination
  return {
    guid,
    categoryGuid,
    label,
    link,
    reason,
    isOwn: nomination.userGuid === viewer,
    ...targetView(targets.get(targetGuid ?? '')),
    sameTarget: counts === null ? null : (counts.get(targetKey) ?? 0),
    nomineeGuid: counts === null ? null : nomination.nomineeGuid,
    createdAt: formatInstant(nomination.createdAt),
  }
}
