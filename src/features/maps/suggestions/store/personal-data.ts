import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { mapVotes, poolComments, suggestions } from '../tables.ts'

/**
 * A user's suggestions, votes and comments for pools. They stay, because others decided by them, and name the user by
 * GUID. The user can delete their own comments before.
 */
export const suggestionsPersonalData = declarePersonalData({
  sections: {
    suggestions: rowsOf(suggestions, 'suggestedByGuid', {
      shows: ['guid', 'tournamentGuid', 'mapGuid', 'note', 'status', 'reason', 'createdAt'],
    }),
    mapVotes: rowsOf(mapVotes, 'userGuid', {
      shows: ['suggestionGuid', 'poolMapGuid', 'value', 'votedAt', 'changes'],
      order: ['votedAt'],
    }),
    poolComments: rowsOf(poolComments, 'authorGuid', {
      shows: [
        ...['guid', 'tournamentGuid', 'suggestionGuid', 'poolMapGuid', 'text', 'createdAt', 'editedAt', 'deletedAt'],
      ] as const,
    }),
  },
})
