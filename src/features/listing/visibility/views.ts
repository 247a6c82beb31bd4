import { type Static, Type } from 'typebox'
import type { Actor } from '../../../core/actor.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { isPublic } from '../../tournaments/tournaments/policy.ts'
import { type Tournament, tournamentStatuses, visibilityScopes } from '../../tournaments/tournaments/types.ts'
import { PlatformSummary } from '../platforms/views.ts'
import { maySeeBlocks } from './policy.ts'
import { asOrganisersSee, isShownToReviewers, mayAsk } from './rules.ts'
import {
  decisions,
  type PastDecision,
  type VisibilityRequest as Request,
  type RequestingTournament,
  type ReviewedRequest,
  requestStatuses,
  type Standing,
} from './types.ts'

const members = {
  guid: Guid,
  status: oneOf(requestStatuses),
  reason: nullable(Type.String(), 'What the reviewer said.'),
  requestedAt: Instant,
  decidedAt: nullable(Instant),
}

/** The schema of a request to be listed on a platform. (D52) */
export const VisibilityRequest = Type.Object(members, {
  title: 'VisibilityRequest',
  description: 'A tournament’s request to be listed on a platform.',
})

/** A request as reviewers see it. */
export function requestView(request: Request): Static<typeof VisibilityRequest> {
  return {
    guid: request.guid,
    status: request.status,
    reason: request.reason,
    requestedAt: formatInstant(request.requestedAt),
    decidedAt: formatInstant(request.decidedAt),
  }
}

/** A request as the tournament's staff sees it: a block is shown as a rejection without a reason. */
export function organiserRequestView(request: Request, viewer: Actor): Static<typeof VisibilityRequest> {
  return requestView(maySeeBlocks(viewer) ? request : asOrganisersSee(request))
}

/** The schema of a tournament's requests on all platforms. (D52) */
export const Overview = Type.Object(
  {
    scope: oneOf(visibilityScopes, { description: '`all` covers platforms that are yet to come, too.' }),
    platforms: Type.Array(
      Type.Object({
        platform: PlatformSummary,
        request: nullable(VisibilityRequest, 'null where the tournament never asked.'),
        canRequest: Type.Boolean({ description: 'False when asking, or asking again, is of no use.' }),
      }),
      { description: 'Every platform, the system platform first.' },
    ),
    blocked: Type.Array(Guid, { description: 'Platforms that are skipped, whatever is chosen.' }),
  },
  { title: 'VisibilityOverview', description: 'Where a tournament wants to be seen, and what became of it.' },
)

export function overviewView(
  tournament: Pick<Tournament, 'status' | 'visibilityScope'>,
  standings: readonly Standing[],
  viewer: Actor,
): Static<typeof Overview> {
  return {
    scope: tournament.visibilityScope,
    platforms: standings.map(({ platform, request }) => ({
      platform,
      request: request === null ? null : organiserRequestView(request, viewer),
      canRequest: mayAsk(tournament.status, request?.status ?? null),
    })),
    blocked: standings.filter(({ request }) => request?.status === 'blocked').map(({ platform }) => platform.guid),
  }
}

const RequestingTournamentView = Type.Object(
  {
    guid: Guid,
    id: Type.String({ description: 'Short id.', examples: ['spring-cup'] }),
    name: Type.String({ examples: ['Spring Cup'] }),
    summary: nullable(Type.String(), 'Plain text.'),
    imageUrl: nullable(Type.String({ examples: ['https://cdn.example.org/cup.png'] })),
    status: oneOf(tournamentStatuses),
    startsAt: nullable(Instant),
    endsAt: nullable(Instant),
    organiser: UserCard,
  },
  {
    title: 'RequestingTournament',
    description:
      'A tournament as the queue of a platform shows it; its own address has the rest. Of a draft that withdrew its request, what it is about is left out.',
  },
)

/** The schema of a request as reviewers see it, with its tournament. (D52) */
export const ReviewedRequestView = Type.Object(
  {
    ...members,
    decidedBy: nullable(UserCard, 'Who decided last.'),
    tournament: RequestingTournamentView,
  },
  { title: 'ReviewedRequest', description: 'A request as the platform’s reviewers see it.' },
)

export async function readReviewedViews(
  db: Db,
  rows: readonly ReviewedRequest[],
): Promise<Static<typeof ReviewedRequestView>[]> {
  const users = await listUserFacts(
    db,
    rows.flatMap(({ request, tournament }) => [tournament.organiserGuid, request.decidedByGuid ?? []].flat()),
  )
  return rows.map(({ request, tournament }) => ({
    ...requestView(request),
    decidedBy: request.decidedByGuid === null ? null : cardOf(users, request.decidedByGuid),
    tournament: requestingView(request, tournament, users),
  }))
}

function requestingView(
  { status }: Request,
  tournament: RequestingTournament,
  users: ReadonlyMap<string, UserFacts>,
): Static<typeof RequestingTournamentView> {
  const isShown = isShownToReviewers(status, isPublic(tournament))
  return {
    guid: tournament.guid,
    id: tournament.id,
    name: tournament.name,
    summary: isShown ? tournament.summary : null,
    imageUrl: isShown ? tournament.imageUrl : null,
    status: tournament.status,
    startsAt: isShown ? formatInstant(tournament.startsAt) : null,
    endsAt: isShown ? formatInstant(tournament.endsAt) : null,
    organiser: cardOf(users, tournament.organiserGuid),
  }
}

export const DecisionView = Type.Object(
  {
    decision: oneOf(decisions),
    reason: nullable(Type.String()),
    decidedAt: Instant,
    decidedBy: UserCard,
  },
  { title: 'VisibilityDecision', description: 'What a reviewer decided on a request.' },
)

export async function readDecisionViews(db: Db, rows: readonly PastDecision[]): Promise<Static<typeof DecisionView>[]> {
  const users = await listUserFacts(
    db,
    rows.map(({ decidedByGuid }) => decidedByGuid),
  )
  return rows.map(({ decision, reason, decidedAt, decidedByGuid }) => ({
    decision,
    reason,
    decidedAt: formatInstant(decidedAt),
    decidedBy: cardOf(users, decidedByGuid),
  }))
}

/** Deleted accounts keep a user record, so every GUID has a card. */
function cardOf(users: ReadonlyMap<string, UserFacts>, guid: string): UserCard {
  const facts = users.get(guid)
  if (facts === undefined) throw new Error('somebody in a visibility request has no facts')
  return userCard(facts)
}
