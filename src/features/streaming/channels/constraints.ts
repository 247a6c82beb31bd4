import type { Constraints } from '../../../infra/db/constraints.ts'
import { unknownMatch } from '../../brackets/matches/rules.ts'

/** The bracket may be generated anew while its matches are put in a queue. */
export const channelsConstraints: Constraints = { channel_entries_match_guid_matches_guid_fk: unknownMatch }
