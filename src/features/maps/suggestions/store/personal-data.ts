import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { mapVotes, poolComments, suggestions } from '../tables.ts'

/**
 * What somebody suggested, voted and said for pools. Others decided by it and go on with it: it stays, and knows them by
 * their GUID alone. What they said they can delete themselves before.
 */
export const suggestionsPersonalData = {
  sections: { suggestions: listSuggestionsBy, mapVotes: listVotesBy, poolComments: listCommentsBy },
}

async function listSuggestionsBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: suggestions.guid,
      tournamentGuid: suggestions.tournamentGuid,
      mapGuid: suggestions.mapGuid,
      note: suggestions.note,
      status: suggestions.status,
      reason: suggestions.reason,
      createdAt: suggestions.createdAt,
    })
    .from(suggestions)
    .where(eq(suggestions.suggestedByGuid, userGuid))
    .orderBy(desc(suggestions.createdAt), desc(suggestions.guid))
    .limit(limit)
}

async function listVotesBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      suggestionGuid: mapVotes.suggestionGuid,
      poolMapGuid: mapVotes.poolMapGuid,
      value: mapVotes.value,
      votedAt: mapVotes.votedAt,
      changes: mapVotes.changes,
    })
    .from(mapVotes)
    .where(eq(mapVotes.userGuid, userGuid))
    .orderBy(desc(mapVotes.votedAt))
    .limit(limit)
}

async function listCommentsBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: poolComments.guid,
      tournamentGuid: poolComments.tournamentGuid,
      suggestionGuid: poolComments.suggestionGuid,
      poolMapGuid: poolComments.poolMapGuid,
      text: poolComments.text,
      createdAt: poolComments.createdAt,
      editedAt: poolComments.editedAt,
      deletedAt: poolComments.deletedAt,
    })
    .from(poolComments)
    .where(eq(poolComments.authorGuid, userGuid))
    .orderBy(desc(poolComments.createdAt), desc(poolComments.guid))
    .limit(limit)
}
