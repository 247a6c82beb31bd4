import { listProposalsOf } from '../store.ts'

/** What users had worked out; it stays, as what they did in the log does. */
export const schedulesHoldings = { sections: { scheduleProposals: listProposalsOf } }
