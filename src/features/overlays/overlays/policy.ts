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

/** Publishers, and the users whom they have named for this overlay, change its scenes. (overlays) */
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

/** Editors, coordinators, casters, hosts and referees decide what is shown now. (overlays) */
export function mayControl(actor: Actor, overlay: Pick<Overlay, 'editors'>): boolean {
  return mayEdit(actor, overlay) || controlling.some((role) => actor.roles.has(role))
}

/** Staff and editors see every overlay, its own tokens see it and no other, and everybody sees one that is public. (overlays, OV16) */
export function maySee(actor: Actor, overlay: Pick<Overlay, 'guid' | 'access' | 'editors'>): boolean {
  if (actor.view !== null) return actor.view.overlayGuid === overlay.guid
  return overlay.access === 'public' || isInside(actor, overlay)
}

/** Whether the actor is shown what belongs to the making of an overlay: its editors, its draft. */
export function isInside(actor: Actor, overlay: Pick<Overlay, 'editors'>): boolean {
  return isAnyStaff(actor) || mayEdit(actor, overlay)
}

/**
 * Those who see how an overlay is made share nothing: its draft changes without events. Everybody else sees the same of it, pages
 * with view tokens among them.
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

/** Somebody may be named an editor without any role in the tournament. */
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

/** Of what belongs to the making of an overlay. */
export const insiders: RecordPolicy<Addressed> = policy(
  'staff of the tournament and editors of the overlay',
  (actor, { overlay }) => isInside(actor, overlay),
  (actor) => actor.guid !== null,
)
