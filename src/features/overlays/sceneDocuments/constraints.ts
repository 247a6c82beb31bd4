import type { Constraints } from '../../../infra/db/constraints.ts'
import { templateNameTaken } from './rules/templates.ts'

export const sceneDocumentsConstraints: Constraints = {
  overlay_templates_name_unique: templateNameTaken,
}
