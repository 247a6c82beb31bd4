import type { Constraints } from '../../../infra/db/constraints.ts'
import { nameTaken } from './rules.ts'

export const overlaysConstraints: Constraints = { overlays_name_unique: nameTaken }
