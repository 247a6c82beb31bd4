import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { MediaKind, MediaType } from '../../core/media.ts'
import { bytea, createdAt, guid, instant } from '../db/columns.ts'

/** Media are used by slices everywhere and by the authorization server: their tables stand below all of them. */

export const media = pgTable(
  'media',
  {
    guid: guid(),
    kind: text().$type<MediaKind>().notNull(),
    name: text().notNull(),
    /** Null once the account is given up. (M17) */
    ownerGuid: uuid(),
    /** Whose room it takes, where that is not its owner's: at most one of these. */
    tournamentGuid: uuid(),
    teamGuid: uuid(),
    platformGuid: uuid(),
    type: text().$type<MediaType>().notNull(),
    bytes: integer().notNull(),
    width: integer(),
    height: integer(),
    isAnimated: boolean().notNull().default(false),
    durationMs: integer(),
    /** `#rrggbb` */
    color: text(),
    /** SHA-256 of what is delivered, and the name of its object. */
    digest: bytea().notNull(),
    /** SHA-256 of what was sent: the same upload is the same record. */
    uploadDigest: bytea().notNull(),
    /** Whether the rights to it were confirmed. (M2) */
    hasRightsConfirmed: boolean().notNull().default(false),
    /** When it was used by something last and is no more, or was sent again since; null while it is used, and else. (M14) */
    unusedSince: instant(),
    wasUsed: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('media_owner').on(table.ownerGuid, table.createdAt, table.guid),
    index('media_tournament').on(table.tournamentGuid, table.createdAt, table.guid),
    index('media_team').on(table.teamGuid),
    index('media_platform').on(table.platformGuid),
    index('media_listed').on(table.createdAt, table.guid),
    index('media_digest').on(table.digest),
    // Of what nothing uses: since when.
    index('media_idle')
      .on(sql`coalesce(${table.unusedSince}, ${table.createdAt})`)
      .where(sql`${table.unusedSince} is not null or not ${table.wasUsed}`),
    // The same file, sent again for the same, is the same record. (media: Operations)
    uniqueIndex('media_upload').on(
      table.uploadDigest,
      table.kind,
      sql`coalesce(${table.teamGuid}, ${table.tournamentGuid}, ${table.platformGuid}, '00000000-0000-0000-0000-000000000000')`,
      sql`coalesce(${table.ownerGuid}, ${table.guid})`,
    ),
    check('media_one_target', sql`num_nonnulls(${table.tournamentGuid}, ${table.platformGuid}) <= 1`),
  ],
)

/** Which field of which record uses it. A medium that is used cannot be deleted. (M14) */
export const mediaUsages = pgTable(
  'media_usages',
  {
    guid: guid(),
    mediaGuid: uuid().notNull(),
    /** What uses it: `user`, `tournament`, … */
    subject: text().notNull(),
    /** Of the record that uses it. */
    subjectGuid: uuid().notNull(),
    /** The member that holds its address. */
    field: text().notNull(),
    /** A text shows it that is of others: whoever may delete it takes it out of there. */
    isForeign: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    foreignKey({ name: 'media_usages_used', columns: [table.mediaGuid], foreignColumns: [media.guid] }).onDelete(
      'restrict',
    ),
    uniqueIndex('media_usages_one').on(table.subjectGuid, table.field, table.mediaGuid),
    index('media_usages_media').on(table.mediaGuid),
  ],
)

/** Uploads that are never taken again. (media: Operations, takedown) */
export const blockedUploads = pgTable('media_blocked', {
  /** SHA-256 of what was sent. */
  digest: bytea().primaryKey(),
  reason: text().notNull(),
  byGuid: uuid(),
  createdAt: createdAt(),
})

/** What is taken of a user's, a tournament's and a platform's room; the row is what uploads wait for each other by. (M16) */
export const mediaQuotas = pgTable('media_quotas', {
  /** Of the user, the tournament or the platform. */
  guid: uuid().primaryKey(),
  usedBytes: bigint({ mode: 'number' }).notNull().default(0),
  usedFiles: integer().notNull().default(0),
})

/** Pictures elsewhere that records name, as they are shown from here. (M26) */
export const remotePictures = pgTable(
  'remote_pictures',
  {
    /** SHA-256 of the address, which may be longer than an index takes. */
    address: bytea().primaryKey(),
    url: text().notNull(),
    /** Of the kept picture, null until there is one. */
    digest: bytea(),
    bytes: integer(),
    fetchedAt: instant(),
    /** Not asked again before. */
    retryAt: instant(),
    /** When the last record dropped the address; null while one holds it. */
    droppedAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    // The beginning tells whose they are.
    index('remote_pictures_url').on(sql`left(${table.url}, 100) text_pattern_ops`),
    index('remote_pictures_due').on(table.retryAt),
    index('remote_pictures_dropped').on(table.droppedAt),
    index('remote_pictures_digest').on(table.digest),
  ],
)

/** When smaller files of pictures were asked for last, to the day: those that nobody asks for are not kept for long. (M13) */
export const variantUses = pgTable(
  'media_variant_uses',
  {
    /** As it is kept under. */
    name: text().primaryKey(),
    usedOn: date({ mode: 'string' }).notNull(),
  },
  (table) => [index('media_variant_uses_day').on(table.usedOn)],
)

/** The one row tells the origin in the addresses that records keep, so that these follow when it changes. (M24) */
export const mediaOrigins = pgTable(
  'media_origins',
  { only: boolean().primaryKey().default(true), origin: text().notNull() },
  (table) => [check('media_origins_one', sql`${table.only}`)],
)
