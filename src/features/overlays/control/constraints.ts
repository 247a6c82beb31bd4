import type { Constraints } from '../../../infra/db/constraints.ts'
import { unknownMatch } from '../../brackets/matches/rules.ts'
import { unknownOverlay } from '../overlays/resolve.ts'

/** The overlay may be deleted, or the bracket generated again, while a caller changes the control state. */
export const controlConstraints: Constraints = {
  overlay_controls_overlay_guid_overlays_guid_fk: unknownOverlay,
  overlay_controls_match_guid_matches_guid_fk: unknownMatch,
}
