import { type Actor, policy } from '../../../core/actor.ts'
import { isForOverlays, type MediaKind, mediaKinds } from '../../../core/media.ts'
import { platformAdministrators } from '../../listing/platforms/policy.ts'
import { ownersAndDevelopers } from '../../people/users/policy.ts'
import { mayManageTeam } from '../../teams/teams/policy.ts'
import type { Team } from '../../teams/teams/types.ts'
import { isAnyStaff, isOrganiser, isOrganiserOrStaff, mayPublishOverlays } from '../../tournaments/access/policy.ts'
import type { Medium } from './types.ts'

/** Who may do what with media. The actor is what they are in the medium's tournament, or on its platform. */

/**
 * Anyone for themselves; the captain and the organiser for a team; admins for a platform; the organiser and `role:staff` for
 * a tournament, whose updates are theirs too (D44), and for its overlays whoever may edit one of them; badge managers for badges and
 * awards, and the organiser for a badge of the tournament. (media: Record and kinds)
 */
export function mayUpload(
  actor: Actor,
  kind: MediaKind,
  target: {
    readonly team: Pick<Team, 'captainGuid'> | null
    readonly isInTournament: boolean
    /** Whether the actor is named as an editor of an overlay there. */
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

/** Its owner, the staff of its tournament, the members of its platform, owners and developers. (media: Operations) */
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
 * Its owner where it is theirs alone, or its tournament or platform is gone; the organiser and `role:staff` what is the tournament's, a captain the pictures of the team
 * too; admins what is the platform's; badge managers badges and awards; owners and developers everything. (media: Operations)
 */
export function mayDeleteMedium(actor: Actor, medium: Medium): boolean {
  if (ownersAndDevelopers.allows(actor, {})) return true
  const { target } = mediaKinds[medium.kind]
  if (target === 'user') return owns(actor, medium)
  if (target === 'library' && managesBadges(actor)) return true
  if (target === 'team' && medium.team !== null && actor.guid === medium.team.captainGuid) return true
  // Of a place that is gone nobody holds a role.
  if (medium.tournamentGuid !== null)
    return medium.tournament === null ? owns(actor, medium) : isOrganiserOrStaff(actor)
  if (medium.platformGuid === null) return false
  return medium.platform === null ? owns(actor, medium) : actor.platformRole === 'admin'
}

/**
 * Whoever gave a picture of their own takes it back whenever they like, whoever shows it: it goes from there as what is taken down
 * does. Documents that name it stay as they are, and show nothing where it was.
 */
export function mayTakeBack(actor: Actor, medium: Medium): boolean {
  return mediaKinds[medium.kind].target === 'user' && owns(actor, medium)
}

export const mediaKeepers = policy<{ readonly media: Medium }>(
  'whoever may delete the medium: its owner, the organiser and staff of its tournament, or admins of its platform,',
  (actor, { media }) => mayDeleteMedium(actor, media),
)
