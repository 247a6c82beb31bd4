import type { Actor } from '../../../core/actor.ts'
import type { Depends } from '../../../core/operation.ts'
import { formatInstant } from '../../../core/time.ts'
import { nextProposalAt } from '../../../engine/flows/late-seats.ts'
import type { Machine } from '../../../engine/flows/machine.ts'
import { everRevealed, replay, replayUntil } from '../../../engine/flows/replay.ts'
import { stateOf } from '../../../engine/flows/state.ts'
import type { State } from '../../../engine/flows/state-types.ts'
import type { Db } from '../../../infra/db/database.ts'
import { poolsOfMatches } from '../../brackets/matches/rules.ts'
import { listPlannedPools } from '../../brackets/matches/store/pools.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { dependenciesOf, readPool } from '../../maps/pools/queries/pools.ts'
import { findPool } from '../../maps/pools/store/pools.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { playedTag } from '../../people/users/views.ts'
import { listTeamSummaries } from '../../teams/teams/store/summaries.ts'
import { isPooler, mayReferee } from '../../tournaments/access/policy.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { isCaster, seenPosition, seesMatchNow, seesNow, viewerOf } from './policy.ts'
import { drawnAsOf } from './rules/record.ts'
import { listSeats, listSessions, type SessionFilter } from './store/list.ts'
import { findPlannedFlow } from './store/planned.ts'
import { listRows } from './store/rows.ts'
import { findCurrentOfMatch, findShownOfMatch } from './store/sessions.ts'
import type { SessionRecord } from './types.ts'
import { flowMembersOf } from './views/flow.ts'
import { namesOf } from './views/players.ts'
import { isSecret, type LogRowView, logRowView, mayNameSeat } from './views/row.ts'
import { type SessionView, sessionView } from './views/session.ts'
import { plannedView, poolMapOf, type StateFacts, type StateView, stateView } from './views/state.ts'

/** Returns one record more than `limit` if there are more. */
export async function listSeen(
  db: Db,
  tournamentGuid: string,
  actor: Actor,
  filter: SessionFilter,
): Promise<readonly SessionRecord[]> {
  const viewer = {
    userGuid: actor.guid,
    isReferee: mayReferee(actor),
    isCaster: isCaster(actor),
    isPooler: isPooler(actor),
    roles: [...actor.roles],
  }
  return listSessions(db, tournamentGuid, viewer, filter)
}

export async function sessionViews(db: Db, records: readonly SessionRecord[], actor: Actor): Promise<SessionView[]> {
  const seats = await listSeats(
    db,
    records.map(({ guid }) => guid),
  )
  const teams = await listTeamSummaries(
    db,
    [...seats.values()].flat().map(({ team }) => team),
  )
  return records.map((record) =>
    sessionView(record, viewerOf(actor, record), { seats: seats.get(record.guid) ?? [], teams }),
  )
}

export interface LogPart {
  readonly rows: LogRowView[]
  /** Position of the last returned row if there are more rows; otherwise null. */
  readonly nextAfter: number | null
}

