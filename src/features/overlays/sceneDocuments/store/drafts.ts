import { and, eq, gt, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { overlayDrafts, overlayUpdates, overlayVersions } from '../tables.ts'
import type { DraftFacts } from '../types.ts'

export type NewDraft = Pick<
  typeof overlayDrafts.$inferInsert,
  'overlayGuid' | 'state' | 'digest' | 'jsonBytes' | 'canvasWidth' | 'canvasHeight' | 'updatedAt' | 'updatedBy'
>

export async function insertDraft(tx: Tx, draft: NewDraft): Promise<void> {
  await tx.session.orm.insert(overlayDrafts).values(draft)
}

const published = and(
  eq(overlayVersions.overlayGuid, overlayDrafts.overlayGuid),
  eq(overlayVersions.number, overlayDrafts.publishedVersion),
)

const facts = statement('overlay_drafts.facts', (orm) =>
  orm
    .select({
      overlayGuid: overlayDrafts.overlayGuid,
      generation: overlayDrafts.generation,
      revision: overlayDrafts.revision,
      seq: overlayDrafts.seq,
      digest: overlayDrafts.digest,
      canvas: { width: overlayDrafts.canvasWidth, height: overlayDrafts.canvasHeight },
      updatedAt: overlayDrafts.updatedAt,
      updatedBy: overlayDrafts.updatedBy,
      published: {
        number: overlayVersions.number,
        at: overlayVersions.at,
        by: overlayVersions.by,
        digest: overlayVersions.digest,
      },
    })
    .from(overlayDrafts)
    .leftJoin(overlayVersions, published)
    .where(sql`${overlayDrafts.overlayGuid} = any(${sql.placeholder('overlays')}::uuid[])`),
)

/** By GUID of the overlay. */
export async function listDraftFacts(db: Db, overlays: readonly string[]): Promise<ReadonlyMap<string, DraftFacts>> {
  if (overlays.length === 0) return new Map()
  const rows = await facts(db, { overlays })
  return new Map(rows.map((row) => [row.overlayGuid, row]))
}

export interface PublishedDocument {
  readonly version: number
  readonly document: SceneDocument
}

const publishedOf = statement('overlay_drafts.published', (orm) =>
  orm
    .select({ version: overlayVersions.number, document: overlayVersions.document })
    .from(overlayDrafts)
    .innerJoin(overlayVersions, published)
    .where(eq(overlayDrafts.overlayGuid, sql.placeholder('overlay'))),
)

/** Returns the published document; undefined until one is published. */
export async function findPublished(db: Db, overlay: string): Promise<PublishedDocument | undefined> {
  const [row] = await publishedOf(db, { overlay })
  return row === undefined ? undefined : { ...row, document: JSON.parse(row.document) as SceneDocument }
}

/** A single statement: between two, the updates could be compacted. */
const whole = statement('overlay_drafts.whole', (orm) => {
  const found = eq(overlayDrafts.overlayGuid, sql.placeholder('overlay'))
  const { revision, digest } = overlayDrafts
  const state = orm
    .select({ revision, digest, seq: sql<number>`0::bigint`.mapWith(Number).as('seq'), data: overlayDrafts.state })
    .from(overlayDrafts)
    .where(found)
  const behind = and(
    eq(overlayUpdates.overlayGuid, overlayDrafts.overlayGuid),
    eq(overlayUpdates.generation, overlayDrafts.generation),
    gt(overlayUpdates.seq, overlayDrafts.stateSeq),
  )
  const updates = orm
    .select({ revision, digest, seq: overlayUpdates.seq, data: overlayUpdates.data })
    .from(overlayDrafts)
    .innerJoin(overlayUpdates, behind)
    .where(found)
  return unionAll(state, updates).orderBy(sql`seq`)
})

export interface WholeDraft {
  readonly revision: number
  /** SHA-256 of the document as canonical JSON. */
  readonly digest: Buffer
  /** The state, and the updates after it in their order. */
  readonly stored: readonly Buffer[]
}

/** Returns the stored state and updates of a draft. */
export async function findWholeDraft(db: Db, overlay: string): Promise<WholeDraft | undefined> {
  const rows = await whole(db, { overlay })
  const [first] = rows
  if (first === undefined) return undefined
  const { revision, digest } = first
  return { revision, digest, stored: rows.map(({ data }) => data) }
}
