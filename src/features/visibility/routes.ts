import { Type } from 'typebox'
import { command } from '../../core/operation.ts'
import { organisers } from '../access/policy.ts'
import { requestMainListing, reviewForMainListing } from './commands.ts'
import { mainListingReviewers } from './policy.ts'
import { canRequest } from './rules.ts'
import { organiserRequestView, requestView, VisibilityRequest } from './views.ts'

const Reviewed = Type.Object({ request: VisibilityRequest })

const request = command({
  name: 'visibility.request',
  method: 'POST',
  path: '/tournaments/:tournament/visibility/request',
  scope: 'rest:write',
  allow: organisers,
  summary: 'Ask for the tournament to be approved and stand on the main listing.',
  description: 'Asking again after a rejection submits the request again; otherwise it stays as it is.',
  reply: {
    200: Type.Object({
      request: VisibilityRequest,
      canRequest: Type.Boolean({ description: 'False when asking again is of no use.' }),
    }),
  },
  problems: { 'visibility.not_active': 400 },
  run: async ({ tx, actor, tournament, now }) => {
    const asked = await requestMainListing(tx, actor, tournament.guid, now)
    return { request: organiserRequestView(asked, actor), canRequest: canRequest(asked.status) }
  },
})

const approve = command({
  name: 'visibility.approve',
  method: 'POST',
  path: '/tournaments/:tournament/visibility/approve',
  scope: 'rest:write',
  allow: mainListingReviewers,
  summary: 'Approve the tournament for the main listing.',
  reply: { 200: Reviewed },
  problems: { 'visibility.not_requested': 409, 'visibility.withdrawn': 409 },
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
  body: Type.Object({
    reason: Type.Optional(Type.String({ maxLength: 2_000, description: 'Required; the organiser reads it.' })),
  }),
  reply: { 200: Reviewed },
  problems: { 'visibility.not_requested': 409, 'visibility.withdrawn': 409, 'visibility.reason_missing': 400 },
  run: async ({ tx, actor, tournament, body, now }) => {
    const verdict = { decision: 'rejected', reason: body.reason || null } as const
    return { request: requestView(await reviewForMainListing(tx, actor, tournament.guid, verdict, now)) }
  },
})

export const visibilityOperations = [request, approve, reject]
