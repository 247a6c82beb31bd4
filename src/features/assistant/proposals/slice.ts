import type { Slice } from '../../slice.ts'
import { proposalsEvents } from './events.ts'
import { proposalSuperseder } from './followers.ts'
import { proposalsDue } from './jobs.ts'
import { resolveGameProposal } from './resolve.ts'
import { liveOperations, proposalsOperations } from './routes.ts'
import { proposalsPersonalData } from './store/personal-data.ts'

export const proposals: Slice = {
  name: 'proposals',
  tags: {
    proposals: 'What songs came to, before anybody has made it a result.',
    live: 'How players do while a map is played.',
  },
  operations: [...proposalsOperations, ...liveOperations],
  parameters: {
    gameProposal: {
      description: 'GUID of a proposal, as the list of proposals of its match gives it.',
      resolve: resolveGameProposal,
      problems: { 'proposal.unknown': 'missing' },
    },
  },
  events: proposalsEvents,
  due: proposalsDue,
  followers: [proposalSuperseder],
  personalData: proposalsPersonalData,
}
