import type { Slice } from '../../slice.ts'
import { resealLinks } from './commands.ts'
import { assistantLinksEvents } from './events.ts'
import { assistantLinksJobs } from './jobs.ts'
import { assistantLinksOperations } from './routes.ts'
import { assistantLinksPersonalData } from './store.ts'

export const assistantLinks: Slice = {
  name: 'assistantLinks',
  tags: { assistant: 'The match assistant, to which players’ games are connected.' },
  operations: assistantLinksOperations,
  reseal: resealLinks,
  events: assistantLinksEvents,
  jobs: assistantLinksJobs,
  personalData: assistantLinksPersonalData,
}
