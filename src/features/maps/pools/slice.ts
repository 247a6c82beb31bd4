import type { Slice } from '../../slice.ts'
import { poolMediaFields } from './commands/media.ts'
import { poolsConstraints } from './constraints.ts'
import { poolsEvents } from './events.ts'
import { poolsDue, poolsJobs } from './jobs.ts'
import { resolvePool, resolvePoolMap } from './resolve.ts'
import { filesOperations } from './routes/files.ts'
import { flairsOperations } from './routes/flairs.ts'
import { poolMapsOperations } from './routes/maps.ts'
import { poolsOperations } from './routes/pools.ts'
import { setMissingNameKeys } from './store/name-keys.ts'
import { poolsPersonalData } from './store/personal-data.ts'

export const pools: Slice = {
  name: 'pools',
  tags: {
    pools: 'Maps that a tournament plays: drafted among poolers, published, corrected and archived.',
    flairs: 'What tells the maps of a pool apart.',
    pooling: 'How maps are suggested and voted on.',
  },
  operations: [...poolsOperations, ...poolMapsOperations, ...filesOperations, ...flairsOperations],
  parameters: {
    pool: {
      description: 'GUID of a map pool of the tournament that the caller may read.',
      resolve: resolvePool,
      problems: { 'pool.unknown': 'missing' },
    },
    poolGuid: { description: 'GUID of a map pool of any tournament that everybody sees.' },
    poolMap: {
      description: 'GUID of a map in the pool, which is not that of the map in the catalogue.',
      resolve: resolvePoolMap,
      problems: { 'pool.map_unknown': 'missing' },
    },
  },
  constraints: poolsConstraints,
  events: poolsEvents,
  mediaFields: poolMediaFields,
  start: async ({ database }) => {
    while (await database.transaction(setMissingNameKeys)) {}
  },
  due: poolsDue,
  personalData: poolsPersonalData,
  jobs: poolsJobs,
}
