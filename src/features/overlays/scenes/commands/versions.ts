import { canonicalJson } from '../../../../core/canonical-json.ts'
import { readNameOf } from '../../../../core/names.ts'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { showAvailableScene } from '../../control/commands/publishing.ts'
import { checkAssets, useAssets } from '../../sceneDocuments/commands/media.ts'
import { openDraft, replaceDocument } from '../../sceneDocuments/commands/replacing.ts'
import { saveAutomaticVersion, saveVersion } from '../../sceneDocuments/commands/versions.ts'
import { digestOfText } from '../../sceneDocuments/rules/digest.ts'
import type { DraftRow } from '../../sceneDocuments/store/updates.ts'
import { findVersion } from '../../sceneDocuments/store/versions.ts'
import type { Version } from '../../sceneDocuments/types.ts'
import { checkRevision, keptDocument, unknownVersion } from '../rules.ts'
import { type Doing, lockDraftOf } from './drafts.ts'

/**
 * Publishes the draft, at the revision that the caller has seen.
 * @throws Problem `request.invalid`, `overlay.unknown`, `overlay.stale`, `scene.asset_missing`, `version.too_many`
 */
export async function publishDraft(
  tx: Tx,
  doing: Doing,
  { revision, ...given }: { readonly revision: number; readonly name?: string | null },
): Promise<Version> {
  const name = given.name == null ? given.name : readNameOf('name', given.name)
  const draft = await lockDraftOf(tx, doing.overlay)
  checkRevision(revision, draft.revision)
  const { document } = await openDraft(tx, draft)
  return publish(tx, doing, draft, document, name)
}

/** A document that is published already is not published again, except under another name. */
async function publish(
  tx: Tx,
  { actor, overlay, now }: Doing,
  draft: DraftRow,
  document: SceneDocument,
  name?: string | null,
): Promise<Version> {
  const { guid, tournamentGuid: tournament } = overlay
  const present = draft.publishedVersion === null ? undefined : await findVersion(tx, guid, draft.publishedVersion)
  const isSame = present?.digest.equals(digestOfText(canonicalJson(document)))
  if (present !== undefined && isSame && (name === undefined || name === present.name)) return present
  await checkAssets(tx, assetsOf(document), tournament)
  const keeping = { kind: 'published', name: name ?? null, by: actor.guid, tournament, now } as const
  const version = await saveVersion(tx, draft, document, keeping)
  await showAvailableScene(tx, overlay, document, { by: actor.guid, now })
  emit(tx, {
    type: 'overlay.published',
    subject: guid,
    tournament,
    actor: actor.guid,
    after: { version: version.number, name: version.name },
  })
  return version
}

/**
 * Saves the draft as a named version.
 * @throws Problem `request.invalid`, `overlay.unknown`, `version.too_many`
 */
export async function saveNamedVersion(tx: Tx, { actor, overlay, now }: Doing, given: string): Promise<Version> {
  const name = readNameOf('name', given)
  const { guid, tournamentGuid: tournament } = overlay
  const draft = await lockDraftOf(tx, overlay)
  const { document } = await openDraft(tx, draft)
  const version = await saveVersion(tx, draft, document, { kind: 'named', name, by: actor.guid, tournament, now })
  emit(tx, {
    type: 'overlay.version_kept',
    subject: guid,
    tournament,
    actor: actor.guid,
    after: { version: version.number, name },
  })
  return version
}

export interface Restored {
  /** Revision of the draft. */
  readonly revision: number
  /** The version that pages show now; null if the draft was not published. */
  readonly published: Version | null
}

/**
 * Turns the draft into the document of a version; other editors see this as edits of another user. Changes nothing if
 * they are equal. With `isPublished`, publishes the draft afterwards.
 * @throws Problem `overlay.unknown`, `version.unknown`, `scene.asset_missing`, `version.too_many`
 */
export async function restoreVersion(
  tx: Tx,
  doing: Doing,
  number: number,
  { isPublished }: { readonly isPublished: boolean },
): Promise<Restored> {
  const { actor, overlay, now } = doing
  const { guid, tournamentGuid: tournament } = overlay
  const draft = await lockDraftOf(tx, overlay)
  const version = await findVersion(tx, guid, number)
  if (version === undefined) throw unknownVersion()
  const document = keptDocument(version.document)
  // Saves the editors' work since the last version first, because they were not asked.
  await saveAutomaticVersion(tx, draft, { tournament, now })
  const revision = await replaceDocument(tx, draft, document, { tournament, by: actor.guid, now })
  if (revision !== draft.revision) {
    await useAssets(tx, 'draft', assetsOf(document), { overlay: guid, tournament, now })
    emit(tx, {
      type: 'overlay.restored',
      subject: guid,
      tournament,
      actor: actor.guid,
      after: { version: number },
    })
  }
  if (!isPublished) return { revision, published: null }
  return { revision, published: await publish(tx, doing, await lockDraftOf(tx, overlay), document) }
}
