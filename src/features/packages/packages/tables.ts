import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid } from '../../../infra/db/columns.ts'
import type { NumberedKind } from '../../../infra/packages/pseudonyms.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { Direction, PackageVariant, SignerState } from './types.ts'

/** Who took a package of a tournament, or brought one. It is no event: else no two packages would be equal. (P1) */
export const tournamentPackages = pgTable(
  'tournament_packages',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    byGuid: uuid()
      .notNull()
      .references(() => users.guid),
    variant: text().$type<PackageVariant>().notNull(),
    isPrivate: boolean().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** SHA-256 of the whole file. */
    digest: bytea().notNull(),
    direction: text().$type<Direction>().notNull(),
    signer: text().$type<SignerState>().notNull(),
  },
  (table) => [
    index('tournament_packages_order').on(table.tournamentGuid, table.createdAt, table.guid),
    index('tournament_packages_by').on(table.byGuid, table.createdAt, table.guid),
    check('tournament_packages_variant_known', sql`${table.variant} in ('public', 'full', 'anonymised')`),
    check('tournament_packages_direction_known', sql`${table.direction} in ('export', 'import')`),
    check('tournament_packages_signer_known', sql`${table.signer} in ('known', 'unknown', 'unsigned')`),
  ],
)

/** How often packages were taken without signing in, day by day. */
export const packageDownloads = pgTable(
  'package_downloads',
  {
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    /** In UTC. */
    day: date().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tournamentGuid, table.day] })],
)

/**
 * The people of a restored tournament. Somebody may have an account here under another GUID; the packages of the
 * tournament go on calling them by the one that the first package did. (P6) In a rehearsal, whose place each placeholder
 * has. (R1)
 */
export const packagePeople = pgTable(
  'package_people',
  {
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    packageGuid: uuid().notNull(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    /** Whether they were a placeholder where the package was made. */
    wasPlaceholder: boolean().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tournamentGuid, table.packageGuid] }),
    uniqueIndex('package_people_user').on(table.tournamentGuid, table.userGuid),
    index('package_people_of_user').on(table.userGuid),
  ],
)

/**
 * The numbers of people, teams and texts in packages without names, so that they are the same in later ones.
 * They are found by digests that a secret of the tournament makes. (P5)
 */
export const packageNumbers = pgTable(
  'package_numbers',
  {
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    kind: text().$type<NumberedKind | 'weeks'>().notNull(),
    /** Empty for `weeks`. */
    key: bytea().notNull(),
    /** For `weeks`, by how many times move. */
    number: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tournamentGuid, table.kind, table.key] }),
    check('package_numbers_kind_known', sql`${table.kind} in ('person', 'team', 'text', 'weeks')`),
  ],
)
