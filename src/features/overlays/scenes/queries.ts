import { Readable } from 'node:stream'
import type { Actor, SignedIn } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { conflict, forbidden } from '../../../core/problem.ts'
import { assetsOf } from '../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'
import { builtInTemplates } from '../../../engine/scenes/templates/templates.ts'
import type { Db } from '../../../infra/db/database.ts'
import { objectName, type Storage } from '../../../infra/storage/storage.ts'
import { resolveTournament } from '../../tournaments/tournaments/resolve.ts'
import { mayEdit, maySee } from '../overlays/policy.ts'
import { actorIn } from '../overlays/queries.ts'
import { unknownOverlay } from '../overlays/resolve.ts'
import { findOverlay, listOverlays } from '../overlays/store/overlays.ts'
import type { Overlay } from '../overlays/types.ts'
import { readDraft } from '../sceneDocuments/queries.ts'
import { jsonBytes } from '../sceneDocuments/rules/documents.ts'
import {
  assetEnd,
  assetHead,
  maxPackageBytes,
  packageBytes,
  packagedName,
  packageEnd,
  packageHead,
} from '../sceneDocuments/rules/packages.ts'
import { unknownTemplate } from '../sceneDocuments/rules/templates.ts'
import { listOverlayMedia, type OverlayMedium } from '../sceneDocuments/store/media.ts'
import { findTemplate, listPublishedScenes, listTemplates } from '../sceneDocuments/store/templates.ts'
import {
  builtInView,
  overlayAsTemplateView,
  type TemplateView,
  templateView,
  type WholeTemplateView,
  wholeBuiltInView,
  wholeTemplateView,
} from './views/templates.ts'

/**
 * Returns the draft with all of its media as a stream. Only one piece of one medium is in memory at a time. Media that
 * the tournament lacks are listed in a problem, never sent. (overlays: Operations, package)
 * @throws Problem `overlay.unknown`, `scene.asset_missing`, `package.too_large`
 */
export async function readPackage(db: Db, overlay: Overlay, storage: Storage): Promise<Readable> {
  const draft = await readDraft(db, overlay.guid)
  if (draft === undefined) throw unknownOverlay()
  const { document } = draft
  const shown = assetsOf(document)
  const media = (await listOverlayMedia(db, overlay.tournamentGuid, shown)).map((medium) => ({
    ...medium,
    name: packagedName(medium.name, medium.kind),
  }))
  const missing = shown.filter((guid) => media.every((medium) => medium.guid !== guid))
  if (missing.length > 0) {
    const sentence = 'The draft shows media that are not the tournament’s, or were deleted; take these out first.'
    throw conflict('scene.asset_missing', sentence, { missing })
  }
  const size = packageBytes(jsonBytes(document), media)
  if (size > maxPackageBytes) {
    const sentence = `The package would have ${size} bytes, and may have ${maxPackageBytes}; show fewer or smaller media.`
    throw conflict('package.too_large', sentence)
  }
  return Readable.from(pieces(document, media, storage), { objectMode: false })
}

async function* pieces(document: SceneDocument, media: readonly OverlayMedium[], storage: Storage) {
  yield packageHead(document)
  for (const [index, { guid, digest, ...asset }] of media.entries()) {
    yield assetHead({ ...asset, media: guid }, index)
    yield* base64Of(storage, digest.toString('hex'))
    yield assetEnd
  }
  yield packageEnd
}

/** Three bytes become four letters, so the rest of a piece is encoded with the next one. */
async function* base64Of(storage: Storage, digest: string) {
  const object = await storage.get(objectName(digest))
  if (object === null) throw new Error(`the object ${digest} of a medium is not there`)
  let left: Buffer = Buffer.alloc(0)
  for await (const chunk of object.stream) {
    const bytes = Buffer.concat([left, chunk as Buffer])
    const whole = bytes.length - (bytes.length % 3)
    left = bytes.subarray(whole)
    yield bytes.subarray(0, whole).toString('base64')
  }
  yield left.toString('base64')
}

/**
 * Returns all templates for the caller: the built-in ones, the caller's own, then the tournament's overlays that the
 * caller may edit. (overlays: Operations)
 * @throws Problem `tournament.unknown`
 */
export async function readTemplates(db: Db, actor: Actor, tournament: string | undefined): Promise<TemplateView[]> {
  const overlays = tournament === undefined ? [] : await readOverlays(db, actor, tournament)
  const own = actor.guid === null ? [] : await listTemplates(db, actor.guid)
  return [...builtInTemplates.map(builtInView), ...own.map(templateView), ...overlays]
}

async function readOverlays(db: Db, actor: Actor, identifier: string): Promise<TemplateView[]> {
  const { record, actor: here = actor } = await resolveTournament({ db, actor, records: {}, query: {} }, identifier)
  const { guid } = record as { readonly guid: string }
  const overlays = (await listOverlays(db, guid)).filter((overlay) => mayEdit(here, overlay))
  const scenes = await listPublishedScenes(
    db,
    overlays.map((overlay) => overlay.guid),
  )
  return overlays.map((overlay) => overlayAsTemplateView(overlay, scenes.get(overlay.guid) ?? []))
}

/** @throws Problem `template.unknown` */
export async function readTemplate(db: Db, actor: Actor, name: string): Promise<WholeTemplateView> {
  const builtIn = builtInTemplates.find(({ key }) => key === name)
  if (builtIn !== undefined) return wholeBuiltInView(builtIn)
  const user = actor.guid
  const own =
    user === null || !isGuid(name) ? undefined : await findTemplate(db, { template: normaliseGuid(name), user })
  if (own === undefined) throw unknownTemplate()
  return wholeTemplateView(own)
}

/**
 * Returns an overlay of any tournament that the actor may edit.
 * @throws Problem `overlay.unknown`, `template.overlay_forbidden`
 */
export async function findEditable(db: Db, actor: SignedIn, guid: string): Promise<Overlay> {
  const overlay = isGuid(guid) ? await findOverlay(db, normaliseGuid(guid)) : undefined
  if (overlay === undefined) throw unknownOverlay()
  const here = await actorIn(db, actor, overlay.tournamentGuid)
  if (here === undefined || !maySee(here, overlay)) throw unknownOverlay()
  if (mayEdit(here, overlay)) return overlay
  throw forbidden(
    'template.overlay_forbidden',
    'Only the publishers and editors of the overlay may make templates of it.',
  )
}
