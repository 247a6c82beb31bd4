import { Type } from 'typebox'
import { isSignedIn } from '../../../../core/actor.ts'
import { command, query } from '../../../../core/operation.ts'
import {
  decodeCursor,
  defaultPageSize,
  isMakingPosition,
  makingPosition,
  type Position,
  toPage,
} from '../../../../core/page.ts'
import { Instant, NextCursor, nullable, oneOf, PageQuery } from '../../../../core/schema.ts'
import { playedTag } from '../../../people/users/views.ts'
import { platformReviewers } from '../../platforms/policy.ts'
import type { Platform } from '../../platforms/types.ts'
import { review, reviewForMainListing } from '../commands.ts'
import { requestsTag } from '../events.ts'
import { mainListingReviewers } from '../policy.ts'
import { isOfQueue, readRequestStatuses } from '../rules.ts'
import { listDecisions, listRequests, readRequest } from '../store/reviewing.ts'
import { decisions, requestStatuses } from '../types.ts'
import {
  DecisionView,
  ReviewedRequestView,
  readDecisionViews,
  readReviewedViews,
  requestView,
  VisibilityRequest,
} from '../views.ts'

/** Operations of a platform's reviewers. */

const reason = (description: string) => Type.Optional(Type.String({ maxLength: 2_000, description }))
const givenReason = (text: string | undefined) => text || null

const queueName = 'visibility.requests'

const list = query({
  name: 'visibility.listRequests',
  method: 'GET',
  path: '/tournament-platforms/:platform/requests',
  scope: 'rest:read',
  allow: platformReviewers,
  summary: 'Requests to a platform with their tournaments, newest first.',
  description:
    'The queue of the platform’s reviewers. Give `status=pending` for what is to be decided. Of a draft whose request was withdrawn, no more is shown than which it was.',
  query: Type.Object({
    status: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `Comma list of ${requestStatuses.join(', ')}.`,
        examples: ['pending'],
      }),
    ),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ requests: Type.Array(ReviewedRequestView), nextCursor: NextCursor }) },
  problems: { 'visibility.status_unknown': 400 },
  audience: (actor) => (isSignedIn(actor) ? 'reviewers' : null),
  live: {
    query: ['status'],
    sends: ['visibility.requested', 'visibility.approved', 'visibility.rejected', 'visibility.withdrawn'],
    concerns: ({ records, query: { status } }) => ({
      by: { platform: (records.platform as Platform).guid },
      isSent: (event) => isOfQueue(event, readRequestStatuses(status)),
    }),
  },
  run: async ({ db, platform, query: { status, limit = defaultPageSize, before }, depends }) => {
    const statuses = readRequestStatuses(status)
    const after = decodeCursor(queueName, before, isMakingPosition)
    const rows = await listRequests(db, platform.guid, { statuses, limit, after })
    const page = toPage(queueName, rows, limit, ({ request: { guid, requestedAt } }) =>
      makingPosition({ createdAt: requestedAt, guid }),
    )
    const requests = await readReviewedViews(db, page.items)
    depends(requestsTag(platform.guid), playedTag)
    for (const { request, tournament } of page.items) {
      depends(tournament.guid, tournament.organiserGuid)
      if (request.decidedByGuid !== null) depends(request.decidedByGuid)
    }
    return { requests, nextCursor: page.nextCursor }
  },
})

