import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { UserCard, userCard } from '../../../people/users/views/card.ts'
import type { CatalogueMap } from '../../catalogue/types.ts'
import { MapView, mapView } from '../../catalogue/views.ts'
import type { UsedBefore } from '../../pools/store/used-before.ts'
import { UsedBeforeView, usedBeforeView } from '../../pools/views/map.ts'
import { maxNote } from '../rules/deciding.ts'
import { type Suggestion, suggestionStatuses, type Tally, type VoteValue } from '../types.ts'
import { PlaysView, playsMember, voteMembers } from './vote.ts'

/** (pools: Records, Suggestion) */
export const SuggestionView = Type.Object(
  {
    guid: Guid,
    map: MapView,
    note: nullable(Type.String({ maxLength: maxNote })),
    suggestedBy: UserCard,
    status: oneOf(suggestionStatuses),
    reason: nullable(Type.String(), 'Why it was decided as it was.'),
    decidedAt: nullable(Instant),
    createdAt: Instant,
    updatedAt: Instant,
    targetPool: nullable(Guid, 'For poolers, as all that follows.'),
    targetFlair: nullable(Guid),
    decidedBy: nullable(UserCard),
    poolMapGuid: nullable(Guid, 'The map of a pool that it became.'),
    ...voteMembers,
    comments: Type.Optional(Type.Integer({ description: 'How many there are.', examples: [2] })),
    usedBefore: Type.Optional(Type.Array(UsedBeforeView)),
    duplicateOf: Type.Optional(nullable(Guid, 'The oldest open suggestion of the same map.')),
    plays: PlaysView,
  },
  { title: 'Suggestion' },
)
export type SuggestionView = Static<typeof SuggestionView>

/** Data that poolers see in addition to the record. */
export interface Discussed {
  /** null if the viewer may not see it. */
  readonly tally: Tally | null
  readonly myVote: VoteValue | null
  readonly comments: number
  readonly usedBefore: readonly UsedBefore[]
  readonly duplicateOf: string | null
  readonly decidedBy: UserFacts | null
  /** GUIDs of the poolers who also play in the tournament; null if the viewer may not see that. */
  readonly plays: ReadonlySet<string> | null
}

/** @param discussed null for a viewer who is no pooler: they see only what they wrote and how it was decided */
export function suggestionView(
  record: Suggestion,
  map: CatalogueMap,
  suggestedBy: UserFacts,
  discussed: Discussed | null,
): SuggestionView {
  const { guid, note, status, reason } = record
  const own = {
    guid,
    map: mapView(map, { showsCheckedAt: discussed !== null }),
    note,
    suggestedBy: userCard(suggestedBy),
    status,
    reason,
    decidedAt: formatInstant(record.decidedAt),
    createdAt: formatInstant(record.createdAt),
    updatedAt: formatInstant(record.updatedAt),
  }
  if (discussed === null) return { ...own, ...nothing }
  const { tally, myVote, comments, usedBefore, duplicateOf, decidedBy, plays } = discussed
  return {
    ...own,
    targetPool: record.targetPoolGuid,
    targetFlair: record.targetFlairGuid,
    decidedBy: decidedBy === null ? null : userCard(decidedBy),
    poolMapGuid: record.poolMapGuid,
    tally: tally === null ? null : { ...tally },
    myVote,
    comments,
    duplicateOf,
    usedBefore: usedBefore.map(usedBeforeView),
    ...playsMember(suggestedBy.guid, plays),
  }
}

const nothing = {
  targetPool: null,
  targetFlair: null,
  decidedBy: null,
  poolMapGuid: null,
  tally: null,
  myVote: null,
} as const
