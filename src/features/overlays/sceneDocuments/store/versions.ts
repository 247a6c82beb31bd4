import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { overlayDrafts, overlayVersions } from '../tables.ts'
import type { Version } from '../types.ts'

const columns = {
  number: overlayVersions.number,
  kind: overlayVersions.kind,
  name: overlayVersions.name,
  by: overlayVersions.by,
  at: overlayVersions.at,
  bytes: overlayVersions.bytes,
  current: sql<boolean>`coalesce(${overlayVersions.number} = ${overlayDrafts.publishedVersion}, false)`,
}

const ofOverlay = eq(overlayVersions.overlayGuid, sql.placeholder('overlay'))
const itsDraft = eq(overlayDrafts.overlayGuid, overlayVersions.overlayGuid)

const listed = statement('overlay_versions.list', (orm) =>
  orm
    .select(columns)
    .from(overlayVersions)
    .innerJoin(overlayDrafts, itsDraft)
    .where(and(ofOverlay, lt(overlayVersions.number, sql.placeholder('before'))))
    .orderBy(desc(overlayVersions.number))
    .limit(sql.placeholder('limit')),
)

/** One page, newest first, plus one row beyond `limit`. */
export function listVersions(
  db: Db,
  {
    overlay,
    before,
    limit,
  }: { readonly overlay: string; readonly before?: number | undefined; readonly limit: number },
): Promise<Version[]> {
  return listed(db, { overlay, before: before ?? 2_147_483_647, limit: limit + 1 })
}

export interface VersionWithDocument extends Version {
  readonly digest: Buffer
  /** Canonical JSON. */
  readonly document: string
}

const byNumber = statement('overlay_versions.by_number', (orm) =>
  orm
    .select({ ...columns, digest: overlayVersions.digest, document: overlayVersions.document })
    .from(overlayVersions)
    .innerJoin(overlayDrafts, itsDraft)
    .where(and(ofOverlay, eq(overlayVersions.number, sql.placeholder('number')))),
)

export async function findVersion(db: Db, overlay: string, number: number): Promise<VersionWithDocument | undefined> {
  return (await byNumber(db, { overlay, number }))[0]
}

/** The columns that identify and compare versions, without the document. */
export type VersionHead = Pick<typeof overlayVersions.$inferSelect, 'number' | 'kind' | 'digest' | 'assets'>

/** In the order of numbers. An overlay has few versions. */
export function listHeads(tx: Tx, overlay: string): Promise<VersionHead[]> {
  return tx.session.orm
    .select({
      number: overlayVersions.number,
      kind: overlayVersions.kind,
      digest: overlayVersions.digest,
      assets: overlayVersions.assets,
    })
    .from(overlayVersions)
    .where(eq(overlayVersions.overlayGuid, overlay))
    .orderBy(asc(overlayVersions.number))
}

export async function insertVersion(tx: Tx, version: typeof overlayVersions.$inferInsert): Promise<void> {
  await tx.session.orm.insert(overlayVersions).values(version)
}

export async function deleteVersions(tx: Tx, overlay: string, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return
  await tx.session.orm
    .delete(overlayVersions)
    .where(and(eq(overlayVersions.overlayGuid, overlay), inArray(overlayVersions.number, [...numbers])))
}

/** Call under the lock of the draft. Marks all edits as contained in a version. */
export async function writeKept(
  tx: Tx,
  overlay: string,
  numbers: Partial<Pick<typeof overlayDrafts.$inferInsert, 'nextVersion' | 'publishedVersion'>>,
): Promise<void> {
  await tx.session.orm
    .update(overlayDrafts)
    .set({ ...numbers, editedSince: null })
    .where(eq(overlayDrafts.overlayGuid, overlay))
}
