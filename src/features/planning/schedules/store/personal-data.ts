import { listProposalsOf } from './proposals.ts'

/** What users had worked out; it stays, as what they did in the log does. */
export const schedulesPersonalData = { sections: { scheduleProposals: listProposalsOf } }
