import { accessOperations, staffInclude } from './features/access/routes.ts'
import { accessHoldings } from './features/access/store/holdings.ts'
import { activity } from './features/accounts/holdings.ts'
import { accountsOperations } from './features/accounts/routes.ts'
import { availabilityConstraints } from './features/availability/constraints.ts'
import { resolveSheet } from './features/availability/resolve.ts'
import { availabilityOperations } from './features/availability/routes.ts'
import { availabilityHoldings } from './features/availability/store/holdings.ts'
import { bracketsConstraints } from './features/brackets/constraints.ts'
import { resolveBracket } from './features/brackets/resolve.ts'
import { bracketsOperations, divisionsInclude } from './features/brackets/routes.ts'
import { calendarOperations } from './features/calendar/routes.ts'
import { divisionsConstraints } from './features/divisions/constraints.ts'
import { resolveDivision } from './features/divisions/resolve.ts'
import { divisionsOperations } from './features/divisions/routes.ts'
import { emailsJobs } from './features/emails/jobs.ts'
import { emailsOperations } from './features/emails/routes.ts'
import { emailsHoldings } from './features/emails/store/holdings.ts'
import type { Feature } from './features/feature.ts'
import { resolveIdentity } from './features/identities/resolve.ts'
import { identitiesOperations } from './features/identities/routes.ts'
import { matchesInclude } from './features/matches/list.ts'
import { resolveCorrection, resolveMatch } from './features/matches/resolve.ts'
import { matchesOperations } from './features/matches/routes.ts'
import { matchesHoldings } from './features/matches/store/holdings.ts'
import { noticesOperations } from './features/notices/routes.ts'
import { noticesHoldings } from './features/notices/store/holdings.ts'
import { notifier } from './features/notifications/follower.ts'
import { notificationsOperations } from './features/notifications/routes.ts'
import { notificationsHoldings } from './features/notifications/store/holdings.ts'
import { placementsOperations } from './features/placements/routes.ts'
import { leavePlatforms } from './features/platforms/commands.ts'
import { platformsConstraints } from './features/platforms/constraints.ts'
import { resolvePlatform } from './features/platforms/resolve.ts'
import { platformsOperations } from './features/platforms/routes.ts'
import { platformsSections } from './features/platforms/store/holdings.ts'
import { insertSystemPlatform } from './features/platforms/store.ts'
import { profilesOperations } from './features/profiles/routes.ts'
import { qualifiersOperations } from './features/qualifiers/routes.ts'
import { qualifiersHoldings } from './features/qualifiers/store/holdings.ts'
import { rankingsHoldings } from './features/rankings/store/holdings.ts'
import { registrationOperations } from './features/registration/routes.ts'
import { registrationHoldings } from './features/registration/store/holdings.ts'
import { resolveProposal } from './features/schedules/resolve.ts'
import { schedulesOperations } from './features/schedules/routes.ts'
import { schedulesHoldings } from './features/schedules/store/holdings.ts'
import { sessionsJobs } from './features/sessions/jobs.ts'
import { sessionsOperations } from './features/sessions/routes.ts'
import { standInOperations } from './features/sessions/stand-in/routes.ts'
import { sessionsHoldings } from './features/sessions/store/holdings.ts'
import { leaveTeams } from './features/teams/commands/parting.ts'
import { teamsConstraints } from './features/teams/constraints.ts'
import { resolveInvitation, resolveMember, resolveTeam } from './features/teams/resolve.ts'
import { teamsInclude, teamsOperations } from './features/teams/routes.ts'
import { teamsSections } from './features/teams/store/holdings.ts'
import { timelineInclude, timelineOperations } from './features/timeline/routes.ts'
import { tournamentsConstraints } from './features/tournaments/constraints.ts'
import { resolveTournament } from './features/tournaments/resolve.ts'
import { includingOperations, tournamentsOperations } from './features/tournaments/routes.ts'
import { tournamentsHoldings } from './features/tournaments/store/holdings.ts'
import { updatesJobs } from './features/updates/jobs.ts'
import { resolveUpdate } from './features/updates/resolve.ts'
import { updatesOperations } from './features/updates/routes.ts'
import { updatesHoldings } from './features/updates/store/holdings.ts'
import { usersConstraints } from './features/users/constraints.ts'
import { resolveUser } from './features/users/resolve.ts'
import { usersOperations } from './features/users/routes.ts'
import { usersHoldings } from './features/users/store/holdings.ts'
import { resolveVisibilityRequest } from './features/visibility/resolve.ts'
import { visibilityOperations } from './features/visibility/routes.ts'
import { visibilityHoldings } from './features/visibility/store/holdings.ts'
import { webhooksFollower } from './features/webhooks/follower.ts'
import { webhooksGauges } from './features/webhooks/gauges.ts'
import { webhooksJobs } from './features/webhooks/jobs.ts'
import { webhooksOperations } from './features/webhooks/routes.ts'
import { webhooksHoldings } from './features/webhooks/store/holdings.ts'
import { withdrawalsOperations } from './features/withdrawals/routes.ts'

/**
 * The slices, each with what it may import: the executable architecture. A slice stands below those that it uses, so
 * that the list has no cycle; test/architecture.test.ts holds the code to it.
 */
