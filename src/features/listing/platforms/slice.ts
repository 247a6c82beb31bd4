import type { Slice } from '../../slice.ts'
import { leavePlatforms } from './commands.ts'
import { platformsConstraints } from './constraints.ts'
import { resolvePlatform } from './resolve.ts'
import { platformsOperations } from './routes.ts'
import { platformsSections } from './store/personal-data.ts'
import { insertSystemPlatform } from './store/platforms.ts'

export const platforms: Slice = {
  name: 'platforms',
  operations: platformsOperations,
  resolvers: { platform: resolvePlatform },
  constraints: platformsConstraints,
  personalData: { sections: platformsSections, forget: leavePlatforms },
  start: async ({ database, services: { config } }) =>
    database.transaction((tx) => insertSystemPlatform(tx, config.systemPlatform.contextId, config.systemPlatform.name)),
}
