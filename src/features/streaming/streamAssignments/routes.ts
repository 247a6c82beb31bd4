import { Type } from 'typebox'
import { anyone } from '../../../core/actor.ts'
import { isGuid } from '../../../core/ids.ts'
import { listEntries, readWords } from '../../../core/list.ts'
import { Answer, command, query, tournamentPath } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isCursorInstant, type Position, toPage } from '../../../core/page.ts'
import { missing } from '../../../core/problem.ts'
import { NextCursor, nullable, PageQuery } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { DivisionQuery } from '../../brackets/matches/bodies.ts'
import { loadMatch } from '../../brackets/matches/queries.ts'
import { findUser } from '../../people/users/store/users.ts'
import { isAnyStaff, staffAudience } from '../../tournaments/access/policy.ts'
import { AssignmentBody, AssignmentChangesBody, MatchStreamsBody } from './bodies.ts'
import { assign, cancelAssignment, changeAssignment, replaceOfMatch } from './commands/assignments.ts'
import { assigners, assignersOfRole } from './policy.ts'
import { maxMade } from './rules.ts'
import { type AssignmentPosition, findNextTurn, listAssignments } from './store.ts'
import { assignmentStatuses, type ListedAssignment } from './types.ts'
import { assignmentViews, dependenciesOf, StreamAssignmentView } from './views.ts'

const path = `${tournamentPath}/streamAssignments` as const
const listName = 'streamAssignments'

const list = query({
  name: 'streamAssignments.list',
  method: 'GET',
  path,
  scope: 'public',
  allow: anyone,
  summary: 'Who is to stream for the tournament, by start.',
  description:
    'An assignment is in force from its start until its end; whoever has none can only test. The status follows the clock.',
  query: Type.Object({
    match: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Of one match: its GUID, or its number.' }),
    ),
    ...DivisionQuery,
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Of one user: any identifier.' })),
    status: Type.Optional(
      Type.String({ maxLength: 100, description: 'Comma list of statuses.', examples: ['planned,active'] }),
    ),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ streamAssignments: Type.Array(StreamAssignmentView), nextCursor: NextCursor }) },
  problems: {
    'match.unknown': 404,
    'match.ambiguous': 409,
    'user.unknown': 404,
    'assignment.status_unknown': 400,
  },
  audience: staffAudience,
  live: { query: ['match', 'division', 'user', 'status'], sends: ['assignment.changed'] },
  run: async ({ db, actor, tournament, query: asked, now, depends }) => {
    const { match, division, user, status, limit = defaultPageSize, before } = asked
    const after = decodeCursor(listName, before, isAssignmentPosition)
    const statuses =
      status === undefined
        ? undefined
        : readWords(listEntries(status), assignmentStatuses, 'status', 'assignment.status_unknown')
    const matchGuid = match === undefined ? undefined : (await loadMatch(db, tournament.guid, match, division)).guid
    const userGuid = user === undefined ? undefined : await loadUserGuid(db, user)
    const rows = await listAssignments(db, tournament.guid, { matchGuid, userGuid, statuses, after, limit }, now)
    const page = toPage(listName, rows, limit, positionOf)
    const views = await assignmentViews(db, tournament, page.items, { isStaff: isAnyStaff(actor), now })
    depends(...dependenciesOf(tournament.guid, views), ...(userGuid === undefined ? [] : [userGuid]))
    const turn = await findNextTurn(db, tournament.guid, now)
    if (turn !== null) depends.until(turn)
    return { streamAssignments: views, nextCursor: page.nextCursor }
  },
})

async function loadUserGuid(db: Db, identifier: string): Promise<string> {
  const user = await findUser(db, identifier)
  if (user === undefined) throw missing('user.unknown', 'There is no such user.')
  return user.guid
}

function positionOf({ startsAt, guid }: ListedAssignment): AssignmentPosition {
  return [formatInstant(startsAt), guid]
}

function isAssignmentPosition(position: Position): position is AssignmentPosition {
  const [startsAt, guid, ...rest] = position
  return isCursorInstant(startsAt) && typeof guid === 'string' && isGuid(guid) && rest.length === 0
}