const decide = command({
  name: 'visibility.review',
  method: 'POST',
  path: '/tournament-platforms/:platform/requests/:visibilityRequest/review',
  scope: 'rest:write',
  socket: true,
  allow: platformReviewers,
  summary: 'Decide on a request, or decide anew.',
  description:
    'On the system platform an approval makes a draft an approved tournament, taking it back before the start makes it a draft again, and a block cancels it.',
  body: Type.Object(
    {
      decision: oneOf(decisions),
      reason: reason('Required unless the decision is `approved`; the organiser reads it, but for that of a block.'),
      expectedDecidedAt: Type.Optional(
        nullable(
          Instant,
          'The `decidedAt` that was read: where somebody has decided since, the answer is 409. Without it, the last decision counts.',
        ),
      ),
    },
    { examples: [{ decision: 'rejected', reason: 'The rules are missing.' }] },
  ),
  reply: { 200: Type.Object({ request: ReviewedRequestView }) },
  problems: {
    'request.unknown': 404,
    'visibility.reason_missing': 400,
    'visibility.withdrawn': 409,
    'visibility.decided': 409,
  },
  run: async ({ tx, actor, platform, visibilityRequest, body, services, now }) => {
    const { decision, reason: text, expectedDecidedAt } = body
    const seen = expectedDecidedAt == null ? expectedDecidedAt : new Date(expectedDecidedAt)
    const verdict = { decision, reason: givenReason(text), actorGuid: actor.guid, seen }
    const { guid, tournamentGuid } = await review(tx, platform, visibilityRequest, verdict, now)
    // Session logs are public and must not name the reviewer who blocked the tournament, so the service ends the
    // sessions.
    if (platform.isSystem && decision === 'blocked') await services.endSessions(tx, tournamentGuid, null)
    const [request] = await readReviewedViews(tx, [await readRequest(tx, guid)])
    if (request === undefined) throw new Error('one request was asked for')
    return { request }
  },
})

const historyName = 'visibility.decisions'
const isNumber = (position: Position): position is readonly [number] =>
  position.length === 1 && typeof position[0] === 'number'

const history = query({
  name: 'visibility.listDecisions',
  method: 'GET',
  path: '/tournament-platforms/:platform/requests/:visibilityRequest/history',
  scope: 'rest:read',
  allow: platformReviewers,
  summary: 'Who decided what on a request, newest first.',
  description: 'Every decision that was ever made, with its reviewer and reason; the newest is the one that holds.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ decisions: Type.Array(DecisionView), nextCursor: NextCursor }) },
  problems: { 'request.unknown': 404 },
  run: async ({ db, visibilityRequest, query: { limit = defaultPageSize, before } }) => {
    const [number] = decodeCursor(historyName, before, isNumber) ?? []
    const rows = await listDecisions(db, visibilityRequest.guid, limit, number)
    const page = toPage(historyName, rows, limit, (decision) => [decision.number])
    return { decisions: await readDecisionViews(db, page.items), nextCursor: page.nextCursor }
  },
})

const Reviewed = Type.Object({ request: VisibilityRequest })

const legacyProblems = { 'visibility.not_requested': 409, 'visibility.withdrawn': 409 }

const approve = command({
  name: 'visibility.approve',
  method: 'POST',
  path: '/tournaments/:tournament/visibility/approve',
  scope: 'rest:write',
  allow: mainListingReviewers,
  summary: 'Approve the tournament for the main listing.',
  description:
    'The short way to approve the request to the system platform: a draft becomes an approved tournament, which everybody can read.',
  reply: { 200: Reviewed },
  problems: legacyProblems,
  run: async ({ tx, actor, tournament, now }) => {
    const verdict = { decision: 'approved', reason: null } as const
    return { request: requestView(await reviewForMainListing(tx, actor, tournament.guid, verdict, now)) }
  },
})

const reject = command({
  name: 'visibility.reject',
  method: 'POST',
  path: '/tournaments/:tournament/visibility/reject',
  scope: 'rest:write',
  allow: mainListingReviewers,
  summary: 'Reject the tournament for the main listing, or take an approval back.',
  description:
    'The short way to reject the request to the system platform. Before the start, a tournament that was approved becomes a draft again.',
  body: Type.Object(
    { reason: reason('Required; the organiser reads it.') },
    { examples: [{ reason: 'The rules are missing.' }] },
  ),
  reply: { 200: Reviewed },
  problems: { ...legacyProblems, 'visibility.reason_missing': 400 },
  run: async ({ tx, actor, tournament, body, now }) => {
    const verdict = { decision: 'rejected', reason: givenReason(body.reason) } as const
    return { request: requestView(await reviewForMainListing(tx, actor, tournament.guid, verdict, now)) }
  },
})

export const reviewingOperations = [list, decide, history, approve, reject]
