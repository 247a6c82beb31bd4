import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { mapVotes, poolComments, suggestions } from '../tables.ts'

/**
 * What somebody suggested, voted and said for pools. Others decided by it and go on with it: it stays, and knows them by
 * their GUID alone. What they said they can delete themselves before.
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
