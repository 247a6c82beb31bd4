import type { Actor } from '../../core/actor.ts'
import { isAnyStaff } from '../access/policy.ts'
import type { Tournament } from './types.ts'

/**
 * A draft is visible to its staff, to reviewers of platforms that it asked, and to global managers; so is one that was
 * cancelled before anybody else could see it. Every other tournament is public. (D25, D26)
 */
export function maySeeTournament(actor: Actor, tournament: Tournament, isReviewer: boolean): boolean {
  return isPublic(tournament) || isAnyStaff(actor) || isReviewer
}

export function isPublic(tournament: Pick<Tournament, 'status' | 'approvedAt'>): boolean {
  return tournament.status !== 'draft' && !(tournament.status === 'cancelled' && tournament.approvedAt === null)
}
