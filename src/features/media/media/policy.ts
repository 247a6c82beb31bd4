import { type Actor, policy } from '../../../core/actor.ts'
import { isForOverlays, type MediaKind, mediaKinds } from '../../../core/media.ts'
import { platformAdministrators } from '../../listing/platforms/policy.ts'
import { ownersAndDevelopers } from '../../people/users/policy.ts'
import { mayManageTeam } from '../../teams/teams/policy.ts'
import type { Team } from '../../teams/teams/types.ts'
import { isAnyStaff, isOrganiser, isOrganiserOrStaff, mayPublishOverlays } from '../../tournaments/access/policy.ts'
import type { Medium } from './types.ts'

/** Rights on media. The actor has their roles in the medium's tournament, or on its platform. */

/**
 * Who may upload which kind. User media: every user. Team pictures: the captain and the organiser. Platform pictures:
 * admins. Tournament pictures, those of its updates included (D44): the organiser and `role:staff`. Overlay media:
 * publishers of overlays, and editors of one of the tournament's overlays. Badges and awards: badge managers; the
 * organiser for a badge of the tournament. (media: Record and kinds)
 */
export function mayUpload(
  actor: Actor,
  kind: MediaKind,
  target: {
    readonly team: Pick<Team, 'captainGuid'> | null
    readonly isInTournament: boolean
    /** Whether the actor is an editor of an overlay of the tournament. */
    readonly isOverlayEditor: boolean
  },
): boolean {
  switch (mediaKinds[kind].target) {
    case 'user':
      return true
    case 'team':
      return target.team !== null && mayManageTeam(actor, target.team)
    case 'platform':
      return platformAdministrators.allows(actor, {})
    case 'tournament':
      return isForOverlays(kind) ? mayPublishOverlays(actor) || target.isOverlayEditor : isOrganiserOrStaff(actor)
    case 'library':
      return managesBadges(actor) || (kind === 'badge_image' && target.isInTournament && isOrganiser(actor))
  }
}

function managesBadges(actor: Actor): boolean {
  return actor.globalRoles.has('global:badges:manage')
}

function owns(actor: Actor, { ownerGuid }: Medium): boolean {
  return actor.guid !== null && ownerGuid === actor.guid
}

/**
 * Visible to its owner, the staff of its tournament, the members of its platform, owners and developers.
 * (media: Operations)
 */
export function maySeeMedium(actor: Actor, medium: Medium): boolean {
  return (
    owns(actor, medium) ||
    ownersAndDevelopers.allows(actor, {}) ||
    (medium.tournamentGuid !== null && isAnyStaff(actor)) ||
    (medium.platformGuid !== null && actor.platformRole !== null) ||
    mayDeleteMedium(actor, medium)
  )
}

/**
 * Who may delete a medium: its owner, if it is a user medium or if its tournament or platform was deleted; for
 * tournament media the organiser and `role:staff`; for team pictures also the captain; for platform media its admins;
 * for badges and awards badge managers; owners and developers everything. (media: Operations)
 */
export function mayDeleteMedium(actor: Actor, medium: Medium): boolean {
  if (ownersAndDevelopers.allows(actor, {})) return true
  const { target } = mediaKinds[medium.kind]
  if (target === 'user') return owns(actor, medium)
  if (target === 'library' && managesBadges(actor)) return true
  if (target === 'team' && medium.team !== null && actor.guid === medium.team.captainGuid) return true
  // A deleted tournament or platform gives no roles.
  if (medium.tournamentGuid !== null)
    return medium.tournament === null ? owns(actor, medium) : isOrganiserOrStaff(actor)
  if (medium.platformGuid === null) return false
  return medium.platform === null ? owns(actor, medium) : actor.platformRole === 'admin'
}

/**
 * Owners may take back their own user media at any time, whatever shows them. The fields are unset, as in a takedown.
 * Documents keep the address, but show nothing in its place.
 */
export function mayTakeBack(actor: Actor, medium: Medium): boolean {
  return mediaKinds[medium.kind].target === 'user' && owns(actor, medium)
}

export const mediaKeepers = policy<{ readonly media: Medium }>(
  'whoever may delete the medium: its owner, the organiser and staff of its tournament, or admins of its platform,',
  (actor, { media }) => mayDeleteMedium(actor, media),
)
