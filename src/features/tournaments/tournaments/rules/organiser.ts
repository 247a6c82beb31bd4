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
 * A user is the organiser of at most 50 drafts, which nobody but them has use for; global tournament managers, who make
 * tournaments for others, of any number.
 * @param drafts that they are the organiser of already
 */
export function hasRoomForDraft({ globalRoles }: Pick<User, 'globalRoles'>, drafts: number): boolean {
  return drafts < maxDrafts || withImpliedRoles(globalRoles).has('global:tournaments:manage')
}

/**
 * Whoever has as many drafts as there may be makes no other one.
 * @throws Problem `tournament.too_many_drafts`
 */
export function checkRoomForDraft(user: Pick<User, 'globalRoles'>, drafts: number): void {
  if (hasRoomForDraft(user, drafts)) return
  throw conflict('tournament.too_many_drafts', `You have ${maxDrafts} drafts; delete or cancel one of them first.`)
}

/**
 * Nor do they receive one. How many drafts somebody has is theirs to know, so that they are unfit like anybody who is.
 * @throws Problem `tournament.organiser_unfit`
 */
export function checkMayReceiveDraft(user: Pick<User, 'globalRoles'>, drafts: number): void {
  if (!hasRoomForDraft(user, drafts)) throw unfit()
}

/**
 * Only a draft can be deleted; anything that others have seen is cancelled instead. (D35)
 * @throws Problem `tournament.not_draft`
 */
export function checkDeletable(status: TournamentStatus): void {
  if (status !== 'draft') {
    throw conflict('tournament.not_draft', 'Only a draft can be deleted; cancel the tournament instead.')
  }
}
