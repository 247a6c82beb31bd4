import type { SceneDocument } from '../../../engine/scenes/document.ts'
import type { Db } from '../../../infra/db/database.ts'
import { StoredDraft } from './rules/judging.ts'
import { findDraft, listUpdates } from './store/updates.ts'

const mostTries = 5

/**
 * The document of a draft as it stands. Row and updates are read one after the other: where they were put together in between, the
 * first update that is wanted is gone, and both are read again.
 */
export async function readDraft(db: Db, overlay: string): Promise<{ readonly document: SceneDocument } | undefined> {
  for (let tries = 0; tries < mostTries; tries++) {
    const draft = await findDraft(db, overlay)
    if (draft === undefined) return undefined
    const { generation, stateSeq } = draft
    const updates = await listUpdates(db, { overlay, generation, after: stateSeq })
    const isWhole = draft.seq === stateSeq || updates[0]?.seq === stateSeq + 1
    if (isWhole) return { document: new StoredDraft([draft.state, ...updates.map(({ data }) => data)]).document }
  }
  throw new Error('a draft was put together each time that it was read')
}
