import type { Constraints } from '../../../infra/db/constraints.ts'
import { alreadyPending } from './rules/asking.ts'

export const badgeRequestsConstraints: Constraints = { badge_requests_pending_unique: alreadyPending }
