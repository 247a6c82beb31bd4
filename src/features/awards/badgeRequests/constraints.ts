import type { Constraints } from '../../../infra/db/constraints.ts'
import { alreadyPending } from './rules.ts'

export const badgeRequestsConstraints: Constraints = { badge_requests_pending_unique: alreadyPending }
