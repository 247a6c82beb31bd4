import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, real, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from '../../../infra/db/columns.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { users } from '../../people/users/tables.ts'
import { overlays } from '../overlays/tables.ts'
import { type Caster, type CustomValues, mapCards } from './types.ts'

/**
 * The control state of overlays. A separate table, because it is written up to ten times a second. There is no row
 * until the state is set or shown for the first time.
 */
export const overlayControls = pgTable(
  'overlay_controls',
  {
    overlayGuid: uuid()
      .primaryKey()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    /** ID in the published document; null until a document is published. */
    scene: text(),
    /** GUID of the match that the overlay points at. (OV13) */
    matchGuid: uuid().references(() => matches.guid, { onDelete: 'set null' }),
    /** Number of the last event before the overlay was pointed at the match. Older events change no scene. (OV14) */
    pointedSeq: bigint({ mode: 'number' }).notNull().default(0),
    swapSides: boolean().notNull().default(false),
    mapCard: text({ enum: mapCards }).notNull().default('auto'),
    /** Whose sound is heard: 0 both sides, 1 only the first, 2 only the second. */
    audioActive: smallint().notNull().default(0),
    audioMuted: boolean().notNull().default(false),
    audioVolume: real().notNull().default(1),
    casters: jsonb().$type<readonly Caster[]>().notNull().default([]),
    flavour: text().notNull().default(''),
    /** GUIDs of matches. */
    highlighted: uuid().array().notNull().default(sql`'{}'`),
    countdownTo: instant(),
    blank: boolean().notNull().default(false),
    custom: jsonb().$type<CustomValues>().notNull().default({}),
    autoAdvance: boolean().notNull().default(true),
    autoDelayMs: integer().notNull().default(4000),
    revision: integer().notNull().default(0),
    updatedAt: createdAt(),
    updatedBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    /** Number of the last event before a user chose the scene by hand. (OV14) */
    sceneSeq: bigint({ mode: 'number' }).notNull().default(0),
    /** The scene that is shown next automatically, and when. (OV14) */
    advanceTo: text(),
    advanceAt: instant(),
    /** Times of the last ten turns of writes, in milliseconds by the clock of the database. (OV12) */
    turns: bigint({ mode: 'number' }).array().notNull().default(sql`'{}'`),
  },
  (table) => [
    index('overlay_controls_match').on(table.matchGuid).where(sql`${table.matchGuid} is not null`),
    index('overlay_controls_due').on(table.advanceAt).where(sql`${table.advanceAt} is not null`),
    index('overlay_controls_updated_by').on(table.updatedBy),
    index('overlay_controls_casters').using('gin', sql`${table.casters} jsonb_path_ops`),
    check('overlay_controls_map_card', sql`${table.mapCard} in ('auto', 'shown', 'hidden')`),
    check('overlay_controls_audio', sql`${table.audioActive} between 0 and 2 and ${table.audioVolume} between 0 and 1`),
    check('overlay_controls_delay', sql`${table.autoDelayMs} between 0 and 30000`),
    check('overlay_controls_advance', sql`(${table.advanceTo} is null) = (${table.advanceAt} is null)`),
  ],
)
