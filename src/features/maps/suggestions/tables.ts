import { sql } from 'drizzle-orm'
import { type AnyPgColumn, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { maps } from '../catalogue/tables.ts'
import { flairs, poolMaps, pools } from '../pools/tables.ts'
import type { SuggestionStatus, VoteValue } from './types.ts'

export const suggestions = pgTable(
  'suggestions',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    mapGuid: uuid()
      .notNull()
      .references(() => maps.guid),
    targetPoolGuid: uuid().references(() => pools.guid, { onDelete: 'set null' }),
    targetFlairGuid: uuid().references(() => flairs.guid, { onDelete: 'set null' }),
    note: text(),
    suggestedByGuid: uuid()
      .notNull()
      .references(() => users.guid),
    status: text().$type<SuggestionStatus>().notNull().default('open'),
    reason: text(),
    decidedByGuid: uuid().references(() => users.guid),
    decidedAt: instant(),
    /** Kept when the map is removed from the pool again. */
    poolMapGuid: uuid(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('suggestions_newest').on(table.tournamentGuid, table.createdAt, table.guid),
    index('suggestions_by_status').on(table.tournamentGuid, table.status, table.createdAt, table.guid),
    index('suggestions_by_user').on(table.suggestedByGuid, table.createdAt, table.guid),
    index('suggestions_decided_by').on(table.decidedByGuid),
    index('suggestions_open_map').on(table.tournamentGuid, table.mapGuid).where(sql`${table.status} = 'open'`),
    index('suggestions_of_map').on(table.mapGuid),
    index('suggestions_target_pool').on(table.targetPoolGuid),
    index('suggestions_target_flair').on(table.targetFlairGuid),
    check('suggestions_status_known', sql`${table.status} in ('open', 'accepted', 'rejected', 'withdrawn')`),
  ],
)

type Target = { readonly suggestionGuid: AnyPgColumn; readonly poolMapGuid: AnyPgColumn }

/** The target is either a suggestion or a map of a pool. */
function hasOneTarget({ suggestionGuid, poolMapGuid }: Target) {
  return sql`num_nonnulls(${suggestionGuid}, ${poolMapGuid}) = 1`
}

export const mapVotes = pgTable(
  'map_votes',
  {
    guid: guid(),
    suggestionGuid: uuid().references(() => suggestions.guid, { onDelete: 'cascade' }),
    poolMapGuid: uuid().references(() => poolMaps.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    value: integer().$type<VoteValue>().notNull(),
    votedAt: instant().notNull(),
    /** Number of times the vote was changed. */
    changes: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('map_votes_once_on_suggestion').on(table.suggestionGuid, table.userGuid),
    uniqueIndex('map_votes_once_on_map').on(table.poolMapGuid, table.userGuid),
    index('map_votes_by_user').on(table.userGuid, table.votedAt),
    check('map_votes_target', hasOneTarget(table)),
    check('map_votes_value', sql`${table.value} between -1 and 1`),
  ],
)

export const poolComments = pgTable(
  'pool_comments',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    suggestionGuid: uuid().references(() => suggestions.guid, { onDelete: 'cascade' }),
    poolMapGuid: uuid().references(() => poolMaps.guid, { onDelete: 'cascade' }),
    authorGuid: uuid()
      .notNull()
      .references(() => users.guid),
    /** null if the comment was deleted. */
    text: text(),
    replyToGuid: uuid().references((): AnyPgColumn => poolComments.guid),
    createdAt: createdAt(),
    editedAt: instant(),
    deletedAt: instant(),
  },
  (table) => [
    index('pool_comments_on_suggestion').on(table.suggestionGuid, table.createdAt, table.guid),
    index('pool_comments_on_map').on(table.poolMapGuid, table.createdAt, table.guid),
    index('pool_comments_by_author').on(table.authorGuid, table.createdAt, table.guid),
    index('pool_comments_of_tournament').on(table.tournamentGuid),
    index('pool_comments_replies').on(table.replyToGuid).where(sql`${table.replyToGuid} is not null`),
    check('pool_comments_target', hasOneTarget(table)),
    check('pool_comments_deleted', sql`(${table.text} is null) = (${table.deletedAt} is not null)`),
  ],
)
