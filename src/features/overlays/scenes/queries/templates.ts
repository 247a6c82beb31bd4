import type { Actor, SignedIn } from '../../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { forbidden } from '../../../../core/problem.ts'
import { builtInTemplates } from '../../../../engine/scenes/templates/templates.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { resolveTournament } from '../../../tournaments/tournaments/resolve.ts'
import { mayEdit, maySee } from '../../overlays/policy.ts'
import { actorIn } from '../../overlays/queries.ts'
import { unknownOverlay } from '../../overlays/resolve.ts'
import { findOverlay, listOverlays } from '../../overlays/store/overlays.ts'
import type { Overlay } from '../../overlays/types.ts'
import { unknownTemplate } from '../../sceneDocuments/rules/templates.ts'
import { findTemplate, listPublishedScenes, listTemplates } from '../../sceneDocuments/store/templates.ts'
import {
  builtInView,
  overlayAsTemplateView,
  type TemplateView,
  templateView,
  type WholeTemplateView,
  wholeBuiltInView,
  wholeTemplateView,
} from '../views/templates.ts'

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
