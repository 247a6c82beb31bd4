import type { Constraints } from '../../../infra/db/constraints.ts'
import { unknownMatch } from '../../brackets/matches/rules.ts'

/** A match may be deleted, by generating its bracket again, while it is added to a queue. */
export const channelsConstraints: Constraints = { channel_entries_match_guid_matches_guid_fk: unknownMatch }
