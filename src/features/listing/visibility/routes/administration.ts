import { type Static, Type } from 'typebox'
import { Answer, command, query } from '../../../../core/operation.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { ownersAndDevelopers } from '../../../people/users/policy.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { UserCard, userCard } from '../../../people/users/views.ts'
import { tournamentStatuses } from '../../../tournaments/tournaments/types.ts'
import { platformOverseers } from '../../platforms/policy.ts'
import { listPlatforms } from '../../platforms/store.ts'
import { PlatformSummary, platformSummary } from '../../platforms/views.ts'
import { deletePlatform } from '../commands.ts'
import {
  countRequests,
  type LatestDecision,
  type LatestRequest,
  listLatestDecisions,
  listLatestRequests,
} from '../store/overview.ts'
import { decisions, type RequestStatus, requestStatuses } from '../types.ts'

/** All platforms together, for the users who manage them. (rest-interface: Tournament platforms and visibility) */

const shown = 25

const Tournament = Type.Object(
  {
    guid: Guid,
    id: Type.String({ examples: ['spring-cup'] }),
    name: Type.String({ examples: ['Spring Cup'] }),
    status: oneOf(tournamentStatuses),
  },
  { title: 'TournamentSummary', description: 'A tournament, in short.' },
)

const Latest = Type.Object(
  {
    guid: Guid,
    status: oneOf(requestStatuses),
    requestedAt: Instant,
    platform: PlatformSummary,
    tournament: Tournament,
  },
  { title: 'LatestVisibilityRequest' },
)

const Decided = Type.Object(
  {
    requestGuid: Guid,
    decision: oneOf(decisions),
    reason: nullable(Type.String()),
    decidedAt: Instant,
    decidedBy: UserCard,
    platform: PlatformSummary,
    tournament: Tournament,
  },
  { title: 'LatestVisibilityDecision' },
)

const count = Type.Integer({ examples: [3] })

const Overview = Type.Object(
  {
    platforms: Type.Array(
      Type.Object({
        platform: PlatformSummary,
        requests: Type.Object(
          { pending: count, approved: count, rejected: count, blocked: count, withdrawn: count } satisfies Record<
            RequestStatus,
            typeof count
          >,
          { description: 'How many there are of each status.' },
        ),
      }),
      { description: 'The system platform first.' },
    ),
    latestRequests: Type.Array(Latest, { description: `The last ${shown} that were submitted, newest first.` }),
    latestDecisions: Type.Array(Decided, { description: `The last ${shown}, newest first, whatever followed.` }),
  },
  { title: 'PlatformsOverview', description: 'What goes on on all platforms.' },
)

const overview = query({
  name: 'admin.platformsOverview',
  method: 'GET',
  path: '/admin/tournament-platforms/overview',
  scope: 'rest:read',
  allow: platformOverseers,
  summary: 'Requests of every platform by status, and the latest requests and decisions.',
  description: `For those who look after all platforms. Of requests and of decisions the last ${shown}.`,
  reply: { 200: Overview },
  run: async ({ db }) => {
    const [platforms, counts, requests, decided] = await Promise.all([
      listPlatforms(db),
      countRequests(db),
      listLatestRequests(db, shown),
      listLatestDecisions(db, shown),
    ])
    const reviewers = await listUserFacts(
      db,
      decided.map(({ decidedByGuid }) => decidedByGuid),
    )
    const countsByKey = new Map(counts.map(({ platformGuid, status, count }) => [`${platformGuid} ${status}`, count]))
    const countOf = (platformGuid: string, status: RequestStatus) => countsByKey.get(`${platformGuid} ${status}`) ?? 0
    return {
      platforms: platforms.map((platform) => ({
        platform: platformSummary(platform),
        requests: {
          pending: countOf(platform.guid, 'pending'),
          approved: countOf(platform.guid, 'approved'),
          rejected: countOf(platform.guid, 'rejected'),
          blocked: countOf(platform.guid, 'blocked'),
          withdrawn: countOf(platform.guid, 'withdrawn'),
        },
      })),
      latestRequests: requests.map(latestView),
      latestDecisions: decided.map((decision) => decisionView(decision, reviewers)),
    }
  },
})

function latestView({ requestedAt, platform, ...request }: LatestRequest): Static<typeof Latest> {
  return { ...request, requestedAt: formatInstant(requestedAt), platform: platformSummary(platform) }
}

function decisionView(
  { decidedAt, decidedByGuid, platform, ...decision }: LatestDecision,
  users: ReadonlyMap<string, UserFacts>,
): Static<typeof Decided> {
  const user = users.get(decidedByGuid)
  if (user === undefined) throw new Error('a decision was made by nobody')
  return {
    ...decision,
    decidedAt: formatInstant(decidedAt),
    decidedBy: userCard(user),
    platform: platformSummary(platform),
  }
}

const remove = command({
  name: 'admin.deletePlatform',
  method: 'DELETE',
  path: '/admin/tournament-platforms/:platform',
  scope: 'rest:write',
  allow: ownersAndDevelopers,
  summary: 'Delete a platform with its members, settings, requests and public list, for good.',
  description: 'Tournaments stay, and lose only their place on this list. The system platform cannot be deleted.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'platform.is_system': 409 },
  run: async ({ tx, actor, platform, now }) => {
    await deletePlatform(tx, actor, platform.guid, now)
    return new Answer(204)
  },
})

export const administrationOperations = [overview, remove]
