import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Completion } from '../../../infra/clients/assistant/messages.ts'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type {
  ExpectedPlayer,
  PlayedMap,
  PlayMode,
  PlayState,
  ProposalSource,
  ProposalStatus,
  ProposalWarning,
  ProposedPlayer,
  ProposedSide,
  Provenance,
} from './types.ts'

export const assistantPlays = pgTable(
  'assistant_plays',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    matchGuid: uuid()
      .notNull()
      .references(() => matches.guid, { onDelete: 'cascade' }),
    sessionGuid: uuid(),
    flowSessionGuid: uuid(),
    game: smallint().notNull(),
    run: smallint().notNull(),
    technical: boolean().notNull(),
    map: jsonb().$type<PlayedMap>().notNull(),
    mode: text().$type<PlayMode>().notNull(),
    source: text().$type<ProposalSource>().notNull(),
    state: text().$type<PlayState>().notNull(),
    expected: jsonb().$type<readonly ExpectedPlayer[]>().notNull(),
    startedAt: createdAt(),
    endedAt: instant(),
    serverHost: text(),
    serverVersion: integer(),
    assistantMatch: text(),
  },
  (table) => [
    // A session has at most one open start, so none is sent while another is open.
    uniqueIndex('assistant_plays_open_unique')
      .on(table.sessionGuid)
      .where(sql`${table.state} in ('sending', 'started')`),
    index('assistant_plays_match').on(table.matchGuid, table.startedAt),
    index('assistant_plays_tournament').on(table.tournamentGuid),
    index('assistant_plays_session').on(table.sessionGuid, table.startedAt),
    // Songs of players' own games, which are queried every second.
    index('assistant_plays_games')
      .on(table.startedAt)
      .where(sql`${table.source} = 'game' and ${table.state} = 'started'`),
    index('assistant_plays_expected').using('gin', sql`${table.expected} jsonb_path_ops`),
  ],
)

/** Each player's first result, saved before it is used. (AS16) */
export const assistantFinishes = pgTable(
  'assistant_finishes',
  {
    playGuid: uuid()
      .notNull()
      .references(() => assistantPlays.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    side: smallint().$type<1 | 2>().notNull(),
    score: integer().notNull(),
    maxScore: integer(),
    accuracy: doublePrecision(),
    misses: integer().notNull(),
    badCuts: integer().notNull(),
    goodCuts: integer().notNull(),
    maxCombo: integer(),
    completion: text().$type<Completion>().notNull(),
    endTime: doublePrecision(),
    mods: text().array().notNull().default([]),
    warnings: text().array().notNull().default([]),
    receivedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.playGuid, table.userGuid] }),
    index('assistant_finishes_user').on(table.userGuid, table.receivedAt),
  ],
)

export const gameProposals = pgTable(
  'game_proposals',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    matchGuid: uuid()
      .notNull()
      .references(() => matches.guid, { onDelete: 'cascade' }),
    playGuid: uuid()
      .notNull()
      .references(() => assistantPlays.guid, { onDelete: 'cascade' }),
    game: smallint().notNull(),
    run: smallint().notNull(),
    map: jsonb().$type<PlayedMap>().notNull(),
    players: jsonb().$type<readonly ProposedPlayer[]>().notNull(),
    sides: jsonb().$type<readonly ProposedSide[]>().notNull(),
    winner: smallint().$type<1 | 2>(),
    warnings: jsonb().$type<readonly ProposalWarning[]>().notNull(),
    source: text().$type<ProposalSource>().notNull(),
    status: text().$type<ProposalStatus>().notNull(),
    decidedBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    decidedAt: instant(),
    reason: text(),
    provenance: jsonb().$type<Provenance>().notNull(),
    acceptAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('game_proposals_play_unique').on(table.playGuid),
    index('game_proposals_match').on(table.matchGuid, table.createdAt, table.guid),
    index('game_proposals_tournament').on(table.tournamentGuid),
    index('game_proposals_due').on(table.acceptAt).where(sql`${table.status} = 'proposed'`),
    check(
      'game_proposals_status_known',
      sql`${table.status} in ('collecting', 'proposed', 'accepted', 'rejected', 'superseded')`,
    ),
  ],
)
