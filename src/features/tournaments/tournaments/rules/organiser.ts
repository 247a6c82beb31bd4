import { conflict } from '../../../../core/problem.ts'
import { withImpliedRoles } from '../../../../core/roles.ts'
import type { User } from '../../../people/users/types.ts'
import type { TournamentStatus } from '../types.ts'

/**
 * A banned user cannot become the organiser of a tournament. (D24, D28)
 * @throws Problem `tournament.organiser_unfit`
 */
export function checkFitToOrganise(user: Pick<User, 'bannedAt'>): void {
  if (user.bannedAt !== null) throw unfit()
}

function unfit() {
  return conflict('tournament.organiser_unfit', 'This user cannot be an organiser.')
}

export const maxDrafts = 50

/**
 * Whether the user may have another draft. A user may be the organiser of at most 50 drafts: drafts are of no use to
 * anybody else. Global tournament managers have no limit, as they create tournaments for others.
 * @param drafts the number of drafts that the user organises already
 */
export function hasRoomForDraft({ globalRoles }: Pick<User, 'globalRoles'>, drafts: number): boolean {
  return drafts < maxDrafts || withImpliedRoles(globalRoles).has('global:tournaments:manage')
}

/**
 * Refuses a new draft for a user who has the maximum number of drafts.
 * @throws Problem `tournament.too_many_drafts`
 */
export function checkRoomForDraft(user: Pick<User, 'globalRoles'>, drafts: number): void {
  if (hasRoomForDraft(user, drafts)) return
  throw conflict('tournament.too_many_drafts', `You have ${maxDrafts} drafts; delete or cancel one of them first.`)
}

/**
 * Refuses to hand a draft over to a user who has the maximum number of drafts. The number is private, so the error is
 * the same as for any other unfit user.
 * @throws Problem `tournament.organiser_unfit`
 */
export function checkMayReceiveDraft(user: Pick<User, 'globalRoles'>, drafts: number): void {
  if (!hasRoomForDraft(user, drafts)) throw unfit()
}

/**
 * Only a draft can be deleted. A tournament that was public is cancelled instead. (D35)
 * @throws Problem `tournament.not_draft`
 */
export function checkDeletable(status: TournamentStatus): void {
  if (status !== 'draft') {
    throw conflict('tournament.not_draft', 'Only a draft can be deleted; cancel the tournament instead.')
  }
}
