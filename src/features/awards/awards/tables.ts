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
import type { NomineeResult } from '../../../engine/awards/outcomes.ts'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { badges } from '../badges/tables.ts'
import type { Correction, EditionResults, EditionRules, EditionStatus, Failure, NomineeType } from './types.ts'

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
    /** GUIDs of the categories of the current runoff, and its end; null without a runoff. (A9) */
    runoffCategories: uuid().array(),
    runoffClosesAt: instant(),
    cancelReason: text(),
    publishedAt: instant(),
    /** When managers first got an answer that depends on the counts. From then on exclusions are fixed. (A4, A5) */
    exclusionsFixedAt: instant(),
    /** When the sealed votes were deleted; null before. (A6) */
    votesDeletedAt: instant(),
    /** The published results besides those of nominees; null before the publication. (A10) */
    results: jsonb().$type<EditionResults>(),
    corrections: jsonb().$type<readonly Correction[]>().notNull().default([]),
    /** The number of users who have voted, counted once an hour. (A4) */
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
    /** GUIDs of the nominees that were tied in the first round; null without a runoff. There is at most one. (A9) */
    runoffNominees: uuid().array(),
  },
  (table) => [
    index('award_categories_edition').on(table.editionGuid, table.order),
    index('award_categories_badge').on(table.badgeGuid),
  ],
)

/** What users can vote for. */
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
    /** GUID of a record of the category's type, which may be deleted by now. */
    targetGuid: uuid(),
    /** For a team: its members when nominations closed. (A12) */
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

/** Users' nominations. */
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
    /**
     * The key that recognises equal targets of a user. Nominations by words from before that rule have a line break and
     * their GUID until the next start. (A3, D73)
     */
    targetKey: text().notNull(),
    reason: text(),
    nomineeGuid: uuid().references(() => awardNominees.guid, { onDelete: 'set null' }),
    /** For a team: its members when nominations closed. (A12) */
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

/** Users who have voted in an edition at least once. This causes one event, whatever they do later. (A5) */
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

/**
 * Votes, sealed until 30 days after the publication. Only this table contains both a user and their choice. (A1, A5,
 * A6)
 */
export const awardVotes = pgTable(
  'award_votes',
  {
    guid: guid(),
    categoryGuid: uuid()
      .notNull()
      .references(() => awardCategories.guid, { onDelete: 'cascade' }),
    /** 1; or 2 for a runoff. */
    round: smallint().notNull().default(1),
    /** null once the account was deleted after the closing. (A6) */
    userGuid: uuid().references(() => users.guid),
    /**
     * Replaces the user then: a random mark, the same for all votes of one voter in one edition, so that voters can be
     * counted. It is stored nowhere else, and does not lead to the account. (A5, A10)
     */
    departed: uuid(),
    nomineeGuid: uuid()
      .notNull()
      .references(() => awardNominees.guid, { onDelete: 'cascade' }),
    castAt: instant().notNull(),
    changes: integer().notNull().default(0),
    /** Why the vote does not count, by the checks at the closing; null before. (A2) */
    failures: text().array().$type<readonly Failure[]>(),
  },
  (table) => [
    uniqueIndex('award_votes_user_unique').on(table.categoryGuid, table.round, table.userGuid),
    index('award_votes_user').on(table.userGuid),
    index('award_votes_nominee').on(table.nomineeGuid),
  ],
)

/** The votes that are counted, without users and times, in random order. (A6) */
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

/** Which users voted in which categories, without their choice. */
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

/** Users whose votes managers excluded, with the reason. (A7) */
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
    /** The user's answer to the exclusion. */
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
