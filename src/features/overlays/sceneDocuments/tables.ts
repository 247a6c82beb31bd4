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

/** The draft of each overlay, as it was when its updates were last compacted. Every edit locks the row. */
export const overlayDrafts = pgTable(
  'overlay_drafts',
  {
    overlayGuid: uuid()
      .primaryKey()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    /** Incremented when the document is rebuilt, so that edits of the old one do not fit. */
    generation: integer().notNull().default(1),
    /** Incremented with each stored batch. */
    revision: integer().notNull().default(0),
    /** Number of the last stored update. */
    seq: bigint({ mode: 'number' }).notNull().default(0),
    /** All updates up to `stateSeq`, compacted to one. */
    state: bytea().notNull(),
    stateSeq: bigint({ mode: 'number' }).notNull().default(0),
    /** Size and number of the updates after the state. */
    pendingBytes: integer().notNull().default(0),
    pendingCount: integer().notNull().default(0),
    /** SHA-256 of the document as canonical JSON. */
    digest: bytea().notNull(),
    jsonBytes: integer().notNull(),
    canvasWidth: smallint().notNull(),
    canvasHeight: smallint().notNull(),
    updatedAt: createdAt(),
    updatedBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    /** Time of the first edit that no version contains. */
    editedSince: instant(),
    /** Time of the last `overlay.edited` event, which is emitted only from time to time. */
    notedAt: instant(),
    /** When an editor was last present. */
    presentAt: instant(),
    /** Number of the published version; null until one is published. */
    publishedVersion: integer(),
    /** Number of the next version. A number is never used again. */
    nextVersion: integer().notNull().default(1),
  },
  (table) => [
    index('overlay_drafts_updated_by').on(table.updatedBy),
    index('overlay_drafts_edited').on(table.editedSince).where(sql`${table.editedSince} is not null`),
    index('overlay_drafts_pending').on(table.updatedAt).where(sql`${table.pendingCount} > 0`),
    check('overlay_drafts_state', sql`octet_length(${table.state}) <= 16777216`),
  ],
)

/** Accepted edits, until they are compacted into the state. */
export const overlayUpdates = pgTable(
  'overlay_updates',
  {
    overlayGuid: uuid()
      .notNull()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    generation: integer().notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    /** `edit`: an update that an editor sent. `replace`: an update that the service made from a whole document. */
    kind: text({ enum: updateKinds }).notNull(),
    /** A Yjs update in format V1. */
    data: bytea().notNull(),
    revision: integer().notNull(),
    /** The connection that sent the update, so that the update is not sent back to it. */
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

/** Leases of client IDs, with which a user may write into a document. (OV11) */
export const overlayClientLeases = pgTable(
  'overlay_client_leases',
  {
    overlayGuid: uuid()
      .notNull()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    generation: integer().notNull(),
    /** 1 to 2³² - 1, chosen at random. Never leased to another user in the same generation. */
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

/** Earlier documents: published, saved under a name, or saved by the service. */
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
    /** GUIDs of the media that the document shows, missing ones included. (OV8) */
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

/** Documents that users save as templates for overlays. */
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
