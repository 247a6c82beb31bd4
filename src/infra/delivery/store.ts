import { eq, lt, sql } from 'drizzle-orm'
import type { MediaKind, MediaType } from '../../core/media.ts'
import { type Db, statement, type Tx } from '../db/database.ts'
import { media, variantUses } from '../media/tables.ts'

/** The facts of a medium that delivery needs. */
export interface DeliveredRow {
  readonly kind: MediaKind
  readonly type: MediaType
  readonly bytes: number
  readonly digest: Buffer
}

const delivered = statement('media.delivered', (orm) =>
  orm
    .select({ kind: media.kind, type: media.type, bytes: media.bytes, digest: media.digest })
    .from(media)
    .where(eq(media.guid, sql.placeholder('guid'))),
)

export async function findDelivered(db: Db, guid: string): Promise<DeliveredRow | undefined> {
  return (await delivered(db, { guid }))[0]
}

export async function isObjectNamed(db: Db, digest: string): Promise<boolean> {
  const rows = await db.session.orm
    .select({ guid: media.guid })
    .from(media)
    .where(eq(media.digest, Buffer.from(digest, 'hex')))
    .limit(1)
  return rows.length > 0
}

/** @param day such as `2026-11-26`; variants with a use on this day or later stay unchanged */
export async function noteUses(tx: Tx, names: readonly string[], day: string): Promise<void> {
  await tx.session.orm
    .insert(variantUses)
    .values(names.map((name) => ({ name, usedOn: day })))
    .onConflictDoUpdate({
      target: variantUses.name,
      set: { usedOn: day },
      setWhere: lt(variantUses.usedOn, day),
    })
}
