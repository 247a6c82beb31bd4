import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { overlays } from '../overlays/tables.ts'
import { updateKinds, versionKinds } from './types.ts'

/** The document of each overlay that is edited, as it was when its updates were put together last. Its row is the lock of all edits. */
export const overlayDrafts = pgTable(
  'overlay_drafts',
  {
    overlayGuid: uuid()
      .primaryKey()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    /** Another one where the document was made anew, so that edits of the old one do not fit. */
    generation: integer().notNull().default(1),
    /** Grows with each batch that is stored. */
    revision: integer().notNull().default(0),
    /** Of the last update that was stored. */
    seq: bigint({ mode: 'number' }).notNull().default(0),
    /** All updates up to that number, in one. */
    state: bytea().notNull(),
    stateSeq: bigint({ mode: 'number' }).notNull().default(0),
    /** Of the updates behind the state. */
    pendingBytes: integer().notNull().default(0),
    pendingCount: integer().notNull().default(0),
    /** SHA-256 of the document as canonical JSON. */
    digest: bytea().notNull(),
    jsonBytes: integer().notNull(),
    canvasWidth: smallint().notNull(),
    canvasHeight: smallint().notNull(),
    updatedAt: createdAt(),
    updatedBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    /** Of the first edit that no version holds. */
    editedSince: instant(),
    /** When it was last told of in the log that it is edited: that is told once in a while, not of each edit. */
    notedAt: instant(),
    /** When the last editor was there. */
    presentAt: instant(),
    /** Number of the version that pages show; null as long as none was published. */
    publishedVersion: integer(),
    /** Of the next version, which is never used again. */
    nextVersion: integer().notNull().default(1),
  },
  (table) => [
    index('overlay_drafts_updated_by').on(table.updatedBy),
    index('overlay_drafts_edited').on(table.editedSince).where(sql`${table.editedSince} is not null`),
    index('overlay_drafts_pending').on(table.updatedAt).where(sql`${table.pendingCount} > 0`),
    check('overlay_drafts_state', sql`octet_length(${table.state}) <= 16777216`),
  ],
)

/** Edits that were taken, until they are part of the state. */
export const overlayUpdates = pgTable(
  'overlay_updates',
  {
    overlayGuid: uuid()
      .notNull()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    generation: integer().notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    /** `edit`: as an editor sent it. `replace`: what the service made of a whole document. */
    kind: text({ enum: updateKinds }).notNull(),
    /** Yjs, format V1. */
    data: bytea().notNull(),
    revision: integer().notNull(),
    /** Connection that it came over, so that it is not sent back there. */
    connection: uuid(),
    userGuid: uuid().references(() => users.guid, { onDelete: 'set null' }),
    at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.overlayGuid, table.generation, table.seq] }),
    index('overlay_updates_user').on(table.userGuid),
    check(
      'overlay_updates_size',
      sql`octet_length(${table.data}) <= case ${table.kind} when 'edit' then 65536 else 8388608 end`,
    ),
  ],
)

/** Ids under which a user may write into a document. (OV11) */
export const overlayClientLeases = pgTable(
  'overlay_client_leases',
  {
    overlayGuid: uuid()
      .notNull()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    generation: integer().notNull(),
    /** 1 to 2³² - 1, drawn by lot; never lent to somebody else in the same generation. */
    client: bigint({ mode: 'number' }).notNull(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.overlayGuid, table.generation, table.client] }),
    index('overlay_client_leases_user').on(table.userGuid, table.overlayGuid),
  ],
)

/** Documents as they once were: published, kept under a name, or kept by the service. */
export const overlayVersions = pgTable(
  'overlay_versions',
  {
    overlayGuid: uuid()
      .notNull()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    number: integer().notNull(),
    kind: text({ enum: versionKinds }).notNull(),
    name: text(),
    by: uuid().references(() => users.guid, { onDelete: 'set null' }),
    at: createdAt(),
    bytes: integer().notNull(),
    digest: bytea().notNull(),
    /** GUIDs of the media that it shows, whether they are there or not. (OV8) */
    assets: uuid().array().notNull().default(sql`'{}'`),
    /** Canonical JSON. */
    document: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.overlayGuid, table.number] }),
    index('overlay_versions_kind').on(table.overlayGuid, table.kind, table.number),
    index('overlay_versions_by').on(table.by),
  ],
)

/** Documents that users keep to make overlays from. */
export const overlayTemplates = pgTable(
  'overlay_templates',
  {
    guid: guid(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull().default(''),
    bytes: integer().notNull(),
    /** Canonical JSON. */
    document: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('overlay_templates_listed').on(table.userGuid, table.createdAt, table.guid),
    uniqueIndex('overlay_templates_name_unique').on(table.userGuid, sql`lower(${table.name})`),
  ],
)
