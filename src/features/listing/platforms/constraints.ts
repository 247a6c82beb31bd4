import { conflict } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'

export const platformsConstraints: Constraints = {
  platforms_context_id: () =>
    conflict('platform.context_id_taken', 'Another platform has this context id; choose another.'),
}