/** Rows of a log after a position, as the viewer may see them. */
export async function readLog(
  db: Db,
  record: SessionRecord,
  actor: Actor,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<LogPart> {
  const viewer = viewerOf(actor, record)
  const position = seenPosition(viewer, record)
  const last = Math.min(position, after + limit)
  const rows = await listRows(db, record.guid, after, last)
  const [users, seats, revealed] = await Promise.all([
    listUserFacts(db, [...new Set(rows.flatMap(({ by }) => by ?? []))]),
    // The names of seats are read only for free sessions, since seats of a match have teams.
    record.matchGuid === null && rows.some(mayNameSeat) ? listSeats(db, [record.guid]) : null,
    // The whole log decides which secrets were revealed, not only the page.
    rows.some(isSecret) ? everRevealed(record.guid, await listRows(db, record.guid, 0, position)) : new Set<number>(),
  ])
  const shown = { seats: viewer.seats, revealed, position, users, names: namesOf(seats?.get(record.guid) ?? []) }
  return {
    rows: rows.map((row) => logRowView(row, shown)),
    nextAfter: last < position && rows.length > 0 ? last : null,
  }
}

interface Reader {
  readonly actor: Actor
  readonly publicUrl: string
  readonly now: Date
}

/** The planned flow and pool of a match that has no session yet, as far as the reader may see them. */
export async function readPlanned(
  db: Db,
  tournament: Tournament,
  match: MatchRecord,
  reader: Reader,
  depends: Depends,
): Promise<StateView> {
  const [flow, pool] = await Promise.all([
    findPlannedFlow(db, match),
    readPlannedPool(db, tournament, match, reader, depends),
  ])
  depends(tournament.guid, match.guid)
  return plannedView(match.guid, {
    flow: flow === null ? null : { guid: flow.guid, name: flow.name, ...flowMembersOf(flow.flow) },
    pool,
  })
}

/** The planned pool of a match, as far as the reader may see it. */
export async function readPlannedPool(
  db: Db,
  tournament: Tournament,
  match: MatchRecord,
  reader: Reader,
  depends: Depends,
): Promise<StateView['pool']> {
  const used = poolsOfMatches(await listPlannedPools(db, [match]), isPooler(reader.actor))(match)
  const pool = used === null ? undefined : await findPool(db, used.guid)
  if (pool === undefined) return null
  const { name, maps, ...view } = await readPool(db, tournament, pool, reader)
  depends(...dependenciesOf(tournament, reader.actor, [{ ...view, name, maps }]))
  return { guid: pool.guid, name, maps }
}

/**
 * The session of a match that the actor sees. While no row of a delayed session is shown, outsiders see the session
 * before it.
 */
export async function findSeenOfMatch(db: Db, matchGuid: string, actor: Actor): Promise<SessionRecord | undefined> {
  const current = await findCurrentOfMatch(db, matchGuid)
  if (seesMatchNow(actor, current)) return current
  return findShownOfMatch(db, matchGuid)
}

/** The users and teams that a state shows besides the contents of the log. */
export type Shown = Pick<StateFacts, 'users' | 'teams'>

/** A session with the state computed from its log. */
interface LoadedSession {
  readonly record: SessionRecord
  readonly machine: Machine
  readonly shown?: Shown
}

/** Reads the users and teams that the session's record names. Needs no log, so it runs while the log is read. */
export async function readShown(db: Db, { speakers, teamGuids }: SessionRecord): Promise<Shown> {
  return listShown(db, speakers.flat(), teamGuids)
}

async function listShown(db: Db, users: readonly string[], teams: readonly (string | null)[]): Promise<Shown> {
  const [ofUsers, ofTeams] = await Promise.all([listUserFacts(db, users), listTeamSummaries(db, teams)])
  return { users: ofUsers, teams: ofTeams }
}

/** The state of a session as the actor sees it. The actor must see at least one row. */
export async function readState(
  db: Db,
  { record, machine, ...read }: LoadedSession,
  actor: Actor,
  now: Date,
): Promise<StateView> {
  const position = seenPosition(viewerOf(actor, record), record)
  const seen =
    position >= machine.position ? machine : replayUntil(record.guid, machine.rows, position, machine.drawnAs)
  return stateAt(db, { ...read, record, machine: seen }, actor, now)
}

/** Reads the visible part of the log and returns the state of the session. */
export async function loadState(
  db: Db,
  record: SessionRecord,
  actor: Actor,
  now: Date,
  depends: Depends,
): Promise<StateView> {
  const [rows, shown] = await Promise.all([
    listRows(db, record.guid, 0, seenPosition(viewerOf(actor, record), record)),
    readShown(db, record),
  ])
  return stateAt(db, { record, machine: replay(record.guid, rows, drawnAsOf(record)), shown }, actor, now, depends)
}

async function stateAt(
  db: Db,
  { record, machine, shown }: LoadedSession,
  actor: Actor,
  now: Date,
  depends?: Depends,
): Promise<StateView> {
  const viewer = viewerOf(actor, record)
  const { seats, isReferee } = viewer
  const state = stateOf(machine, now.getTime(), { seats, isReferee })
  const { users, teams } = await completed(db, state, shown)
  depends?.(...[record.guid, record.tournamentGuid, playedTag], ...users.keys(), ...teams.keys())
  const proposalAt = isReferee ? nextProposalAt(machine, now.getTime()) : null
  if (proposalAt !== null) depends?.until(new Date(proposalAt))
  const { startsAt, flow } = machine.start
  return stateView(state, {
    match: record.matchGuid,
    public: record.isPublic,
    viewDelaySeconds: record.viewDelaySeconds,
    users,
    teams,
    startsAt: startsAt === null ? null : formatInstant(new Date(startsAt)),
    flow: { guid: record.flowGuid, name: record.flowName, ...flowMembersOf(flow) },
    pool: { guid: record.poolGuid, name: record.poolName, maps: machine.pool.map(poolMapOf) },
    // Outsiders who see the session late must not learn that a time is over now.
    isOverdue: record.isOverdue && (record.viewDelaySeconds === 0 || seesNow(viewer)),
  })
}

/**
 * Reads the missing users and teams. The record does not name users who claimed a replay or who became speakers later,
 * nor the teams in the seats of a free session.
 */
async function completed(db: Db, state: State, shown: Shown | undefined): Promise<Shown> {
  const named = usersIn(state)
  const seated = state.seats.flatMap(({ team }) => team ?? [])
  const isComplete = named.every((user) => shown?.users.has(user)) && seated.every((team) => shown?.teams.has(team))
  return isComplete && shown !== undefined ? shown : listShown(db, named, seated)
}

function usersIn({ seats, claims, penalties }: State): string[] {
  const done = [...claims, ...penalties].flatMap(({ by }) => by ?? [])
  return [...new Set([...seats.flatMap(({ speakers }) => speakers), ...done])]
}
