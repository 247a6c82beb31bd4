import type { Actor } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import { formatInstant } from '../../../../core/time.ts'
import { nextProposalAt } from '../../../../engine/flows/lateness.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { replay, replayUntil } from '../../../../engine/flows/replay.ts'
import { stateOf } from '../../../../engine/flows/state.ts'
import type { State } from '../../../../engine/flows/state-types.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { playedTag } from '../../../people/users/views/card.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import { seenPosition, seesNow, viewerOf } from '../policy.ts'
import { listRows } from '../store/rows.ts'
import { findCurrentOfMatch, findShownOfMatch } from '../store/sessions.ts'
import type { SessionRecord } from '../types.ts'
import { flowMembersOf } from '../views/flow.ts'
import { poolMapOf, type StateView, stateView } from '../views/state.ts'

/** The session of a match that somebody sees: where it is shown late, the one before it, as long as nothing of it is shown. */
export async function findSeenOfMatch(db: Db, matchGuid: string, actor: Actor): Promise<SessionRecord | undefined> {
  const current = await findCurrentOfMatch(db, matchGuid)
  if (current === undefined || current.viewDelaySeconds === 0 || seesNow(viewerOf(actor, current))) return current
  return findShownOfMatch(db, matchGuid)
}

/** A session with what its log comes to. */
interface LoadedSession {
  readonly record: SessionRecord
  readonly machine: Machine
}

/** The state of a session as somebody sees it, who may see something of it. */
export async function readState(
  db: Db,
  { record, machine }: LoadedSession,
  actor: Actor,
  now: Date,
  depends?: Depends,
): Promise<StateView> {
  const position = seenPosition(viewerOf(actor, record), record)
  const seen = position >= machine.position ? machine : replayUntil(record.guid, machine.rows, position)
  return stateAt(db, record, seen, actor, now, depends)
}

/** The same, with as much of the log as it takes. */
export async function loadState(
  db: Db,
  record: SessionRecord,
  actor: Actor,
  now: Date,
  depends: Depends,
): Promise<StateView> {
  const rows = await listRows(db, record.guid, 0, seenPosition(viewerOf(actor, record), record))
  return stateAt(db, record, replay(record.guid, rows), actor, now, depends)
}

async function stateAt(
  db: Db,
  record: SessionRecord,
  machine: Machine,
  actor: Actor,
  now: Date,
  depends?: Depends,
): Promise<StateView> {
  const viewer = viewerOf(actor, record)
  const { seats, isReferee } = viewer
  const state = stateOf(machine, now.getTime(), { seats, isReferee })
  const [users, teams] = await Promise.all([
    listUserFacts(db, usersIn(state)),
    listTeamSummaries(
      db,
      state.seats.map(({ team }) => team),
    ),
  ])
  depends?.(...[record.guid, record.tournamentGuid, playedTag], ...users.keys(), ...teams.keys())
  const proposalAt = isReferee ? nextProposalAt(machine, now.getTime()) : null
  if (proposalAt !== null) depends?.until(new Date(proposalAt))
  const { startsAt, flow } = machine.start
  return stateView(state, {
    ...{ match: record.matchGuid, public: record.isPublic, viewDelaySeconds: record.viewDelaySeconds, users, teams },
    startsAt: startsAt === null ? null : formatInstant(new Date(startsAt)),
    flow: { guid: record.flowGuid, name: record.flowName, ...flowMembersOf(flow) },
    pool: { guid: record.poolGuid, name: record.poolName, maps: machine.pool.map(poolMapOf) },
    // Who sees a session late is not told that a time is over now.
    isOverdue: record.isOverdue && (record.viewDelaySeconds === 0 || seesNow(viewer)),
  })
}

function usersIn({ seats, claims, penalties }: State): string[] {
  const done = [...claims, ...penalties].flatMap(({ by }) => by ?? [])
  return [...new Set([...seats.flatMap(({ speakers }) => speakers), ...done])]
}
