import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { isOpen, roundOf } from '../rules/voting.ts'
import type { OwnVote } from '../store/votes.ts'
import type { Edition } from '../types.ts'

export const CastVoteView = Type.Object(
  { categoryGuid: Guid, nomineeGuid: Guid, castAt: Instant },
  { title: 'CastVote', description: 'A vote as it was taken.' },
)

export const OwnVotesView = Type.Object(
  {
    votes: Type.Array(
      Type.Object(
        {
          categoryGuid: Guid,
          nomineeGuid: nullable(Guid, 'Null once voting in the category is over.'),
          castAt: nullable(Instant, 'Null once voting in the category is over.'),
          isVoid: Type.Boolean({
            description: 'The nominee has declined since: the vote does not count; choose another.',
          }),
        },
        { title: 'OwnVote' },
      ),
    ),
  },
  { title: 'OwnVotes' },
)

/**
 * A user's own votes. The choice is shown only to its voter and only while it can be changed; afterwards only the
 * category is shown. In a runoff it is the choice of the runoff. (A5)
 * @param rolled GUIDs of the categories for which the user is on the roll
 */
export function ownVotesView(
  edition: Pick<Edition, 'status' | 'runoffCategories'>,
  votes: readonly OwnVote[],
  rolled: readonly string[],
): Static<typeof OwnVotesView> {
  const shown = votes.filter(({ categoryGuid, round }) => isOpen(edition, categoryGuid) && round === roundOf(edition))
  const open = shown.map(({ categoryGuid, nomineeGuid, castAt, declinedAt }) => ({
    categoryGuid,
    nomineeGuid,
    castAt: formatInstant(castAt),
    isVoid: declinedAt !== null,
  }))
  const closed = rolled.filter((category) => !isOpen(edition, category))
  return {
    votes: [
      ...open,
      ...closed.map((categoryGuid) => ({ categoryGuid, nomineeGuid: null, castAt: null, isVoid: false })),
    ],
  }
}
