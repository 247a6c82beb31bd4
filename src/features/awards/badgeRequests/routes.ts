import { Type } from 'typebox'
import { listEntries, readWords } from '../../../core/list.ts'
import { Answer, command, query, tournamentPath } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import { PageQuery } from '../../../core/schema.ts'
import { organisers } from '../../tournaments/access/policy.ts'
import { badgeManagers } from '../badges/policy.ts'
import { RequestBody, RequestChangesBody, ReviewBody } from './bodies.ts'
import { ask, changeRequest, withdraw } from './commands/asking.ts'
import { review as reviewRequest } from './commands/reviewing.ts'
import { bytesOf, readDraft, readRequests } from './queries.ts'
import { maxRequests } from './rules.ts'
import { isWaitingPosition, listAll, listOfTournament, waitingPosition } from './store/requests.ts'
import { requestStatuses } from './types.ts'
import { BadgeRequestPage, BadgeRequestView, DraftView, ReviewedView } from './views.ts'

const path = `${tournamentPath}/badgeRequests` as const
const adminPath = '/admin/badgeRequests'

const draft = query({
  name: 'badgeRequests.draft',
  method: 'GET',
  path: `${path}/draft`,
  scope: 'rest:read',
  allow: organisers,
  summary: 'What might be asked for: badges for those who were placed.',
  description:
    'A badge for each of the first three places and one for all others who were placed, for the members who were on the roster of their team when it last played; at most 500 recipients, the best first. Nothing of it is kept: choose pictures, change what is wrong, and send it as a request.',
  reply: { 200: DraftView },
  problems: { 'tournament.not_completed': 409 },
  run: ({ db, tournament }) => readDraft(db, tournament),
})

const listName = 'badgeRequests'

const list = query({
  name: 'badgeRequests.list',
  method: 'GET',
  path,
  scope: 'rest:read',
  allow: organisers,
  summary: 'The requests for badges of a tournament, newest first.',
  description: 'Those that are over stay readable.',
  query: Type.Object(PageQuery),
  reply: { 200: BadgeRequestPage },
  run: async ({ db, tournament, services, query: { limit = defaultPageSize, before } }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    const rows = await listOfTournament(db, tournament.guid, { after, limit })
    const { items, nextCursor } = toPage(listName, rows, limit, makingPosition, rows.map(bytesOf))
    return { badgeRequests: await readRequests(db, items, services.config.media.url), nextCursor }
  },
})

/** The refusals of faulty badges in a request, with their statuses. */
const asking = {
  'badge.invalid': 400,
  'badge_request.invalid': 400,
  'media.reference_invalid': 400,
  'user.unknown': 404,
} as const

const create = command({
  name: 'badgeRequests.create',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: organisers,
  summary: 'Ask for badges for those who played in a tournament or helped with it.',
  description: `Until 90 days after the tournament was completed; one request waits at a time, and there are ${maxRequests} at most, withdrawn ones among them. 1 to 10 badges for 1 to 500 recipients in all, who need not have played. Managers of badges are told, and decide.`,
  body: RequestBody,
  reply: { 201: BadgeRequestView },
  problems: {
    ...asking,
    'tournament.not_completed': 409,
    'badge_request.too_late': 409,
    'badge_request.pending': 409,
    'badge_request.limit_reached': 409,
  },
  run: async ({ tx, actor, tournament, body, services, now }) => {
    const request = await ask(tx, actor, tournament, body, now)
    const [view] = await readRequests(tx, [request], services.config.media.url)
    return new Answer(201, { body: view })
  },
})

const deciding = { 'badge_request.decided': 409, 'badge_request.stale': 409, 'request.invalid': 400 } as const

const update = command({
  name: 'badgeRequests.update',
  method: 'PATCH',
  path: `${path}/:badgeRequest`,
  scope: 'rest:write',
  allow: organisers,
  summary: 'Change what a request asks for, as long as it waits.',
  description:
    'What is not given stays; badges are replaced as a whole. Somebody whom the request names already may stay in it, whatever became of their account.',
  body: RequestChangesBody,
  reply: { 200: BadgeRequestView },
  problems: { ...asking, ...deciding, 'badge_request.nothing_given': 400 },
  run: async ({ tx, actor, badgeRequest, body, services, now }) => {
    const request = await changeRequest(tx, actor, badgeRequest, body, now)
    const [view] = await readRequests(tx, [request], services.config.media.url)
    return new Answer(200, { body: view })
  },
})

const takeBack = command({
  name: 'badgeRequests.withdraw',
  method: 'POST',
  path: `${path}/:badgeRequest/withdraw`,
  scope: 'rest:write',
  allow: organisers,
  summary: 'Withdraw a request for badges that nobody has decided.',
  description: 'It stays readable; another may be made in its place.',
  reply: { 200: BadgeRequestView },
  problems: { 'badge_request.decided': 409 },
  run: async ({ tx, actor, badgeRequest, services, now }) => {
    const request = await withdraw(tx, actor, badgeRequest, now)
    const [view] = await readRequests(tx, [request], services.config.media.url)
    return new Answer(200, { body: view })
  },
})

const adminListName = 'badgeRequests.all'

const listEverywhere = query({
  name: 'badgeRequests.listAll',
  method: 'GET',
  path: adminPath,
  scope: 'rest:read',
  allow: badgeManagers,
  summary: 'The requests for badges of all tournaments, those that wait first.',
  description: 'Oldest first: those that wait, then those that are over.',
  query: Type.Object({
    status: Type.Optional(
      Type.String({ maxLength: 100, description: 'Comma list of statuses.', examples: ['pending'] }),
    ),
    ...PageQuery,
  }),
  reply: { 200: BadgeRequestPage },
  problems: { 'badge_request.status_unknown': 400 },
  run: async ({ db, services, query: { status, limit = defaultPageSize, before } }) => {
    const after = decodeCursor(adminListName, before, isWaitingPosition)
    const statuses =
      status === undefined
        ? undefined
        : readWords(listEntries(status), requestStatuses, 'status', 'badge_request.status_unknown')
    const rows = await listAll(db, { statuses, after, limit })
    const { items, nextCursor } = toPage(adminListName, rows, limit, waitingPosition, rows.map(bytesOf))
    return { badgeRequests: await readRequests(db, items, services.config.media.url), nextCursor }
  },
})

const review = command({
  name: 'badgeRequests.review',
  method: 'POST',
  path: `${adminPath}/:badgeRequest/review`,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Approve or reject a request for badges.',
  description:
    'Approved, its badges are made and given at once, as they were asked for or as the manager has edited them. Recipients who have given up their account or are banned are left out, and named. Recipients and organisers are told. Rejecting needs a reason.',
  body: ReviewBody,
  reply: { 200: ReviewedView },
  problems: {
    ...asking,
    ...deciding,
    'badge_request.reason_missing': 400,
    'tournament.not_completed': 409,
  },
  run: async ({ tx, actor, badgeRequest, body, services, now }) => {
    const mediaUrl = services.config.media.url
    const { request, skipped } = await reviewRequest(tx, badgeRequest, body, { actor, mediaUrl, now })
    const [view] = await readRequests(tx, [request], mediaUrl)
    return new Answer(200, { body: { request: view, skipped } })
  },
})

export const badgeRequestsOperations = [draft, list, create, update, takeBack, listEverywhere, review]
