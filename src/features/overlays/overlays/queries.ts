import type { Actor, SignedIn } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Depends } from '../../../core/operation.ts'
import { Problem } from '../../../core/problem.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'
import { builtInFor } from '../../../engine/scenes/templates/templates.ts'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { playedTag } from '../../people/users/views.ts'
import { readNamesIn } from '../../tournaments/tournaments/queries.ts'
import { resolveTournament } from '../../tournaments/tournaments/resolve.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { openDraft } from '../sceneDocuments/commands/replacing.ts'
import { readDocument } from '../sceneDocuments/rules/documents.ts'
import { listDraftFacts } from '../sceneDocuments/store/drafts.ts'
import { lockDraft } from '../sceneDocuments/store/updates.ts'
import { isInside, mayEdit, maySee } from './policy.ts'
import { emptyDocument, nextLook, unknownTemplate } from './rules.ts'
import {
  findOverlay,
  findTemplateOf,
  listOverlaysByGuid,
  listPointed,
  listPublishedCanvases,
} from './store/overlays.ts'
import type { Overlay, ViewToken } from './types.ts'
import { type OverlayView, overlayView, type ViewTokenView, viewTokenView } from './views.ts'

/** The caller of a read, and the time. */
export interface Asking {
  readonly actor: Actor
  readonly now: Date
  readonly publicUrl: string
  /** Receives the tags that the answer depends on. Commands leave it out. */
  readonly depends?: Depends
}

/** Returns the views of overlays of one tournament, in the given order. */
export async function readOverlayViews(
  db: Db,
  tournament: Tournament,
  overlays: readonly Overlay[],
  { actor, now, publicUrl, depends }: Asking,
): Promise<OverlayView[]> {
  const guids = overlays.map(({ guid }) => guid)
  const [drafts, canvases, pointed] = await Promise.all([
    listDraftFacts(db, guids),
    listPublishedCanvases(db, guids),
    listPointed(db, guids),
  ])
  const inside = new Set(overlays.filter((overlay) => isInside(actor, overlay)))
  const named = overlays.flatMap((overlay) => {
    const draft = drafts.get(overlay.guid)
    const ofDraft = inside.has(overlay) ? [...overlay.editors, draft?.updatedBy] : []
    return [...ofDraft, draft?.published?.by].flatMap((user) => user ?? [])
  })
  const users = await listUserFacts(db, [...new Set(named)])
  depends?.(tournament.guid, ...guids, playedTag, ...users.keys())
  for (const overlay of overlays) {
    const draft = drafts.get(overlay.guid)
    // Of a draft, outsiders see only the size of its canvas, and only until a document is published.
    const isShown = inside.has(overlay) || draft?.published === null
    const next = draft === undefined || !isShown ? null : nextLook(draft.updatedAt, now)
    if (next !== null) depends?.until(next)
  }
  const facts = { tournament, drafts, canvases, pointed, users, publicUrl }
  return overlays.map((overlay) => overlayView(overlay, facts, { isInside: inside.has(overlay) }))
}

export async function readOverlayView(
  db: Db,
  tournament: Tournament,
  overlay: Overlay,
  asking: Asking,
): Promise<OverlayView> {
  const [view] = await readOverlayViews(db, tournament, [overlay], asking)
  return view as OverlayView
}

export async function readTokenViews(db: Db, tokens: readonly ViewToken[]): Promise<ViewTokenView[]> {
  const makers = tokens.flatMap(({ createdBy }) => createdBy ?? [])
  const users = await listUserFacts(db, [...new Set(makers)])
  return tokens.map((token) => viewTokenView(token, users))
}

/**
 * Returns the first document of a new overlay.
 * @param template key of a built-in template, or GUID of the actor's own template or of an overlay that the actor may
 *   edit; null for none
 * @throws Problem `template.unknown`
 */
export async function documentFrom(
  tx: Tx,
  actor: SignedIn,
  template: string | null,
  { teamSizeActive }: Pick<Tournament, 'teamSizeActive'>,
): Promise<SceneDocument> {
  if (template === null) return emptyDocument
  const builtIn = builtInFor(template, teamSizeActive)
  if (builtIn !== undefined) return builtIn
  if (!isGuid(template)) throw unknownTemplate()
  const guid = normaliseGuid(template)
  const own = await findTemplateOf(tx, actor.guid, guid)
  return own === undefined ? copyOf(tx, actor, guid) : keptDocument(own)
}

/** A stored template may have an earlier version of the document format. (OV7) */
function keptDocument(text: string): SceneDocument {
  const read = readDocument(JSON.parse(text))
  if (!read.ok) throw new Error(`a document that was kept is no document any more: ${read.code}`)
  return read.document
}

/** @throws Problem `template.unknown` */
async function copyOf(tx: Tx, actor: SignedIn, guid: string): Promise<SceneDocument> {
  const overlay = await findOverlay(tx, guid)
  const there = overlay === undefined ? undefined : await actorIn(tx, actor, overlay.tournamentGuid)
  if (overlay === undefined || there === undefined || !mayEdit(there, overlay)) throw unknownTemplate()
  // Locks the draft, because it is read in two parts and may be compacted in between.
  const draft = await lockDraft(tx, guid)
  if (draft === undefined) throw unknownTemplate()
  return (await openDraft(tx, draft)).document
}

/** Returns the names of overlays by GUID; leaves out overlays that the actor may not see. */
export async function readOverlayNames(
  db: Db,
  guids: readonly string[],
  actor: Actor,
): Promise<ReadonlyMap<string, string>> {
  return readNamesIn(db, await listOverlaysByGuid(db, guids), actor, maySee)
}

/** Returns the actor with their roles in a tournament; undefined if they may not know of it. */
export async function actorIn(db: Db, actor: Actor, tournament: string): Promise<Actor | undefined> {
  try {
    return (await resolveTournament({ db, actor, records: {}, query: {} }, tournament)).actor
  } catch (error) {
    if (error instanceof Problem && error.kind === 'missing') return undefined
    throw error
  }
}