export const features: readonly Feature[] = [
  { name: 'rankings', uses: [], holdings: rankingsHoldings },
  {
    name: 'users',
    uses: [],
    operations: usersOperations,
    resolvers: { user: resolveUser },
    constraints: usersConstraints,
    holdings: usersHoldings,
  },
  {
    name: 'sessions',
    uses: ['users'],
    operations: sessionsOperations,
    extras: standInOperations,
    jobs: sessionsJobs,
    holdings: sessionsHoldings,
  },
  { name: 'emails', uses: ['users'], operations: emailsOperations, jobs: emailsJobs, holdings: emailsHoldings },
  {
    name: 'identities',
    uses: ['rankings', 'users', 'sessions'],
    operations: identitiesOperations,
    resolvers: { identity: resolveIdentity },
  },
  {
    name: 'access',
    uses: ['users'],
    operations: accessOperations,
    includes: { staff: staffInclude },
    holdings: accessHoldings,
  },
  {
    name: 'notifications',
    uses: ['users'],
    operations: notificationsOperations,
    followers: [notifier],
    holdings: notificationsHoldings,
  },
  {
    name: 'platforms',
    uses: ['users', 'access'],
    operations: platformsOperations,
    resolvers: { platform: resolvePlatform },
    constraints: platformsConstraints,
    holdings: { sections: platformsSections, forget: leavePlatforms },
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
    holdings: tournamentsHoldings,
  },
  {
    name: 'timeline',
    uses: ['access', 'tournaments'],
    operations: timelineOperations,
    includes: { timeline: timelineInclude },
  },
  { name: 'notices', uses: ['users'], operations: noticesOperations, holdings: noticesHoldings },
  { name: 'calendar', uses: ['platforms', 'tournaments'], operations: calendarOperations },
  {
    name: 'visibility',
    uses: ['users', 'access', 'platforms', 'tournaments'],
    operations: visibilityOperations,
    resolvers: { visibilityRequest: resolveVisibilityRequest },
    holdings: visibilityHoldings,
  },
  {
    name: 'webhooks',
    uses: ['users', 'platforms', 'tournaments', 'visibility'],
    operations: webhooksOperations,
    jobs: webhooksJobs,
    followers: [webhooksFollower],
    gauges: webhooksGauges,
    holdings: webhooksHoldings,
  },
  {
    name: 'updates',
    uses: ['access', 'platforms', 'tournaments'],
    operations: updatesOperations,
    resolvers: { update: resolveUpdate },
    jobs: updatesJobs,
    holdings: updatesHoldings,
  },
  {
    name: 'teams',
    uses: ['users', 'access', 'notifications', 'tournaments'],
    operations: teamsOperations,
    includes: { teams: teamsInclude },
    resolvers: { team: resolveTeam, member: resolveMember, invitation: resolveInvitation },
    constraints: teamsConstraints,
    holdings: { sections: teamsSections, forget: leaveTeams },
  },
  {
    name: 'divisions',
    uses: ['access', 'tournaments'],
    operations: divisionsOperations,
    resolvers: { division: resolveDivision },
    constraints: divisionsConstraints,
  },
  {
    name: 'brackets',
    uses: ['users', 'access', 'tournaments', 'teams', 'divisions'],
    operations: bracketsOperations,
    includes: { divisions: divisionsInclude },
    resolvers: { bracket: resolveBracket },
    constraints: bracketsConstraints,
  },
  { name: 'withdrawals', uses: ['teams', 'brackets'], operations: withdrawalsOperations },
  {
    name: 'registration',
    uses: ['rankings', 'users', 'access', 'tournaments', 'teams', 'withdrawals'],
    operations: registrationOperations,
    holdings: registrationHoldings,
  },
  {
    name: 'placements',
    uses: ['access', 'tournaments', 'brackets'],
    operations: placementsOperations,
  },
  {
    name: 'matches',
    uses: ['users', 'access', 'tournaments', 'teams', 'divisions', 'brackets', 'placements'],
    operations: matchesOperations,
    includes: { matches: matchesInclude },
    resolvers: { match: resolveMatch, correction: resolveCorrection },
    holdings: matchesHoldings,
  },
  {
    name: 'qualifiers',
    uses: ['users', 'access', 'platforms', 'tournaments', 'teams', 'registration'],
    operations: qualifiersOperations,
    holdings: qualifiersHoldings,
  },
  {
    name: 'availability',
    uses: ['users', 'access', 'tournaments', 'teams'],
    operations: availabilityOperations,
    resolvers: { sheet: resolveSheet },
    constraints: availabilityConstraints,
    holdings: availabilityHoldings,
  },
  {
    name: 'schedules',
    uses: ['users', 'access', 'tournaments', 'teams', 'brackets', 'matches', 'availability'],
    operations: schedulesOperations,
    resolvers: { proposal: resolveProposal },
    holdings: schedulesHoldings,
  },
  {
    name: 'profiles',
    uses: ['users', 'emails', 'access', 'notifications', 'tournaments', 'teams'],
    operations: profilesOperations,
  },
  {
    name: 'accounts',
    uses: ['users', 'teams', 'profiles'],
    overHoldings: accountsOperations,
    holdings: activity,
  },
]
