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

/** Slices and the authorization server use media, so these tables do not depend on any slice. */

export const media = pgTable(
  'media',
  {
    guid: guid(),
    kind: text().$type<MediaKind>().notNull(),
    name: text().notNull(),
    /** Null once the account is given up. (M17) */
    ownerGuid: uuid(),
    /** The tournament or platform whose quota the medium uses, in place of its owner's: at most one of the two. */
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
    /** SHA-256 of the delivered bytes, and the name of the object. */
    digest: bytea().notNull(),
    /** SHA-256 of the uploaded bytes: the same upload is the same record. */
    uploadDigest: bytea().notNull(),
    /** Whether the rights to it were confirmed. (M2) */
    hasRightsConfirmed: boolean().notNull().default(false),
    /** When its last use ended, or when it was uploaded again since; null while it is used or was never used. (M14) */
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
    // The media that nothing uses, by the time since when.
    index('media_idle')
      .on(sql`coalesce(${table.unusedSince}, ${table.createdAt})`)
      .where(sql`${table.unusedSince} is not null or not ${table.wasUsed}`),
    // The same file, uploaded again for the same target, is the same record. (media: Operations)
    uniqueIndex('media_upload').on(
      table.uploadDigest,
      table.kind,
      sql`coalesce(${table.teamGuid}, ${table.tournamentGuid}, ${table.platformGuid}, '00000000-0000-0000-0000-000000000000')`,
      sql`coalesce(${table.ownerGuid}, ${table.guid})`,
    ),
    check('media_one_target', sql`num_nonnulls(${table.tournamentGuid}, ${table.platformGuid}) <= 1`),
  ],
)

/** Which field of which record uses a medium. A medium in use cannot be deleted. (M14) */
export const mediaUsages = pgTable(
  'media_usages',
  {
    guid: guid(),
    mediaGuid: uuid().notNull(),
    /** The kind of record that uses it: `user`, `tournament`, … */
    subject: text().notNull(),
    /** The record that uses it. */
    subjectGuid: uuid().notNull(),
    /** The member that holds its address. */
    field: text().notNull(),
    /** Whether a text shows a medium of somebody else: a user who may delete the medium removes it from the text. */
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

/** Digests of uploads that are refused for ever. (media: Operations, takedown) */
export const blockedUploads = pgTable('media_blocked', {
  /** SHA-256 of the uploaded bytes. */
  digest: bytea().primaryKey(),
  reason: text().notNull(),
  byGuid: uuid(),
  createdAt: createdAt(),
})

/**
 * The used room of a user, a tournament and a platform; uploads lock this row, so that simultaneous ones are counted.
 * (M16)
 */
export const mediaQuotas = pgTable('media_quotas', {
  /** GUID of the user, the tournament or the platform. */
  guid: uuid().primaryKey(),
  usedBytes: bigint({ mode: 'number' }).notNull().default(0),
  usedFiles: integer().notNull().default(0),
})

/** Pictures at other addresses that records name, which are delivered by this service. (M26) */
export const remotePictures = pgTable(
  'remote_pictures',
  {
    /** SHA-256 of the address, because an address may be too long for an index. */
    address: bytea().primaryKey(),
    url: text().notNull(),
    /** SHA-256 of the stored picture; null until there is one. */
    digest: bytea(),
    bytes: integer(),
    fetchedAt: instant(),
    /** The picture is not fetched again before this time. */
    retryAt: instant(),
    /** When the last record removed the address; null while a record holds it. */
    droppedAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    // Finds pictures by the start of their address.
    index('remote_pictures_url').on(sql`left(${table.url}, 100) text_pattern_ops`),
    index('remote_pictures_due').on(table.retryAt),
    index('remote_pictures_dropped').on(table.droppedAt),
    index('remote_pictures_digest').on(table.digest),
  ],
)

/** The day on which a variant of a picture was last requested: variants without requests are deleted soon. (M13) */
export const variantUses = pgTable(
  'media_variant_uses',
  {
    /** The name of the variant in the storage. */
    name: text().primaryKey(),
    usedOn: date({ mode: 'string' }).notNull(),
  },
  (table) => [index('media_variant_uses_day').on(table.usedOn)],
)

/** One row with the origin in the saved addresses, so that they are rewritten when it changes. (M24) */
export const mediaOrigins = pgTable(
  'media_origins',
  { only: boolean().primaryKey().default(true), origin: text().notNull() },
  (table) => [check('media_origins_one', sql`${table.only}`)],
)
