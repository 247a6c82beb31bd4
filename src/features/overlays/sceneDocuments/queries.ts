import type { SceneDocument } from '../../../engine/scenes/document.ts'
import type { Db } from '../../../infra/db/database.ts'
import { StoredDraft } from './rules/judging.ts'
import { findWholeDraft } from './store/drafts.ts'

export interface ReadDraft {
  readonly revision: number
  /** SHA-256 of the document as canonical JSON. */
  readonly digest: Buffer
  readonly document: SceneDocument
}

/** Returns the current draft of an overlay. */
export async function readDraft(db: Db, overlay: string): Promise<ReadDraft | undefined> {
  const found = await findWholeDraft(db, overlay)
  if (found === undefined) return undefined
  const { revision, digest, stored } = found
  return { revision, digest, document: new StoredDraft(stored).document }
}
