import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Completion, QualifierMethod, QualifierSettings } from '../../../engine/qualifier-types.ts'
import type { ModifierRule } from '../../../engine/score-limits.ts'
import { addressKey, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { teams } from '../../teams/teams/tables.ts'
import { isDated, spanOf, startOf, tournaments } from '../../tournaments/tournaments/tables.ts'
import type { TieRuling } from '../brackets/types.ts'
import type { AttemptSource, QualifierStatus } from './types.ts'

export const qualifiers = pgTable(
  'qualifiers',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .unique('qualifiers_one')
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    /** The status as last set; reading applies the dates to it. */
    status: text().$type<QualifierStatus>().notNull(),
    openedAt: instant(),
    opensAt: instant(),
    closesAt: instant(),
    attempts: integer().notNull(),
    hideScores: boolean().notNull(),
    method: text().$type<QualifierMethod>().notNull(),
    modifiers: text().$type<ModifierRule>().notNull().default('any'),
    settings: jsonb().$type<QualifierSettings>().notNull(),
    cutoff: integer(),
    /** Secret setting: never returned. */
    syncUrl: text(),
    seededTeamGuids: uuid().array().notNull().default(sql`'{}'`),
    ruling: jsonb().$type<TieRuling>(),
    boardChangedAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('qualifiers_span').using('gist', openSpanOf(table)).where(hasOpenDates(table)),
    index('qualifiers_calendar').on(openFrom(table), table.guid).where(hasOpenDates(table)),
    check('qualifiers_status_known', sql`${table.status} in ('draft', 'open', 'closed', 'final')`),
    check('qualifiers_attempts', sql`${table.attempts} >= 0`),
    check('qualifiers_modifiers_known', sql`${table.modifiers} in ('any', 'none')`),
  ],
)

type OpenDates = { readonly opensAt: AnyPgColumn; readonly closesAt: AnyPgColumn }

/** The open time of a qualifier by its dates, as the range that `spanOf` makes of a tournament's dates. */
export function openSpanOf({ opensAt, closesAt }: OpenDates): SQL {
  return spanOf({ startsAt: opensAt, endsAt: closesAt })
}

export function openFrom({ opensAt, closesAt }: OpenDates): SQL {
  return startOf({ startsAt: opensAt, endsAt: closesAt })
}

export function hasOpenDates({ opensAt, closesAt }: OpenDates): SQL {
  return isDated({ startsAt: opensAt, endsAt: closesAt })
}

export const qualifierMaps = pgTable(
  'qualifier_maps',
  {
    guid: guid(),
    qualifierGuid: uuid()
      .notNull()
      .references(() => qualifiers.guid, { onDelete: 'cascade' }),
    hash: text().notNull(),
    difficulty: text().notNull(),
    characteristic: text().notNull(),
    name: text(),
    artist: text(),
    mapper: text(),
    imageUrl: text(),
    maxScore: integer(),
    weight: doublePrecision().notNull(),
    order: integer().notNull(),
    /**
     * GUID of the pool map that this map was taken from; stays after that map is deleted; null for a map that was added
     * by hand.
     */
    poolMapGuid: uuid(),
  },
  (table) => [
    index('qualifier_maps_order').on(table.qualifierGuid, table.order, table.guid),
    index('qualifier_maps_hash').on(table.hash),
    index('qualifier_maps_image').on(addressKey(table.imageUrl)).where(sql`${table.imageUrl} is not null`),
    index('qualifier_maps_pool_map').on(table.poolMapGuid).where(sql`${table.poolMapGuid} is not null`),
    check('qualifier_maps_weight', sql`${table.weight} > 0`),
    check('qualifier_maps_max_score', sql`${table.maxScore} >= 1`),
  ],
)

/** The ledger: rows are inserted and made void, never changed otherwise. (additions: Qualifiers) */
export const qualifierAttempts = pgTable(
  'qualifier_attempts',
  {
    guid: guid(),
    qualifierGuid: uuid()
      .notNull()
      .references(() => qualifiers.guid, { onDelete: 'cascade' }),
    mapGuid: uuid()
      .notNull()
      .references(() => qualifierMaps.guid),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    /** The user's team at that time. */
    teamGuid: uuid().references(() => teams.guid, { onDelete: 'set null' }),
    score: integer().notNull(),
    /** The reported accuracy; if null, it is computed from the map's maximum score. */
    accuracy: doublePrecision(),
    misses: integer(),
    badCuts: integer(),
    maxCombo: integer(),
    fullCombo: boolean(),
    completion: text().$type<Completion>().notNull(),
    source: text().$type<AttemptSource>().notNull(),
    externalId: text(),
    playedAt: instant().notNull(),
    recordedByGuid: uuid()
      .notNull()
      .references(() => users.guid),
    createdAt: createdAt(),
    voidedAt: instant(),
    voidReason: text(),
    voidedByGuid: uuid().references(() => users.guid),
  },
  (table) => [
    // An attempt and the placeholder that announced it have the same id. (additions: Details, 10)
    uniqueIndex('qualifier_attempts_external_id')
      .on(table.qualifierGuid, table.source, table.externalId, isPlaceholder(table))
      .where(sql`${table.externalId} is not null`),
    index('qualifier_attempts_standing')
      .on(table.qualifierGuid, table.userGuid, table.mapGuid, table.completion, table.score)
      .where(sql`${table.voidedAt} is null`),
    index('qualifier_attempts_newest').on(table.qualifierGuid, table.createdAt, table.guid),
    index('qualifier_attempts_newest_of_map').on(table.mapGuid, table.createdAt, table.guid),
    index('qualifier_attempts_newest_of_user').on(table.userGuid, table.createdAt, table.guid),
    index('qualifier_attempts_of_team').on(table.teamGuid),
    check('qualifier_attempts_score', sql`${table.score} >= 0`),
    check('qualifier_attempts_accuracy', sql`${table.accuracy} between 0 and 2`),
    check(
      'qualifier_attempts_completion_known',
      sql`${table.completion} in ('passed', 'failed', 'quit', 'placeholder')`,
    ),
    check('qualifier_attempts_source_known', sql`${table.source} in ('assistant', 'manual', 'import')`),
  ],
)

/** Queries and the index use the same expression, so that the planner uses the index. */
export function isPlaceholder({ completion }: { readonly completion: AnyPgColumn }) {
  return sql`(${completion} = 'placeholder')`
}

/** The last good board, without the rows that are in the ledger, and the outcome of the last synchronisation. */
export const qualifierSyncs = pgTable('qualifier_syncs', {
  qualifierGuid: uuid()
    .primaryKey()
    .references(() => qualifiers.guid, { onDelete: 'cascade' }),
  fetchedAt: instant(),
  rowCount: integer().notNull().default(0),
  lastError: text(),
})

/** Rows of the last good board that match no player or map here, shown to staff. */
export const qualifierUnmatched = pgTable(
  'qualifier_unmatched',
  {
    qualifierGuid: uuid()
      .notNull()
      .references(() => qualifiers.guid, { onDelete: 'cascade' }),
    position: integer().notNull(),
    /** The board's id of the player: an id on some platform. */
    player: text().notNull(),
    /** The user with that id, if known. */
    userGuid: uuid().references(() => users.guid),
    name: text(),
    map: text().notNull(),
    /** null if the score is not one that the ledger can hold. */
    score: integer(),
    reason: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.qualifierGuid, table.position] }),
    index('qualifier_unmatched_player').on(table.player),
    index('qualifier_unmatched_user').on(table.userGuid).where(sql`${table.userGuid} is not null`),
  ],
)
