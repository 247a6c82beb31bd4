import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import type { CatalogueMap } from '../catalogue/types.ts'
import { MapView, mapView } from '../catalogue/views.ts'
import type { UsedBefore } from '../pools/store/used-before.ts'
import { UsedBeforeView, usedBeforeView } from '../pools/views/map.ts'
import { maxNote, maxText } from './rules.ts'
import { type Comment, type Suggestion, suggestionStatuses, type Tally, type Vote, type VoteValue } from './types.ts'

/** (pools: Records, Comment) */
export const CommentView = Type.Object(
  {
    guid: Guid,
    author: nullable(UserCard, 'null once it was deleted.'),
    text: nullable(Type.String({ maxLength: maxText }), 'Plain, never markup; null once it was deleted.'),
    replyTo: nullable(Guid, 'The comment that began the thread.'),
    createdAt: Instant,
    editedAt: nullable(Instant),
    deleted: Type.Boolean(),
  },
  { title: 'Comment' },
)

export function commentView(comment: Comment, author: UserFacts | undefined): Static<typeof CommentView> {
  const { guid, text, replyToGuid, createdAt, editedAt, deletedAt } = comment
  const isDeleted = deletedAt !== null
  return {
    guid,
    author: isDeleted || author === undefined ? null : userCard(author),
    text: isDeleted ? null : text,
    replyTo: replyToGuid,
    createdAt: formatInstant(createdAt),
    editedAt: formatInstant(editedAt),
    deleted: isDeleted,
  }
}

export const VoteValueView = Type.Unsafe<VoteValue>({ type: 'integer', enum: [-1, 0, 1] })

const Count = Type.Integer({ examples: [3] })

export const TallyView = Type.Object({ up: Count, neutral: Count, down: Count }, { title: 'Tally' })

const NullableValue = Type.Unsafe<VoteValue | null>({ type: ['integer', 'null'], enum: [-1, 0, 1, null] })

/** Only heads see it. (pools: Who may do what) */
export const PlaysView = Type.Optional(
  Type.Boolean({ description: 'For heads: they hold a pooling role and play in a registered team.' }),
)

/** (pools: Records, Vote) */
export const VoteView = Type.Object(
  {
    user: UserCard,
    value: VoteValueView,
    votedAt: Instant,
    changes: Type.Integer({ description: 'How often it was changed.', examples: [0] }),
    plays: PlaysView,
  },
  { title: 'Vote' },
)

export const VotesView = Type.Object(
  {
    myVote: NullableValue,
    tally: nullable(TallyView, 'null until the viewer may see it.'),
    votes: Type.Optional(Type.Array(VoteView, { description: 'Latest first; absent until the viewer may see them.' })),
  },
  { title: 'Votes' },
)

export const voteMembers = { tally: nullable(TallyView, 'null until the viewer may see it.'), myVote: NullableValue }

/** @param plays GUIDs of the poolers who also play; null if the viewer may not see that */
export function voteView(
  { value, votedAt, changes }: Vote,
  user: UserFacts,
  plays: ReadonlySet<string> | null,
): Static<typeof VoteView> {
  return {
    user: userCard(user),
    value,
    changes,
    votedAt: formatInstant(votedAt),
    ...playsMember(user.guid, plays),
  }
}

export function playsMember(guid: string, plays: ReadonlySet<string> | null): { plays?: boolean } {
  return plays?.has(guid) === true ? { plays: true } : {}
}

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
