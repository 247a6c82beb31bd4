import type { Constraints } from '../../../infra/db/constraints.ts'
import { accountTaken } from './rules/settings.ts'

export const usersConstraints: Constraints = {
  identities_one_owner: accountTaken,
}
