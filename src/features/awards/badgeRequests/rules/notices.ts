import type { Notice } from '../../../people/notifications/types.ts'
import type { BadgeRequest } from '../types.ts'

type Named = Pick<BadgeRequest, 'guid' | 'tournament'>

function dataOf({ guid, tournament }: Named) {
  return { badgeRequestGuid: guid, tournamentGuid: tournament.guid }
}

/** Notifies managers of a new request. (badges: States of a request) */
export function askedNotice(request: Named): Notice {
  return {
    type: 'badge_request.created',
    title: `Badges are asked for: ${request.tournament.name}`,
    body: 'The request waits for your decision.',
    data: dataOf(request),
  }
}

/** Notifies the organiser of the decision. (badges: States of a request) */
export function decidedNotice(request: Named & Pick<BadgeRequest, 'status' | 'reason'>): Notice {
  const { status, reason, tournament } = request
  const isApproved = status === 'approved'
  return {
    type: `badge_request.${isApproved ? 'approved' : 'rejected'}`,
    title: `Badges of ${tournament.name} were ${isApproved ? 'approved' : 'rejected'}`,
    body: reason ?? 'Their recipients have them now.',
    data: dataOf(request),
  }
}

/** Notifies a recipient once of all badges of a request. (badges: States of a request) */
export function grantedNotice(request: Named, names: readonly string[]): Notice {
  const [only] = names
  return {
    type: 'badge.granted',
    title: names.length === 1 ? `You have a new badge: ${only}` : `You have ${names.length} new badges`,
    body: `For ${request.tournament.name}${names.length === 1 ? '' : `: ${names.join(', ')}`}.`,
    data: { tournamentGuid: request.tournament.guid },
  }
}

/** Notifies the organiser that granted badges stay after the tournament is reopened. (B6) */
export function reopenedNotice(tournament: { readonly guid: string; readonly name: string }): Notice {
  return {
    type: 'badge.tournament_reopened',
    title: `Badges of ${tournament.name} stay with their holders`,
    body: 'The tournament was reopened after badges were given. Managers of badges can revoke those that are wrong.',
    data: { tournamentGuid: tournament.guid },
  }
}
