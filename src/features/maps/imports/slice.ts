import type { Slice } from '../../slice.ts'
import { importsEvents } from './events.ts'
import { importsJobs } from './jobs.ts'
import { resolveImport } from './resolve.ts'
import { importsOperations } from './routes.ts'
import { importsPersonalData } from './store.ts'

export const imports: Slice = {
  name: 'imports',
  tags: { imports: 'Many maps into a pool at once: from text, playlists and other pools.' },
  operations: importsOperations,
  parameters: {
    import: {
      description: 'GUID of an import into the pool; for poolers.',
      resolve: resolveImport,
      problems: { 'import.unknown': 'missing' },
    },
  },
  events: importsEvents,
  jobs: importsJobs,
  personalData: importsPersonalData,
}
