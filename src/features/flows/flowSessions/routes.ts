import { Type } from 'typebox'
import { anyone } from '../../../core/actor.ts'
import { normaliseGuid } from '../../../core/ids.ts'
import { listEntries, readWords } from '../../../core/list.ts'
import { query, tournamentPath } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import { Guid, NextCursor, nullable, PageQuery } from '../../../core/schema.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { playedTag } from '../../people/users/views.ts'
import { listAudience, matchAudience, sessionAudience } from './policy.ts'
import { findSeenOfMatch, listSeen, loadState, readLog, readPlanned, sessionViews } from './queries.ts'
import { findCurrentOfMatch } from './store/sessions.ts'
import type { SessionRecord } from './types.ts'
import { storedStatuses } from './types.ts'
import { LogRowView } from './views/row.ts'
import { SessionView } from './views/session.ts'
import { StateView } from './views/state.ts'

const sessionsPath = `${tournamentPath}/flow-sessions` as const
const sessionPath = `${sessionsPath}/:flowSession` as const

const eventTypes = ['flow.row', 'flow.shown'] as const
/** Also the events of sessions that not everybody may see. */
const eventTypesOfAll = [...eventTypes, 'private_session.changed', 'draft_session.changed'] as const

const ofMatch = query({
  name: 'flowSessions.readOfMatch',
  method: 'GET',
  path: `${tournamentPath}/matches/:match/flow`,
  scope: 'public',
  allow: anyone,
  summary: 'How a match is picked and played: the state of its session.',
  description:
    'Before it begins the status is `planned`, with the flow that it is to be played by, and its pool as far as the caller may know of it. What is chosen in secret is for its seat alone until all have answered; where the session has a view delay, everybody but referees, casters and speakers sees it that much later.',
  query: Type.Object({
    division: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Where the match is named by its number.' }),
    ),
  }),
  reply: { 200: StateView },
  problems: { 'match.ambiguous': 409 },
  audience: matchAudience,
  beside: async ({ db, records: { match } }) => {
    const flowSession = await findCurrentOfMatch(db, match.guid)
    return flowSession === undefined ? {} : { flowSession }
  },
  live: {
    canBeDelayed: true,
    matchOf: ({ match }) => (match as MatchRecord).guid,
    about: 'match',
    query: ['division'],
    sends: eventTypes,
  },
  run: async ({ db, actor, tournament, match, services, now, depends }) => {
    depends(tournament.guid, match.guid)
    const seen = await findSeenOfMatch(db, match.guid, actor)
    if (seen !== undefined) return loadState(db, seen, actor, now, depends)
    return readPlanned(db, tournament, match, { actor, publicUrl: services.config.publicUrl, now }, depends)
  },
})

const listName = 'flowSessions'

const list = query({
  name: 'flowSessions.list',
  method: 'GET',
  path: sessionsPath,
  scope: 'public',
  allow: anyone,
  summary: 'Sessions of flows in a tournament, newest first: those of matches, and free ones.',
  description:
    'A free session that is not public is listed for referees and for those who speak in it, one with a draft of a map pool for those who may read that.',
  query: Type.Object({
    match: Type.Optional({ ...Guid, description: 'Only sessions of the match with this GUID.' }),
    status: Type.Optional(
      Type.String({ maxLength: 100, description: 'Comma list of statuses.', examples: ['running,paused'] }),
    ),
    free: Type.Optional(Type.Boolean({ description: 'Only those without a match, or only those with one.' })),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ sessions: Type.Array(SessionView), nextCursor: NextCursor }) },
  problems: { 'flow.status_unknown': 400 },
  audience: listAudience,
  live: { canBeDelayed: true, isSelective: true, query: ['match', 'status', 'free'], sends: eventTypesOfAll },
  run: async ({ db, actor, tournament, query: { match, status, free, limit = defaultPageSize, before }, depends }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    const statuses =
      status === undefined ? undefined : readWords(listEntries(status), storedStatuses, 'status', 'flow.status_unknown')
    const matchGuid = match === undefined ? undefined : normaliseGuid(match)
    const records = await listSeen(db, tournament.guid, actor, { matchGuid, isFree: free, statuses, after, limit })
    const { items, nextCursor } = toPage(listName, records, limit, makingPosition)
    const sessions = await sessionViews(db, items, actor)
    const teams = sessions.flatMap(({ seats }) => seats.flatMap(({ team }) => team?.guid ?? []))
    depends(tournament.guid, ...sessions.map(({ guid }) => guid), ...teams)
    return { sessions, nextCursor }
  },
})

const read = query({
  name: 'flowSessions.read',
  method: 'GET',
  path: sessionPath,
  scope: 'public',
  allow: anyone,
  summary: 'The state of a session: who has the turn, what was chosen and played, what is left.',
  description:
    'It follows from the log alone. What is chosen in secret is for its seat alone until all have answered; where the session has a view delay, everybody but referees, casters and speakers sees it that much later.',
  reply: { 200: StateView },
  audience: sessionAudience,
  live: {
    canBeDelayed: true,
    matchOf: ({ flowSession }) => (flowSession as SessionRecord).matchGuid,
    sends: eventTypesOfAll,
  },
  run: ({ db, actor, flowSession, now, depends }) => {
    depends(flowSession.tournamentGuid, ...(flowSession.matchGuid === null ? [] : [flowSession.matchGuid]))
    return loadState(db, flowSession, actor, now, depends)
  },
})

const maxRows = 500
const defaultRows = 200

const log = query({
  name: 'flowSessions.log',
  method: 'GET',
  path: `${sessionPath}/log`,
  scope: 'public',
  allow: anyone,
  summary: 'The log of a session, oldest first.',
  description:
    'From the flow, the pool, the teams and the rows alone anybody can work out every state. Rows that were taken back stay, and name the row that did.',
  query: Type.Object({
    after: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Only rows behind this position.', examples: [14] }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxRows, default: defaultRows, description: 'How many rows at most.' }),
    ),
  }),
  reply: {
    200: Type.Object({
      rows: Type.Array(LogRowView),
      nextAfter: nullable(Type.Integer(), 'Give it as `after` to get the next rows; null where there are none yet.'),
    }),
  },
  audience: sessionAudience,
  run: async ({ db, actor, flowSession, query: { after = 0, limit = defaultRows }, depends }) => {
    const part = await readLog(db, flowSession, actor, { after, limit })
    const users = part.rows.flatMap(({ by }) => by?.guid ?? [])
    depends(flowSession.guid, flowSession.tournamentGuid, playedTag, ...new Set(users))
    return part
  },
})

export const flowSessionsOperations = [ofMatch, list, read, log]
