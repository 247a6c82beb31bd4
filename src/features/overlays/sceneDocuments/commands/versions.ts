import { canonicalJson } from '../../../../core/canonical-json.ts'
import { conflict } from '../../../../core/problem.ts'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { digestOfText } from '../rules/digest.ts'
import { makingRoom } from '../rules/versions.ts'
import type { DraftRow } from '../store/updates.ts'
import { deleteVersions, insertVersion, listHeads, writeKept } from '../store/versions.ts'
import type { Version, VersionKind } from '../types.ts'
import { useAssets } from './media.ts'
import { openDraft } from './replacing.ts'

export interface Keeping {
  readonly kind: VersionKind
  readonly name: string | null
  /** GUID of the user who saves the version; null for the service. */
  readonly by: string | null
  /** GUID of the overlay's tournament. */
  readonly tournament: string
  readonly now: Date
}

/**
 * Saves the document of a locked draft as a version. Pages show a published version from then on. Marks its media as
 * used; leaves out unknown ones.
 * @throws Problem `version.too_many`
 */
export async function saveVersion(
  tx: Tx,
  draft: DraftRow,
  document: SceneDocument,
  { kind, name, by, tournament, now }: Keeping,
): Promise<Version> {
  const { overlayGuid, nextVersion: number } = draft
  const heads = await listHeads(tx, overlayGuid)
  const going = makingRoom(kind, heads)
  if (going === null)
    throw conflict('version.too_many', 'The overlay has a hundred versions that were published or named already.')
  const text = canonicalJson(document)
  const assets = assetsOf(document)
  const bytes = Buffer.byteLength(text)
  await deleteVersions(tx, overlayGuid, going)
  await insertVersion(tx, {
    overlayGuid,
    number,
    kind,
    name,
    by,
    at: now,
    bytes,
    assets,
    digest: digestOfText(text),
    document: text,
  })
  await writeKept(tx, overlayGuid, {
    nextVersion: number + 1,
    ...(kind === 'published' && { publishedVersion: number }),
  })
  const use = { overlay: overlayGuid, tournament, now }
  const left = heads.filter((head) => !going.includes(head.number)).flatMap((head) => head.assets)
  await useAssets(tx, 'versions', [...new Set([...left, ...assets])], use)
  await useAssets(tx, 'draft', assets, use)
  if (kind === 'published') await useAssets(tx, 'published', assets, use)
  return { number, kind, name, by, at: now, bytes, current: kind === 'published' }
}

/**
 * Saves an automatic version of a locked draft, if it has edits that no version contains and differs from the last
 * version. Emits no event: the version only helps to recover lost work. (overlays: Co-editing, automatic version)
 */
export async function saveAutomaticVersion(
  tx: Tx,
  draft: DraftRow,
  { tournament, now }: { readonly tournament: string; readonly now: Date },
): Promise<void> {
  if (draft.editedSince === null) return
  const last = (await listHeads(tx, draft.overlayGuid)).at(-1)
  if (last?.digest.equals(draft.digest)) {
    await writeKept(tx, draft.overlayGuid, {})
    return
  }
  const { document } = await openDraft(tx, draft)
  await saveVersion(tx, draft, document, { kind: 'automatic', name: null, by: null, tournament, now })
}
