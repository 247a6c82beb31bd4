import { declarePersonalData } from '../../../infra/db/personal-data.ts'
import type { Slice } from '../../slice.ts'
import { forgetPerson } from './commands.ts'
import { rehearsalsEvents } from './events.ts'
import { rehearsalsDue, rehearsalsJobs } from './jobs.ts'
import { resolveRehearsal } from './resolve.ts'
import { rehearsalsOperations } from './routes.ts'
import { rehearsalsSections } from './store.ts'

export const rehearsals: Slice = {
  name: 'rehearsals',
  tags: { rehearsals: 'Copies of a tournament in which its evening is tried out, unseen by others.' },
  operations: rehearsalsOperations,
  parameters: {
    rehearsal: {
      description: 'GUID of a rehearsal of the tournament; for its staff.',
      resolve: resolveRehearsal,
      problems: { 'rehearsal.unknown': 'missing' },
    },
  },
  events: rehearsalsEvents,
  jobs: rehearsalsJobs,
  due: rehearsalsDue,
  personalData: declarePersonalData({ sections: rehearsalsSections, forget: [forgetPerson] }),
}
