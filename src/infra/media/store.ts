import { isDeepStrictEqual } from 'node:util'
import { and, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { MediaKind, MediaSubject, MediaType } from '../../core/media.ts'
import type { Tx } from '../db/database.ts'
import { media, mediaOrigins, mediaUsages } from './tables.ts'

/** Media from the view of the records that use them: which media are used, and where. */

export interface UsableMedia {
  readonly guid: string
  readonly kind: MediaKind
  readonly type: MediaType
  readonly ownerGuid: string | null
  readonly tournamentGuid: string | null
  readonly teamGuid: string | null
  readonly platformGuid: string | null
}

/**
 * Locks media until the end of the transaction, always in the same order. Nobody can delete them meanwhile, and
 * transactions that begin or end a use of the same medium wait for each other. Missing media are left out.
 */
export async function lockMedia(tx: Tx, guids: readonly string[]): Promise<UsableMedia[]> {
  if (guids.length === 0) return []
  return tx.session.orm
    .select({
      guid: media.guid,
      kind: media.kind,
      type: media.type,
      ownerGuid: media.ownerGuid,
      tournamentGuid: media.tournamentGuid,
      teamGuid: media.teamGuid,
      platformGuid: media.platformGuid,
    })
    .from(media)
    .where(inArray(media.guid, [...guids]))
    .orderBy(media.guid)
    .for('no key update')
}

export interface Usage {
  readonly subject: MediaSubject
  readonly subjectGuid: string
  readonly field: string
  readonly mediaGuid: string
  /**
   * A text shows a medium that belongs neither to the owner of the record nor to their tournament, team or platform.
   */
  readonly isForeign?: boolean
}

/** The usages of the records, or of one field of these records. */
export async function listUsagesOf(tx: Tx, subjectGuids: readonly string[], field?: string): Promise<Usage[]> {
  return tx.session.orm
    .select({
      subject: sql<MediaSubject>`${mediaUsages.subject}`,
      subjectGuid: mediaUsages.subjectGuid,
      field: mediaUsages.field,
      mediaGuid: mediaUsages.mediaGuid,
    })
    .from(mediaUsages)
    .where(and(isOf(subjectGuids), field === undefined ? undefined : eq(mediaUsages.field, field)))
}

function isOf(subjectGuids: readonly string[]): SQL {
  return sql`${mediaUsages.subjectGuid} = any(${sql.param([...subjectGuids])}::uuid[])`
}

/** Saves usages. The media must be locked. */
export async function insertUsages(tx: Tx, usages: readonly Usage[]): Promise<void> {
  if (usages.length === 0) return
  const { orm } = tx.session
  await orm
    .insert(mediaUsages)
    .values([...usages])
    .onConflictDoNothing()
  await orm
    .update(media)
    .set({ unusedSince: null, wasUsed: true })
    .where(
      inArray(
        media.guid,
        usages.map(({ mediaGuid }) => mediaGuid),
      ),
    )
}

/** Deletes usages. The media must be locked; media without a usage left are unused from now on. (M14) */
export async function deleteUsages(tx: Tx, usages: readonly Usage[], now: Date): Promise<void> {
  if (usages.length === 0) return
  const { orm } = tx.session
  const rows = JSON.stringify(usages)
  await orm.execute(sql`
    delete from ${mediaUsages} u using jsonb_to_recordset(${rows}::jsonb)
      as d ("subjectGuid" uuid, field text, "mediaGuid" uuid)
    where u.subject_guid = d."subjectGuid" and u.field = d.field and u.media_guid = d."mediaGuid"`)
  await orm.execute(sql`
    update ${media} m set unused_since = ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as d ("mediaGuid" uuid)
    where m.guid = d."mediaGuid" and not exists (select from ${mediaUsages} u where u.media_guid = m.guid)`)
}

/** Where a record holds addresses: the column with the addresses, and the column with the key of the record. */
export interface MediaColumn {
  readonly table: PgTable
  readonly key: AnyPgColumn
  readonly column: AnyPgColumn
  /** Whether the column holds Markdown, in which addresses have any spelling. */
  readonly isText?: true
}

/** Locks and returns the origin that the saved addresses have, set at the previous start; null at the first start. */
export async function lockOrigin(tx: Tx): Promise<string | null> {
  await tx.session.orm.execute(sql`select pg_advisory_xact_lock(hashtextextended('media_origin', 0))`)
  const [row] = await tx.session.orm.select({ origin: mediaOrigins.origin }).from(mediaOrigins)
  return row?.origin ?? null
}

export async function setOrigin(tx: Tx, origin: string): Promise<void> {
  await tx.session.orm
    .insert(mediaOrigins)
    .values({ origin })
    .onConflictDoUpdate({ target: mediaOrigins.only, set: { origin } })
}

interface KeptField {
  readonly subject: MediaSubject
  readonly field: string
  readonly kept: MediaColumn
}

/** Replaces the origin in the addresses of media, in one field of all records. */
export async function moveAddresses(tx: Tx, kept: KeptField, from: string, to: string): Promise<void> {
  const { table, key, column } = kept.kept
  const moved = sql`replace(${column}::text, ${`${from}/media/`}, ${`${to}/media/`})::${sql.raw(column.getSQLType())}`
  await tx.session.orm
    .update(table)
    .set({ [column.name]: moved })
    .where(inArray(key, usersOf(tx, kept)))
}

function usersOf(tx: Tx, { subject, field }: KeptField) {
  return tx.session.orm
    .select({ guid: mediaUsages.subjectGuid })
    .from(mediaUsages)
    .where(and(eq(mediaUsages.subject, subject), eq(mediaUsages.field, field)))
}

const textsAtOnce = 200

/** Changes each text of a field that uses own media or contains an address at this origin. */
export async function changeTexts(
  tx: Tx,
  kept: KeptField,
  origin: string,
  change: (text: unknown) => unknown,
): Promise<void> {
  const { table, key, column } = kept.kept
  const isNamed = sql`strpos(${column}::text, ${`${origin}/media/`}) > 0`
  for (let after: string | null = null; ; ) {
    const rows: { key: string; text: unknown }[] = await tx.session.orm
      .select({ key: sql<string>`${key}::text`, text: column })
      .from(table)
      .where(and(or(isNamed, inArray(key, usersOf(tx, kept))), after === null ? undefined : gt(key, after)))
      .orderBy(key)
      .limit(textsAtOnce)
    for (const { key: guid, text } of rows) {
      const changed = change(text)
      if (isDeepStrictEqual(changed, text)) continue
      await tx.session.orm
        .update(table)
        .set({ [column.name]: changed })
        .where(eq(key, guid))
    }
    after = rows.at(-1)?.key ?? null
    if (rows.length < textsAtOnce) return
  }
}
