import type { Feature } from './features/feature.ts'
import { insertSystemPlatform } from './features/platforms/store.ts'
import { resolveTournament } from './features/tournaments/resolve.ts'
import { usersConstraints } from './features/users/constraints.ts'
import { resolveUser } from './features/users/resolve.ts'
import { usersOperations } from './features/users/routes.ts'

/**
 * The slices, each with what it may import: the executable architecture. A slice stands below those that it uses, so
 * that the list has no cycle; test/architecture.test.ts holds the code to it.
 */
export const features: readonly Feature[] = [
  {
    name: 'users',
    uses: [],
    operations: usersOperations,
    resolvers: { user: resolveUser },
    constraints: usersConstraints,
  },
  { name: 'access', uses: ['users'] },
  {
    name: 'platforms',
    uses: ['users', 'access'],
    start: async ({ database, services: { config } }) =>
      database.transaction((tx) =>
        insertSystemPlatform(tx, config.systemPlatform.contextId, config.systemPlatform.name),
      ),
  },
  { name: 'tournaments', uses: ['users', 'access', 'platforms'], resolvers: { tournament: resolveTournament } },
]
