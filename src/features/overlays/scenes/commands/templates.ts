import type { SignedIn } from '../../../../core/actor.ts'
import { canonicalJson } from '../../../../core/canonical-json.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { missing } from '../../../../core/problem.ts'
import { withoutAssets } from '../../../../engine/scenes/assets.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockUser } from '../../../people/users/store/users.ts'
import { unknownOverlay } from '../../overlays/resolve.ts'
import { readDraft } from '../../sceneDocuments/queries.ts'
import {
  checkRoomForTemplate,
  checkTemplateNameFree,
  readTemplateName,
  unknownTemplate,
} from '../../sceneDocuments/rules/templates.ts'
import {
  deleteTemplate,
  insertTemplate,
  listTemplateNames,
  type TemplateWithDocument,
} from '../../sceneDocuments/store/templates.ts'
import { findEditable } from '../queries.ts'

/**
 * Saves the draft of an overlay as a template, for overlays of any tournament. Leaves out media, because they belong to
 * one tournament; only packages and copies take them along. (overlays: Operations)
 * @throws Problem `overlay.unknown`, `template.overlay_forbidden`, `template.invalid`, `template.too_many`,
 *   `template.name_taken`
 */
export async function createTemplate(
  tx: Tx,
  actor: SignedIn,
  given: { readonly name: string; readonly description: string; readonly overlay: string },
  now: Date,
): Promise<TemplateWithDocument> {
  const overlay = await findEditable(tx, actor, given.overlay)
  const name = readTemplateName(given.name)
  await lockAccount(tx, actor.guid)
  const present = await listTemplateNames(tx, actor.guid)
  checkRoomForTemplate(present.length)
  checkTemplateNameFree(name, present)
  const draft = await readDraft(tx, overlay.guid)
  if (draft === undefined) throw unknownOverlay()
  const document = withoutAssets(draft.document)
  const text = canonicalJson(document)
  const { description } = given
  const guid = await insertTemplate(tx, {
    userGuid: actor.guid,
    name,
    description,
    createdAt: now,
    bytes: Buffer.byteLength(text),
    document: text,
  })
  emit(tx, { type: 'overlay_template.created', subject: guid, actor: actor.guid, ...aboutUser(actor) })
  return { guid, name, description, document }
}

/** @throws Problem `template.unknown` */
export async function removeTemplate(tx: Tx, actor: SignedIn, given: string): Promise<void> {
  const guid = isGuid(given) ? normaliseGuid(given) : null
  if (guid === null || !(await deleteTemplate(tx, { template: guid, user: actor.guid }))) throw unknownTemplate()
  emit(tx, { type: 'overlay_template.deleted', subject: guid, actor: actor.guid, ...aboutUser(actor) })
}

/** Locks the user, so that changes of their templates run one after the other. */
async function lockAccount(tx: Tx, guid: string): Promise<void> {
  if ((await lockUser(tx, guid)) === undefined) throw missing('user.unknown', 'There is no such user.')
}

function aboutUser({ guid }: SignedIn) {
  return { after: { user: guid }, touches: [guid] }
}
