import { conflict } from '../../../../core/problem.ts'
import type { User } from '../../../people/users/types.ts'
import type { TournamentStatus } from '../types.ts'

/**
 * A banned user cannot become the organiser of a tournament. (D24, D28)
 * @throws Problem `tournament.organiser_unfit`
 */
export function checkFitToOrganise(user: Pick<User, 'bannedAt'>): void {
  if (user.bannedAt !== null) throw conflict('tournament.organiser_unfit', 'This user cannot be an organiser.')
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
