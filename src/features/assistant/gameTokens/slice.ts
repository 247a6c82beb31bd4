import type { Slice } from '../../slice.ts'
import { gameTokensJobs } from './jobs.ts'
import { gameTokensOperations } from './routes.ts'

export const gameTokens: Slice = {
  name: 'gameTokens',
  tags: { gameTokens: 'Games that sign in to assistants by a ranking platform.' },
  operations: gameTokensOperations,
  jobs: gameTokensJobs,
}