/** The problems of a place. They include the conflicting assignment if it belongs to the same tournament. */
const placing = {
  'assignment.times_invalid': 400,
  'assignment.side_invalid': 400,
  'assignment.not_a_player': 400,
  'assignment.slot_taken': 409,
  'assignment.overlap': 409,
  'match.unknown': 404,
  'tournament.cancelled': 409,
} as const

const refusals = {
  409: Type.Object(
    { message: Type.String(), assignment: Type.Optional(StreamAssignmentView) },
    { title: 'AssignmentConflict' },
  ),
}

const create = command({
  name: 'streamAssignments.create',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: assigners,
  summary: 'Assign somebody to stream for a match, or for the whole tournament.',
  description: `Coordinators assign players and observers, head casters casters. Players must be in a team of the match, or of the tournament while a side of the match is open; casters and observers may be any users. Nobody is assigned to two matches at overlapping times, wherever they are; one that is in the way is told where it is of this tournament. The user gets a notification. A match has ${maxMade.match} assignments at most, and the tournament as a whole ${maxMade.tournament}, cancelled ones among them.`,
  body: AssignmentBody,
  reply: { 201: StreamAssignmentView },
  refusals,
  problems: {
    ...placing,
    'user.unknown': 404,
    'match.ambiguous': 409,
    'assignment.role_forbidden': 403,
    'assignment.limit_reached': 409,
  },
  run: async ({ tx, actor, tournament, body, now }) => {
    const made = await assign(tx, actor, tournament, body, now)
    const [view] = await assignmentViews(tx, tournament, [made], { isStaff: true, now })
    return new Answer(201, { body: view })
  },
})

const update = command({
  name: 'streamAssignments.update',
  method: 'PATCH',
  path: `${path}/:assignment`,
  scope: 'rest:write',
  allow: assignersOfRole,
  summary: 'Change the times, the side, the slot or the note of an assignment; what is not given stays.',
  description:
    'To end one at once, give it an end that has come: who streams on it is cut off a minute later. Who, for which match and as what stays; cancel it, and make another.',
  body: AssignmentChangesBody,
  reply: { 200: StreamAssignmentView },
  refusals,
  problems: { ...placing, 'assignment.nothing_to_change': 400, 'assignment.over': 409 },
  run: async ({ tx, actor, tournament, assignment, body, now }) => {
    const changed = await changeAssignment(tx, actor, tournament, assignment, body, now)
    const [view] = await assignmentViews(tx, tournament, [changed], { isStaff: true, now })
    return new Answer(200, { body: view })
  },
})

const cancel = command({
  name: 'streamAssignments.cancel',
  method: 'DELETE',
  path: `${path}/:assignment`,
  scope: 'rest:write',
  allow: assignersOfRole,
  summary: 'Cancel an assignment that has not ended.',
  description: 'It stays in the list. Who streams on it is cut off a minute later, and is told at once.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'assignment.over': 409 },
  run: async ({ tx, actor, tournament, assignment, now }) => {
    await cancelAssignment(tx, actor, tournament, assignment, now)
    return new Answer(204)
  },
})

const replace = command({
  name: 'streamAssignments.replaceOfMatch',
  method: 'PUT',
  path: `${tournamentPath}/matches/:match/streams`,
  scope: 'rest:write',
  allow: assigners,
  summary: 'Say as a whole who is to stream for a match.',
  description:
    'In the roles that the caller may assign; others stay. Whoever is named again in the same role keeps the assignment, changed to what is given, whoever is not named is cancelled, and what has ended stays as it was. Either all of it holds or nothing.',
  query: Type.Object(DivisionQuery),
  body: MatchStreamsBody,
  reply: { 200: Type.Object({ streamAssignments: Type.Array(StreamAssignmentView) }) },
  refusals,
  problems: {
    ...placing,
    'user.unknown': 404,
    'match.ambiguous': 409,
    'assignment.role_forbidden': 403,
    'assignment.twice': 400,
    'assignment.limit_reached': 409,
  },
  run: async ({ tx, actor, tournament, match, body, now }) => {
    const all = await replaceOfMatch(tx, actor, tournament, match, body.assignments, now)
    return { streamAssignments: await assignmentViews(tx, tournament, all, { isStaff: true, now }) }
  },
})

export const streamAssignmentsOperations = [list, create, update, cancel, replace]
