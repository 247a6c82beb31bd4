import { conflict } from '../../core/problem.ts'
import type { Constraints } from '../../infra/db/constraints.ts'

export const divisionsConstraints: Constraints = {
  divisions_id: () => conflict('division.id_taken', 'Another division of the tournament has this id.'),
}
