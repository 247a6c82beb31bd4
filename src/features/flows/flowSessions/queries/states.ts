import type { Actor } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import { formatInstant } from '../../../../core/time.ts'
import { nextProposalAt } from '../../../../engine/flows/late-seats.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { replay, replayUntil } from '../../../../engine/flows/replay.ts'
import { stateOf } from '../../../../engine/flows/state.ts'
import type { State } from '../../../../engine/flows/state-types.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { playedTag } from '../../../people/users/views/card.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import { seenPosition, seesMatchNow, seesNow, viewerOf } from '../policy.ts'
import { listRows } from '../store/rows.ts'
import { findCurrentOfMatch, findShownOfMatch } from '../store/sessions.ts'
import type { SessionRecord } from '../types.ts'
import { flowMembersOf } from '../views/flow.ts'
import { poolMapOf, type StateFacts, type StateView, stateView } from '../views/state.ts'

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
  const seen = position >= machine.position ? machine : replayUntil(record.guid, machine.rows, position)
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
  return stateAt(db, { record, machine: replay(record.guid, rows), shown }, actor, now, depends)
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
