import type { Static } from 'typebox'
import { type EventType, kindTag } from '../../../core/events.ts'
import type { Depends } from '../../../core/operation.ts'
import type { Db } from '../../../infra/db/database.ts'
import { findCurrentOfMatches } from '../../flows/flowSessions/store/sessions.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { playedTag } from '../../people/users/views.ts'
import { streamTag } from '../../streaming/streamSessions/events.ts'
import { listLiveOfUsers } from '../../streaming/streamSessions/store/sessions.ts'
import { listTeamSummaries } from '../../teams/teams/store/summaries.ts'
import { listMembers } from '../../teams/teams/store/teams.ts'
import { listBracketGuids, listHeld, listNext, listPointing, listProposed, listRunning } from './store.ts'
import { type CoordinationView, matchRow, type Shown } from './views.ts'

/** Further events after which overlays may point at other matches or have other names, or matches may be added. */
const kinds = [
  'overlay.pointed',
  'overlay.updated',
  'overlay.deleted',
  'bracket.created',
  'division.updated',
  'division.deleted',
] as const satisfies readonly EventType[]

/**
 * Returns the running and the next matches of a tournament, with the data that the crew of a match day needs. The
 * answer does not depend on the whole tournament, because most of its events change nothing here. It depends on the
 * brackets (every change of a match touches its bracket), on the shown matches (their sessions and proposals touch
 * them), on their teams and players, and on the events above.
 */
export async function readCoordination(
  db: Db,
  tournamentGuid: string,
  isNow: boolean,
  depends: Depends,
): Promise<Static<typeof CoordinationView>> {
  const [running, next, brackets] = await Promise.all([
    listRunning(db, tournamentGuid),
    listNext(db, tournamentGuid),
    listBracketGuids(db, tournamentGuid),
  ])
  const all = [...running, ...next]
  const matches = all.map(({ guid }) => guid)
  const teamGuids = [...new Set(all.flatMap(({ team1Guid, team2Guid }) => [team1Guid, team2Guid]))].filter(
    (team) => team !== null,
  )
  const [teams, members, overlays, sessions, held, proposals] = await Promise.all([
    listTeamSummaries(db, teamGuids),
    listMembers(db, teamGuids),
    listPointing(db, matches),
    findCurrentOfMatches(db, matches),
    listHeld(db, matches),
    listProposed(db, matches),
  ])
  const players = [...new Set([...members.values()].flatMap((team) => team.map(({ userGuid }) => userGuid)))]
  const streams = (await listLiveOfUsers(db, players)).filter(({ test }) => !test)
  // Keeps the newest stream of each user: a server may not have reported the end of an older one yet.
  const live = new Map(streams.toReversed().map((stream) => [stream.userGuid, stream]))
  const users = await listUserFacts(db, [...live.keys()])
  depends(...kinds.map((type) => kindTag(tournamentGuid, type)), ...brackets, ...matches, ...teamGuids)
  depends(...players.map(streamTag), ...live.keys(), ...(live.size === 0 ? [] : [playedTag]))
  const shown: Shown = { teams, members, users, live, overlays, sessions, held, proposals, isNow }
  return { running: running.map((match) => matchRow(match, shown)), next: next.map((match) => matchRow(match, shown)) }
}
