import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { overlayDrafts, overlayUpdates } from '../tables.ts'
import type { UpdateKind } from '../types.ts'

/** The row of a draft. Everything that changes its document locks this row. */
export type DraftRow = typeof overlayDrafts.$inferSelect

const locked = statement('overlay_drafts.lock', (orm) =>
  orm
    .select()
    .from(overlayDrafts)
    .where(eq(overlayDrafts.overlayGuid, sql.placeholder('overlay')))
    .for('update'),
)

export async function lockDraft(tx: Tx, overlay: string): Promise<DraftRow | undefined> {
  return (await locked(tx, { overlay }))[0]
}

const found = statement('overlay_drafts.find', (orm) =>
  orm
    .select()
    .from(overlayDrafts)
    .where(eq(overlayDrafts.overlayGuid, sql.placeholder('overlay'))),
)

export async function findDraft(db: Db, overlay: string): Promise<DraftRow | undefined> {
  return (await found(db, { overlay }))[0]
}

export interface StoredUpdate {
  readonly seq: number
  readonly data: Buffer
  /** The revision of the document after the batch with this update. */
  readonly revision: number
  /** The connection that sent the update; null for a change by the service. */
  readonly connection: string | null
  readonly userGuid: string | null
}

const behind = statement('overlay_updates.behind', (orm) =>
  orm
    .select({
      seq: overlayUpdates.seq,
      data: overlayUpdates.data,
      revision: overlayUpdates.revision,
      connection: overlayUpdates.connection,
      userGuid: overlayUpdates.userGuid,
    })
    .from(overlayUpdates)
    .where(
      and(
        eq(overlayUpdates.overlayGuid, sql.placeholder('overlay')),
        eq(overlayUpdates.generation, sql.placeholder('generation')),
        gt(overlayUpdates.seq, sql.placeholder('after')),
      ),
    )
    .orderBy(asc(overlayUpdates.seq)),
)

/** Returns the updates of a generation after a number, in the order in which they were stored. */
export function listUpdates(
  db: Db,
  which: { readonly overlay: string; readonly generation: number; readonly after: number },
): Promise<StoredUpdate[]> {
  return behind(db, which)
}

export interface NewUpdate {
  readonly kind: UpdateKind
  readonly data: Uint8Array
  readonly connection: string | null
  readonly userGuid: string | null
}

/** The document after a batch. */
export interface Outcome {
  readonly digest: Buffer
  readonly jsonBytes: number
  readonly canvas: { readonly width: number; readonly height: number }
  readonly by: string | null
  readonly now: Date
  /** Whether an event is emitted for the batch. */
  readonly isNoted: boolean
}

/** Saves a batch. Call under the lock. Returns the numbers of its updates, in order, and their common revision. */
export async function appendUpdates(
  tx: Tx,
  draft: Pick<DraftRow, 'overlayGuid' | 'generation' | 'revision' | 'seq'>,
  updates: readonly NewUpdate[],
  { digest, jsonBytes, canvas, by, now, isNoted }: Outcome,
): Promise<{ readonly revision: number; readonly seqs: readonly number[] }> {
  const { overlayGuid, generation } = draft
  const revision = draft.revision + 1
  const rows = updates.map(({ data, ...update }, index) => ({
    overlayGuid,
    generation,
    revision,
    seq: draft.seq + 1 + index,
    data: Buffer.from(data),
    at: now,
    ...update,
  }))
  await tx.session.orm.insert(overlayUpdates).values(rows)
  const bytes = updates.reduce((sum, { data }) => sum + data.length, 0)
  await tx.session.orm
    .update(overlayDrafts)
    .set({
      revision,
      seq: draft.seq + updates.length,
      digest,
      jsonBytes,
      canvasWidth: canvas.width,
      canvasHeight: canvas.height,
      updatedAt: now,
      updatedBy: by,
      pendingBytes: sql`${overlayDrafts.pendingBytes} + ${bytes}`,
      pendingCount: sql`${overlayDrafts.pendingCount} + ${updates.length}`,
      editedSince: sql`coalesce(${overlayDrafts.editedSince}, ${now.toISOString()}::timestamptz)`,
      ...(isNoted && { notedAt: now }),
    })
    .where(eq(overlayDrafts.overlayGuid, overlayGuid))
  return { revision, seqs: rows.map(({ seq }) => seq) }
}
