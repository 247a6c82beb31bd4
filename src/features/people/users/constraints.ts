import type { Constraints } from '../../../infra/db/constraints.ts'
import { accountTaken } from './rules/identities.ts'

export const usersConstraints: Constraints = {
  identities_one_owner: accountTaken,
}
