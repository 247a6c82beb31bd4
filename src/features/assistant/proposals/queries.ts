import { replay } from '../../../engine/flows/replay.ts'
import type { Row } from '../../../engine/flows/rows.ts'
import type { Warning } from '../../../engine/flows/warnings.ts'
import type { ModifierRule } from '../../../engine/score-limits.ts'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { findMatch } from '../../brackets/matches/store/matches.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { listLog, listRows } from '../../flows/flowSessions/store/rows.ts'
import { findCurrentOfMatch } from '../../flows/flowSessions/store/sessions.ts'
import { listMembers } from '../../teams/teams/store/teams.ts'
import { playsInNeither } from './rules/games.ts'
import { warningsHolding } from './rules/holding.ts'
import { placeAt, placeOf } from './rules/places.ts'
import type { Playing } from './rules/results.ts'
import type { SeenSession } from './rules/standing.ts'
import type { Play } from './types.ts'

/** A match with its session, as needed to check a song that was played in it. */
export interface SeenMatch {
  readonly match: MatchRecord
  readonly session: SeenSession | null
}

/** Reads both without locks; undefined if the match was deleted. */
export async function readMatchOf(tx: Tx, play: Play): Promise<SeenMatch | undefined> {
  const [match, record] = await Promise.all([findMatch(tx, play.matchGuid), findCurrentOfMatch(tx, play.matchGuid)])
  if (match === undefined) return undefined
  if (record === undefined) return { match, session: null }
  const rows = await listLog(tx, record.guid)
  return { match, session: seenSession(play, { record, machine: replay(record.guid, rows), rows }) }
}

export function seenSession(
  { flowSessionGuid, startedAt }: Pick<Play, 'flowSessionGuid' | 'startedAt'>,
  { record, machine, rows }: Pick<SeenSession, 'record' | 'machine'> & { readonly rows: readonly Row[] },
): SeenSession {
  if (record.guid !== flowSessionGuid) return { record, machine, place: null }
  // Without rows since the start, the session's place is unchanged.
  const isThere = rows.every((row) => row.at <= startedAt.getTime())
  return { record, machine, place: isThere ? placeOf(machine) : placeAt(record.guid, rows, startedAt) }
}

export function playingOf(session: SeenSession | null): Playing | null {
  return session === null || session.place === null ? null : { machine: session.machine, place: session.place }
}

/** The warnings that hold the match's flow now, and the GUIDs that the answer depends on. (D78) */
export async function readHolding(
  db: Db,
  matchGuid: string,
): Promise<{ readonly warnings: readonly Warning[]; readonly depends: readonly string[] }> {
  const record = await findCurrentOfMatch(db, matchGuid)
  if (record === undefined) return { warnings: [], depends: [] }
  const isLive = record.status === 'running' || record.status === 'paused'
  const warnings = isLive ? warningsHolding(replay(record.guid, await listRows(db, record.guid))) : []
  return { warnings, depends: [record.guid] }
}

/** The modifier rule of the match's flow; `any` by default. (D62) */
export function modifierRuleOf(session: SeenSession | null): ModifierRule {
  return session?.machine.flow.rules.modifiers ?? 'any'
}

/** @throws Problem `live.player_unknown` */
export async function checkPlays(
  db: Db,
  { team1Guid, team2Guid }: Pick<MatchRecord, 'team1Guid' | 'team2Guid'>,
  userGuid: string,
): Promise<void> {
  const teams = [team1Guid, team2Guid].filter((team) => team !== null)
  const members = [...(await listMembers(db, teams)).values()].flat()
  if (!members.some((member) => member.userGuid === userGuid)) throw playsInNeither()
}
