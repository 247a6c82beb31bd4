import {
  type Actor,
  type Audience,
  type Policy,
  policy,
  publicAudience,
  type RecordPolicy,
} from '../../../core/actor.ts'
import type { TournamentRole } from '../../../core/roles.ts'
import { isAnyStaff, mayPublishOverlays } from '../../tournaments/access/policy.ts'
import type { Overlay } from './types.ts'

/** Publishers, and the users in the overlay's `editors`, may change its scenes. (overlays) */
export function mayEdit(actor: Actor, { editors }: Pick<Overlay, 'editors'>): boolean {
  return mayPublishOverlays(actor) || (actor.guid !== null && editors.includes(actor.guid))
}

const controlling: readonly TournamentRole[] = [
  'role:hcoordinator',
  'role:coordinator',
  'role:caster',
  'role:host',
  'role:referee',
]

/** Editors, coordinators, casters, hosts and referees may change the control state. (overlays) */
export function mayControl(actor: Actor, overlay: Pick<Overlay, 'editors'>): boolean {
  return mayEdit(actor, overlay) || controlling.some((role) => actor.roles.has(role))
}

/**
 * Staff and editors may see every overlay. A view token may see only its own overlay. Everybody may see a public
 * overlay. (overlays, OV16)
 */
export function maySee(actor: Actor, overlay: Pick<Overlay, 'guid' | 'access' | 'editors'>): boolean {
  if (actor.view !== null) return actor.view.overlayGuid === overlay.guid
  return overlay.access === 'public' || isInside(actor, overlay)
}

/** Whether the actor may see the internal data of an overlay: its editors and its draft. */
export function isInside(actor: Actor, overlay: Pick<Overlay, 'editors'>): boolean {
  return isAnyStaff(actor) || mayEdit(actor, overlay)
}

/**
 * Answers for insiders are not shared, because the draft changes without events. All other callers see the same, pages
 * with view tokens included.
 */
export const outsidersAudience: Audience = (actor, records) => {
  const { editors = [] } = (records.overlay ?? {}) as Partial<Overlay>
  return isInside(actor, { editors }) ? null : publicAudience
}

interface Addressed {
  readonly overlay: Overlay
}

export const publishers: Policy = policy(
  'the organiser, admins, staff and head casters of the tournament',
  mayPublishOverlays,
)

/** An editor needs no role in the tournament. */
export const editors: RecordPolicy<Addressed> = policy(
  'the publishers and editors of the overlay',
  (actor, { overlay }) => mayEdit(actor, overlay),
  (actor) => actor.guid !== null,
)

export const controllers: RecordPolicy<Addressed> = policy(
  'the editors of the overlay, and coordinators, casters, hosts and referees of the tournament,',
  (actor, { overlay }) => mayControl(actor, overlay),
  (actor) => actor.guid !== null,
)

/** Actors who may see the internal data of the overlay. */
export const insiders: RecordPolicy<Addressed> = policy(
  'staff of the tournament and editors of the overlay',
  (actor, { overlay }) => isInside(actor, overlay),
  (actor) => actor.guid !== null,
)
