import { sql } from 'drizzle-orm'
import {
  check,
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
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { badges } from '../badges/tables.ts'
import type {
  Correction,
  EditionResults,
  EditionRules,
  EditionStatus,
  Failure,
  NomineeResult,
  NomineeType,
} from './types.ts'

export const awardEditions = pgTable(
  'award_editions',
  {
    guid: guid(),
    id: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    bannerUrl: text(),
    status: text().$type<EditionStatus>().notNull(),
    nominationsOpenAt: instant().notNull(),
    nominationsCloseAt: instant().notNull(),
    votingOpensAt: instant().notNull(),
    votingClosesAt: instant().notNull(),
    publishAt: instant(),
    rules: jsonb().$type<EditionRules>().notNull(),
    /** Categories in which the tied nominees are voted for once more, until then; null while no runoff is held. (A9) */
    runoffCategories: uuid().array(),
    runoffClosesAt: instant(),
    cancelReason: text(),
    publishedAt: instant(),
    /** When managers were first answered by counts; from then on exclusions stay as they are. (A4, A5) */
    exclusionsFixedAt: instant(),
    /** When the sealed votes were deleted. (A6) */
    votesDeletedAt: instant(),
    /** What was published beside the results of nominees; null before. (A10) */
    results: jsonb().$type<EditionResults>(),
    corrections: jsonb().$type<readonly Correction[]>().notNull().default([]),
    /** Users who have voted, as it was counted last, once an hour. (A4) */
    turnout: integer().notNull().default(0),
    turnoutAt: instant(),
    createdBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('award_editions_id_unique').on(sql`lower(${table.id})`),
    index('award_editions_newest').on(table.createdAt, table.guid),
    index('award_editions_created_by').on(table.createdBy),
    check(
      'award_editions_status_known',
      sql`${table.status} in ('draft', 'nominating', 'shortlisting', 'voting', 'counting', 'published', 'cancelled')`,
    ),
  ],
)

export const awardCategories = pgTable(
  'award_categories',
  {
    guid: guid(),
    editionGuid: uuid()
      .notNull()
      .references(() => awardEditions.guid, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull(),
    order: smallint().notNull(),
    nomineeType: text().$type<NomineeType>().notNull(),
    shortlistSize: smallint().notNull(),
    badgeGuid: uuid().references(() => badges.guid, { onDelete: 'set null' }),
    /** Who were tied in the first round, once a runoff is held; there is one at most. (A9) */
    runoffNominees: uuid().array(),
  },
  (table) => [
    index('award_categories_edition').on(table.editionGuid, table.order),
    index('award_categories_badge').on(table.badgeGuid),
  ],
)

/** What can be voted for. */
export const awardNominees = pgTable(
  'award_nominees',
  {
    guid: guid(),
    categoryGuid: uuid()
      .notNull()
      .references(() => awardCategories.guid, { onDelete: 'cascade' }),
    label: text().notNull(),
    imageUrl: text(),
    link: text(),
    description: text().notNull().default(''),
    /** By the type of the category; its record may be gone since. */
    targetGuid: uuid(),
    /** Of a team: its members when nominations closed. (A12) */
    members: uuid().array().notNull().default([]),
    declinedAt: instant(),
    result: jsonb().$type<NomineeResult>(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('award_nominees_category').on(table.categoryGuid),
    index('award_nominees_target').on(table.targetGuid),
  ],
)

/** What one user proposes. */
export const awardNominations = pgTable(
  'award_nominations',
  {
    guid: guid(),
    categoryGuid: uuid()
      .notNull()
      .references(() => awardCategories.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    targetGuid: uuid(),
    label: text(),
    link: text(),
    /** By which the same target of the same user is recognised; a line break and its GUID in words from before that rule, until the next start. (A3, D73) */
    targetKey: text().notNull(),
    reason: text(),
    nomineeGuid: uuid().references(() => awardNominees.guid, { onDelete: 'set null' }),
    /** Of a team: its members when nominations closed. (A12) */
    members: uuid().array().notNull().default([]),
    createdAt: createdAt(),
    withdrawnAt: instant(),
  },
  (table) => [
    uniqueIndex('award_nominations_target_unique')
      .on(table.categoryGuid, table.userGuid, table.targetKey)
      .where(sql`${table.withdrawnAt} is null`),
    index('award_nominations_category').on(table.categoryGuid, table.createdAt, table.guid),
    index('award_nominations_user').on(table.userGuid),
    index('award_nominations_without_key').on(table.guid).where(sql`${table.targetKey} like E'\\n%'`),
    index('award_nominations_nominee').on(table.nomineeGuid),
  ],
)

/** That somebody has voted in an edition at all, which is told once, whatever they do later. (A5) */
export const awardVoters = pgTable(
  'award_voters',
  {
    editionGuid: uuid()
      .notNull()
      .references(() => awardEditions.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.editionGuid, table.userGuid] }),
    index('award_voters_user').on(table.userGuid),
  ],
)

/** Sealed until 30 days after the results: nothing but this table joins a user and a choice. (A1, A5, A6) */
export const awardVotes = pgTable(
  'award_votes',
  {
    guid: guid(),
    categoryGuid: uuid()
      .notNull()
      .references(() => awardCategories.guid, { onDelete: 'cascade' }),
    /** 1, or 2 for a runoff. */
    round: smallint().notNull().default(1),
    /** null once its account was given up after the closing. (A6) */
    userGuid: uuid().references(() => users.guid),
    /**
     * In its place then: drawn by chance, the same for all votes of one voter in one edition, so that voters can be counted. Nothing
     * else has it, and nothing leads from it to the account. (A5, A10)
     */
    departed: uuid(),
    nomineeGuid: uuid()
      .notNull()
      .references(() => awardNominees.guid, { onDelete: 'cascade' }),
    castAt: instant().notNull(),
    changes: integer().notNull().default(0),
    /** Why it does not count, as it was judged at the closing; null before. (A2) */
    failures: text().array().$type<readonly Failure[]>(),
  },
  (table) => [
    uniqueIndex('award_votes_user_unique').on(table.categoryGuid, table.round, table.userGuid),
    index('award_votes_user').on(table.userGuid),
    index('award_votes_nominee').on(table.nomineeGuid),
  ],
)

/** Votes as they are counted, without users and times, in an order that chance made. (A6) */
export const awardBallots = pgTable(
  'award_ballots',
  {
    categoryGuid: uuid()
      .notNull()
      .references(() => awardCategories.guid, { onDelete: 'cascade' }),
    round: smallint().notNull().default(1),
    number: integer().notNull(),
    nomineeGuid: uuid()
      .notNull()
      .references(() => awardNominees.guid, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.categoryGuid, table.round, table.number] }),
    index('award_ballots_nominee').on(table.nomineeGuid),
  ],
)

/** That a user voted in a category, and nothing else. */
export const awardRoll = pgTable(
  'award_roll',
  {
    categoryGuid: uuid()
      .notNull()
      .references(() => awardCategories.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.categoryGuid, table.userGuid] }),
    index('award_roll_user').on(table.userGuid),
  ],
)

/** Whose votes do not count, and why. (A7) */
export const awardExclusions = pgTable(
  'award_exclusions',
  {
    editionGuid: uuid()
      .notNull()
      .references(() => awardEditions.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    reason: text().notNull(),
    /** What the user answers to it. */
    answer: text(),
    answeredAt: instant(),
    excludedBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.editionGuid, table.userGuid] }),
    index('award_exclusions_user').on(table.userGuid),
    index('award_exclusions_excluded_by').on(table.excludedBy),
  ],
)
