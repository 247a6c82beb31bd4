import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { WithdrawalPolicy } from '../../../engine/types.ts'
import { addressKey, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { FieldResponse, InvitationStatus, LeftBracket, TeamState, TeamStatus } from './types.ts'

export const teams = pgTable(
  'teams',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    id: text().notNull(),
    name: text().notNull(),
    /**
     * Keys by which names are compared (`nameKeysOf`). Rows that are older than the keys have null until the next start
     * of the service.
     */
    nameKey: text(),
    nameLook: text(),
    /** How the name is spoken. */
    pronunciation: text(),
    imageUrl: text(),
    color: text(),
    captainGuid: uuid()
      .notNull()
      .references(() => users.guid),
    status: text().$type<TeamStatus>().notNull().default('unregistered'),
    seed: integer(),
    /**
     * Set by register and qualify, cleared by unregister and disqualify. The tournament's lock date locks rosters too.
     * (D45)
     */
    rosterLocked: boolean().notNull().default(false),
    registeredAt: instant(),
    withdrawnAt: instant(),
    withdrawnReason: text(),
    /** When the roster, name, looks or captain last changed since the team was registered; null if they have not. */
    changedAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('teams_id').on(table.tournamentGuid, table.id),
    uniqueIndex('teams_name_key').on(table.tournamentGuid, table.nameKey),
    uniqueIndex('teams_name_look').on(table.tournamentGuid, table.nameLook),
    index('teams_without_name_key').on(table.tournamentGuid).where(sql`${table.nameKey} is null`),
    uniqueIndex('teams_captain').on(table.tournamentGuid, table.captainGuid),
    index('teams_order').on(table.tournamentGuid, table.createdAt, table.guid),
    index('teams_image').on(addressKey(table.imageUrl)).where(sql`${table.imageUrl} is not null`),
    index('teams_captained').on(table.captainGuid),
    // Finds teams of any tournament whose id was derived from a chat-platform ID.
    index('teams_any_id').on(sql`${table.id} text_pattern_ops`),
    check('teams_status_known', sql`${table.status} in ('unregistered', 'registered', 'qualified')`),
    check('teams_seed_positive', sql`${table.seed} >= 1`),
  ],
)

/** The former state of a withdrawn team, restored when the withdrawal is taken back. (D60) */
export const teamWithdrawals = pgTable('team_withdrawals', {
  teamGuid: uuid()
    .primaryKey()
    .references(() => teams.guid, { onDelete: 'cascade' }),
  policy: text().$type<WithdrawalPolicy>().notNull(),
  state: jsonb().$type<TeamState>().notNull(),
  brackets: jsonb().$type<readonly LeftBracket[]>().notNull(),
})

export const teamMembers = pgTable(
  'team_members',
  {
    teamGuid: uuid()
      .notNull()
      .references(() => teams.guid, { onDelete: 'cascade' }),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    isActive: boolean().notNull().default(true),
    joinedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.teamGuid, table.userGuid] }),
    // A user can be in only one team of a tournament. (D30)
    uniqueIndex('team_members_one_team').on(table.tournamentGuid, table.userGuid),
    index('team_members_of_user').on(table.userGuid),
  ],
)

export const teamInvitations = pgTable(
  'team_invitations',
  {
    guid: guid(),
    teamGuid: uuid()
      .notNull()
      .references(() => teams.guid, { onDelete: 'cascade' }),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    invitedByGuid: uuid()
      .notNull()
      .references(() => users.guid),
    /** Whether the organiser or an admin sent it: a locked roster does not bind them. (D45) */
    byOrganiser: boolean().notNull().default(false),
    /** The placeholder that has the invited captain's place until the invitation is accepted. */
    standInGuid: uuid().references(() => users.guid),
    message: text(),
    status: text().$type<InvitationStatus>().notNull().default('pending'),
    createdAt: createdAt(),
    decidedAt: instant(),
  },
  (table) => [
    uniqueIndex('team_invitations_one_pending')
      .on(table.teamGuid, table.userGuid)
      .where(sql`${table.status} = 'pending'`),
    index('team_invitations_of_team').on(table.teamGuid, table.createdAt),
    index('team_invitations_by').on(table.invitedByGuid, table.createdAt),
    index('team_invitations_stand_in').on(table.standInGuid).where(sql`${table.standInGuid} is not null`),
    index('team_invitations_pending').on(table.tournamentGuid, table.teamGuid).where(sql`${table.status} = 'pending'`),
    index('team_invitations_of_user').on(table.userGuid, table.status),
    check('team_invitations_status_known', sql`${table.status} in ('pending', 'accepted', 'declined', 'revoked')`),
  ],
)

/** Drizzle's own `jsonb` parses again what the driver has parsed, and so reads the text "true" as a boolean. */
const response = customType<{ data: FieldResponse; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => value as FieldResponse,
})

/** Answers to a tournament's additional fields, by a team or by a player. */
export const fieldAnswers = pgTable(
  'field_answers',
  {
    guid: guid(),
    teamGuid: uuid()
      .notNull()
      .references(() => teams.guid, { onDelete: 'cascade' }),
    fieldGuid: uuid().notNull(),
    /** Set if the field is for players. */
    userGuid: uuid().references(() => users.guid),
    response: response().notNull(),
    /**
     * Whether the field was private when it was answered. Such an answer stays private even if the field becomes
     * public.
     */
    isPrivate: boolean().notNull().default(false),
    /** When the private answer becomes public: set after its field became public, when its team is notified. */
    publicAt: instant(),
    answeredAt: createdAt(),
  },
  (table) => [
    uniqueIndex('field_answers_one').on(
      table.teamGuid,
      table.fieldGuid,
      sql`coalesce(${table.userGuid}, '00000000-0000-0000-0000-000000000000')`,
    ),
    index('field_answers_public_at').on(table.publicAt).where(sql`${table.publicAt} is not null`),
    index('field_answers_of_user').on(table.userGuid).where(sql`${table.userGuid} is not null`),
  ],
)
