import { type Static, Type } from 'typebox'
import { Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { UserCard, userCard } from '../../../people/users/views/card.ts'
import type { Vote, VoteValue } from '../types.ts'

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
