import { accessOperations, staffInclude } from './features/access/routes.ts'
import type { Feature } from './features/feature.ts'
import { notifier } from './features/notifications/follower.ts'
import { notificationsOperations } from './features/notifications/routes.ts'
import { insertSystemPlatform } from './features/platforms/store.ts'
import { profilesOperations } from './features/profiles/routes.ts'
import { registrationOperations } from './features/registration/routes.ts'
import { sessionsJobs } from './features/sessions/jobs.ts'
import { sessionsOperations } from './features/sessions/routes.ts'
import { standInOperations } from './features/sessions/stand-in/routes.ts'
import { teamsConstraints } from './features/teams/constraints.ts'
import { resolveInvitation, resolveTeam } from './features/teams/resolve.ts'
import { teamsInclude, teamsOperations } from './features/teams/routes.ts'
import { timelineInclude, timelineOperations } from './features/timeline/routes.ts'
import { tournamentsConstraints } from './features/tournaments/constraints.ts'
import { resolveTournament } from './features/tournaments/resolve.ts'
import { includingOperations, tournamentsOperations } from './features/tournaments/routes.ts'
import { usersConstraints } from './features/users/constraints.ts'
import { resolveUser } from './features/users/resolve.ts'
import { usersOperations } from './features/users/routes.ts'
import { visibilityOperations } from './features/visibility/routes.ts'

/**
 * The slices, each with what it may import: the executable architecture. A slice stands below those that it uses, so
 * that the list has no cycle; test/architecture.test.ts holds the code to it.
 */
export const features: readonly Feature[] = [
  { name: 'rankings', uses: [] },
  {
    name: 'users',
    uses: [],
    operations: usersOperations,
    resolvers: { user: resolveUser },
    constraints: usersConstraints,
  },
  {
    name: 'sessions',
    uses: ['users'],
    operations: sessionsOperations,
    extras: standInOperations,
    jobs: sessionsJobs,
  },
  { name: 'access', uses: ['users'], operations: accessOperations, includes: { staff: staffInclude } },
  { name: 'notifications', uses: ['users'], operations: notificationsOperations, followers: [notifier] },
  {
    name: 'platforms',
    uses: ['users', 'access'],
    start: async ({ database, services: { config } }) =>
      database.transaction((tx) =>
        insertSystemPlatform(tx, config.systemPlatform.contextId, config.systemPlatform.name),
      ),
  },
  {
    name: 'tournaments',
    uses: ['users', 'access', 'platforms'],
    operations: tournamentsOperations,
    including: includingOperations,
    resolvers: { tournament: resolveTournament },
    constraints: tournamentsConstraints,
  },
  {
    name: 'timeline',
    uses: ['access', 'tournaments'],
    operations: timelineOperations,
    includes: { timeline: timelineInclude },
  },
  {
    name: 'visibility',
    uses: ['users', 'access', 'platforms', 'tournaments'],
    operations: visibilityOperations,
  },
  {
    name: 'teams',
    uses: ['users', 'access', 'notifications', 'tournaments'],
    operations: teamsOperations,
    includes: { teams: teamsInclude },
    resolvers: { team: resolveTeam, invitation: resolveInvitation },
    constraints: teamsConstraints,
  },
  {
    name: 'registration',
    uses: ['rankings', 'users', 'access', 'tournaments', 'teams'],
    operations: registrationOperations,
  },
  {
    name: 'profiles',
    uses: ['users', 'access', 'notifications', 'tournaments', 'teams'],
    operations: profilesOperations,
  },
]
