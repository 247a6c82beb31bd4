import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { oneOf } from '../../../../core/schema.ts'
import { maxReason } from '../../../maps/pools/bodies.ts'
import { poolMaps, pools } from '../../../maps/pools/tables.ts'
import { maxNote, maxText } from '../../../maps/suggestions/rules.ts'
import { mapVotes, poolComments, suggestions } from '../../../maps/suggestions/tables.ts'
import { suggestionStatuses } from '../../../maps/suggestions/types.ts'
import { textUpTo } from './bounds.ts'
import { columnsOf, forStaff, kind, ofTournament, person, plain, typed } from './kind.ts'
import { byIdentity, mapOf } from './maps.ts'

export const suggestionsKind = kind(
  'suggestions',
  columnsOf(suggestions, {
    ...{
      guid: plain,
      tournamentGuid: ofTournament,
      mapGuid: byIdentity,
      targetPoolGuid: plain,
      targetFlairGuid: plain,
    },
    ...{ note: forStaff(textUpTo(maxNote)), suggestedByGuid: person },
    ...{ status: typed(oneOf(suggestionStatuses)), reason: forStaff(textUpTo(maxReason)), decidedByGuid: person },
    ...{ decidedAt: plain, poolMapGuid: plain, createdAt: plain, updatedAt: plain },
  }),
  mapOf(suggestions.mapGuid),
)

const Vote = Type.Integer({ minimum: -1, maximum: 1 })

export const votes = kind(
  'votes',
  columnsOf(mapVotes, {
    ...{ guid: plain, suggestionGuid: plain, poolMapGuid: plain, userGuid: person, value: typed(Vote), votedAt: plain },
    changes: plain,
  }),
  {
    of: (tournament) => sql`${mapVotes.suggestionGuid} in
        (select s.guid from ${suggestions} s where s.tournament_guid = ${tournament})
      or ${mapVotes.poolMapGuid} in
        (select m.guid from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid where p.tournament_guid = ${tournament})`,
  },
)

export const comments = kind(
  'comments',
  columnsOf(poolComments, {
    ...{ guid: plain, tournamentGuid: ofTournament, suggestionGuid: plain, poolMapGuid: plain, authorGuid: person },
    ...{ text: typed(textUpTo(maxText)), replyToGuid: plain, createdAt: plain, editedAt: plain, deletedAt: plain },
  }),
  { nameless: 'none', brings: { late: ['replyToGuid'] } },
)
