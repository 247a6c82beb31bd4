import { conflict } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'

export const tournamentsConstraints: Constraints = {
  tournaments_id: () => conflict('tournament.id_taken', 'Another tournament has this short id; choose another.'),
}
