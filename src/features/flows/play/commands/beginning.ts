import type { SignedIn } from '../../../../core/actor.ts'
import { formatInstant } from '../../../../core/time.ts'
import { commitmentOf, guidOf } from '../../../../engine/flows/draws.ts'
import type { Flow } from '../../../../engine/flows/flow.ts'
import { begin, write } from '../../../../engine/flows/row-writer.ts'
import type { Draft, StartData } from '../../../../engine/flows/rows.ts'
import { readClock } from '../../../../infra/db/clock.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { insertSessionWithRows, type WrittenSession } from '../../flowSessions/commands/log.ts'
import { emitBegun } from '../../flowSessions/commands/session-events.ts'
import { newSeed } from '../../flowSessions/store/clocks.ts'
import { countFree, countOfMatch, lockFree } from '../../flowSessions/store/sessions.ts'
import type { SessionRecord } from '../../flowSessions/types.ts'
import { checkFreeRoom, checkMatchRoom } from '../rules.ts'

/**
 * The data of a new session: its own copies of flow, pool and teams, which later edits do not change. (match-flows:
 * Plan)
 */
export interface Beginning {
  readonly tournament: Pick<Tournament, 'guid'>
  readonly matchGuid: string | null
  readonly isPublic: boolean
  readonly flow: { readonly guid: string | null; readonly name: string }
  readonly pool: { readonly guid: string | null; readonly name: string | null }
  readonly data: Omit<StartData, 'commitment' | 'startsAt'>
  readonly startsInSeconds: number
  readonly speakers: readonly { readonly seat: number; readonly users: readonly string[] }[]
}

/**
 * Saves a session with its first rows, including rows that the system draws immediately. If it has a match, call under
 * the lock of the bracket.
 * @param named the GUID of the new session, if another session's log names it already
 * @throws Problem `flow.too_many_live`, `flow.limit_reached`
 */
export async function storeSession(
  tx: Tx,
  actor: SignedIn,
  beginning: Beginning,
  named?: string,
): Promise<WrittenSession> {
  await checkRoom(tx, actor, beginning)
  const [[guid = ''], { seed, isRehearsed }, now] = await Promise.all([
    named === undefined ? newGuids(tx, 1) : [named],
    newSeed(tx, { matchGuid: beginning.matchGuid, position: 0 }),
    readClock(tx),
  ])
  const { tournament, matchGuid, isPublic, flow, pool, startsInSeconds } = beginning
  const startsAt = startsInSeconds === 0 ? null : formatInstant(new Date(now.getTime() + startsInSeconds * 1_000))
  const data: StartData = { ...beginning.data, commitment: commitmentOf(seed), startsAt }
  const pen = { seed, now: now.getTime() }
  // Sessions of two rehearsals with one seed draw the same, though each has a GUID of its own.
  const drawnAs = isRehearsed ? guidOf(seed) : null
  const first = begin(guid, { kind: 'start', data }, actor.guid, pen, drawnAs ?? guid)
  const spoken = write(first.machine, beginning.speakers.map(speakersRow), actor.guid, pen)
  const record = {
    guid,
    tournamentGuid: tournament.guid,
    matchGuid,
    isPublic,
    isCurrent: true,
    teamGuids: matchGuid === null ? [] : data.teams.flatMap(({ team }) => team ?? []),
    flowGuid: flow.guid,
    flowName: flow.name,
    poolGuid: pool.guid,
    poolName: pool.name,
    viewDelaySeconds: data.flow.rules.viewDelaySeconds,
    drawnAs,
    begunByGuid: actor.guid,
    createdAt: now,
  }
  const rows = [...first.rows, ...spoken.rows]
  const written = await insertSessionWithRows(tx, { record, seed, now, rows, machine: spoken.machine })
  emitBegun(tx, written, actor.guid)
  return written
}

async function checkRoom(tx: Tx, actor: SignedIn, { tournament, matchGuid }: Beginning): Promise<void> {
  if (matchGuid !== null) return checkMatchRoom(await countOfMatch(tx, matchGuid))
  await lockFree(tx, actor.guid, tournament.guid)
  checkFreeRoom(await countFree(tx, actor.guid, tournament.guid))
}

function speakersRow({ seat, users }: Beginning['speakers'][number]): Draft {
  return { kind: 'override', seat, data: { op: 'speakers', users, reason: '' } }
}

/** The data to begin the session again from its own copies. */
export function beginningOf(record: SessionRecord, start: StartData): Beginning {
  const { commitment: _commitment, startsAt: _startsAt, ...data } = start
  return {
    tournament: { guid: record.tournamentGuid },
    matchGuid: record.matchGuid,
    isPublic: record.isPublic,
    data,
    startsInSeconds: 0,
    speakers: [],
    flow: { guid: record.flowGuid, name: record.flowName },
    pool: { guid: record.poolGuid, name: record.poolName },
  }
}

/** The flow with the values of the match where the flow leaves them open. */
export function settledFlow(
  flow: Flow,
  {
    bestOf,
    teamSize,
    viewDelaySeconds,
  }: { readonly bestOf: number | null; readonly teamSize: number; readonly viewDelaySeconds: number | undefined },
): Flow {
  const { rules } = flow
  return {
    ...flow,
    bestOf: flow.bestOf ?? bestOf,
    rules: {
      ...rules,
      map: { ...rules.map, players: rules.map.players ?? teamSize },
      viewDelaySeconds: viewDelaySeconds ?? rules.viewDelaySeconds,
    },
  }
}
