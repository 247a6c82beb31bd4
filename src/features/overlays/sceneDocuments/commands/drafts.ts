import { randomInt } from 'node:crypto'
import { canonicalJson } from '../../../../core/canonical-json.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { stateOf } from '../rules/compaction.ts'
import { digestOfText } from '../rules/digest.ts'
import { insertDraft } from '../store/drafts.ts'

/** Client IDs below this belong to the service and are never leased. (OV11) */
export const maxOwnClients = 1_024

/** Saves the first draft of an overlay. `document` must be valid. */
export async function createDraft(
  tx: Tx,
  overlayGuid: string,
  document: SceneDocument,
  { by, now }: { readonly by: string; readonly now: Date },
): Promise<void> {
  const text = canonicalJson(document)
  await insertDraft(tx, {
    overlayGuid,
    state: Buffer.from(stateOf(document, randomInt(1, maxOwnClients))),
    digest: digestOfText(text),
    jsonBytes: Buffer.byteLength(text),
    canvasWidth: document.canvas.width,
    canvasHeight: document.canvas.height,
    updatedAt: now,
    updatedBy: by,
  })
}
