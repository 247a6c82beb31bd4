import { conflict } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'
import { nominatedAlready } from './rules/nominating.ts'

export const awardsConstraints: Constraints = {
  award_editions_id_unique: () => conflict('award.id_taken', 'Another edition of awards has this id; choose another.'),
  award_nominations_target_unique: nominatedAlready,
}
