import { and, eq, lt, lte, sql } from 'drizzle-orm'
import { type Db, type Orm, statement, type Tx } from '../../../../infra/db/database.ts'
import { compactAt, rebuildAt } from '../rules/compaction.ts'
import { saveAfterMs } from '../rules/versions.ts'
import { overlayClientLeases, overlayDrafts, overlayUpdates } from '../tables.ts'
import type { DraftRow } from './updates.ts'

/** Compacted states of drafts, and lists of the drafts that are due for work. Uses the clock of the database. */

/** Replaces all updates of a locked draft, up to its last one, with one state. */
export async function writeState(
  tx: Tx,
  { overlayGuid, generation, seq }: Pick<DraftRow, 'overlayGuid' | 'generation' | 'seq'>,
  state: Uint8Array,
): Promise<void> {
  await tx.session.orm
    .update(overlayDrafts)
    .set({ generation, state: Buffer.from(state), stateSeq: seq, pendingBytes: 0, pendingCount: 0 })
    .where(eq(overlayDrafts.overlayGuid, overlayGuid))
  await tx.session.orm
    .delete(overlayUpdates)
    .where(and(eq(overlayUpdates.overlayGuid, overlayGuid), lte(overlayUpdates.seq, seq)))
}

/** Earlier generations accept no edits any more. */
export async function deleteLeasesBefore(tx: Tx, overlay: string, generation: number): Promise<void> {
  await tx.session.orm
    .delete(overlayClientLeases)
    .where(and(eq(overlayClientLeases.overlayGuid, overlay), lt(overlayClientLeases.generation, generation)))
}

/** Maximum number of drafts in one list. The rest follows in the next one. */
const most = 50

const ago = (ms: number) => sql`now() - ${sql.raw(`interval '${ms} milliseconds'`)}`
const number = (value: number) => sql.raw(`${value}`)
const guids = (orm: Orm) => orm.select({ guid: overlayDrafts.overlayGuid }).from(overlayDrafts)

const toKeep = statement('overlay_drafts.to_keep', (orm) =>
  guids(orm)
    .where(lt(overlayDrafts.editedSince, ago(saveAfterMs)))
    .orderBy(overlayDrafts.editedSince)
    .limit(most),
)

/** Returns overlays whose drafts are due for an automatic version. */
export async function listDraftsToKeep(db: Db): Promise<string[]> {
  return (await toKeep(db)).map(({ guid }) => guid)
}

const toCompact = statement('overlay_drafts.to_compact', (orm) =>
  guids(orm)
    .where(
      sql`${overlayDrafts.pendingCount} > 0 and (${overlayDrafts.pendingCount} >= ${number(compactAt.rows)}
        or ${overlayDrafts.pendingBytes} >= ${number(compactAt.bytes)}
        or ${overlayDrafts.updatedAt} < ${ago(compactAt.idleMs)})`,
    )
    .orderBy(overlayDrafts.updatedAt)
    .limit(most),
)

/** Returns overlays whose drafts have updates to compact. */
export async function listDraftsToCompact(db: Db): Promise<string[]> {
  return (await toCompact(db)).map(({ guid }) => guid)
}

const toRebuild = statement('overlay_drafts.to_rebuild', (orm) =>
  guids(orm)
    .where(
      sql`octet_length(${overlayDrafts.state}) > ${number(rebuildAt.times)} * ${overlayDrafts.jsonBytes}
        and greatest(${overlayDrafts.presentAt}, ${overlayDrafts.updatedAt}) < ${ago(rebuildAt.quietMs)}`,
    )
    .limit(most),
)

/** Returns overlays whose drafts consist mostly of deleted content, and have no editors. */
export async function listDraftsToRebuild(db: Db): Promise<string[]> {
  return (await toRebuild(db)).map(({ guid }) => guid)
}

/** Processes with editors of a draft listen on this channel, and load the updates that they lack. */
export const draftChannel = 'downbeat_scenes'

/** Notifies the processes with the commit. They also poll, so that a lost notification does no harm. */
export function hintRooms(tx: Tx, overlay: string): void {
  tx.last.push({
    name: 'overlay_drafts.hint',
    text: `select pg_notify('${draftChannel}', $1)`,
    values: [overlay],
  })
}
