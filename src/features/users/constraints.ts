import { conflict } from '../../core/problem.ts'
import type { Constraints } from '../../infra/db/constraints.ts'

export const usersConstraints: Constraints = {
  identities_one_owner: () => conflict('identity.taken', 'This account is already linked to another user.'),
}
