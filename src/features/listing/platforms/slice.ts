import { declarePersonalData } from '../../../infra/db/personal-data.ts'
import type { Slice } from '../../slice.ts'
import { platformMediaFields } from './commands/media.ts'
import { establishSystemPlatform, leavePlatforms } from './commands/platforms.ts'
import { platformsConstraints } from './constraints.ts'
import { platformsEvents } from './events.ts'
import { resolvePlatform } from './resolve.ts'
import { platformsOperations } from './routes.ts'
import { platformsSections } from './store.ts'

export const platforms: Slice = {
  name: 'platforms',
  tags: { platforms: 'Circles and sites that list tournaments, with their review teams.' },
  operations: platformsOperations,
  parameters: {
    platform: {
      description: 'Context id of a platform that lists tournaments, in any case.',
      resolve: resolvePlatform,
      problems: { 'platform.unknown': 'missing' },
    },
  },
  constraints: platformsConstraints,
  events: platformsEvents,
  mediaFields: platformMediaFields,
  personalData: declarePersonalData({ sections: platformsSections, forget: [leavePlatforms] }),
  start: ({ database, services: { config }, now }) =>
    database.transaction((tx) => establishSystemPlatform(tx, config.systemPlatform, now)),
}
