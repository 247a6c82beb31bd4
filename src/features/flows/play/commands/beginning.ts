import type { SignedIn } from '../../../../core/actor.ts'
import { conflict } from '../../../../core/problem.ts'
import { formatInstant } from '../../../../core/time.ts'
import { commitmentOf } from '../../../../engine/flows/draws.ts'
import type { Flow } from '../../../../engine/flows/flow.ts'
import type { Draft, SeatTeam, StartData } from '../../../../engine/flows/rows.ts'
import { begin as beginLog } from '../../../../engine/flows/writing.ts'
import { write } from '../../../../engine/flows/writing.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { keepFirst } from '../../flowSessions/commands/log.ts'
import type { OpenSession } from '../../flowSessions/commands/log.ts'
import { newSeed, readClock } from '../../flowSessions/store/clocks.ts'
import type { PoolMapView } from '../../../maps/pools/views/map.ts'

/** How a session comes to be. (match-flows: Operations) */

export interface Beginning {
  readonly tournament: Tournament
  readonly matchGuid: string | null
  readonly isPublic: boolean
  readonly flow: { readonly guid: string | null; readonly name: string; readonly flow: Flow }
  readonly pool: { readonly guid: string; readonly name: string; readonly maps: readonly PoolMapView[] }
  readonly teams: readonly SeatTeam[]
  readonly allowDraws: boolean
  readonly scheduledAt: Date | null
  readonly startsInSeconds: number
  readonly viewDelaySeconds: number
  readonly speakers: readonly { readonly seat: number; readonly users: readonly string[] }[]
}

/** Stores a session with its first rows, and whatever is drawn at once. */
export async function storeSession(tx: Tx, actor: SignedIn, beginning: Beginning): Promise<OpenSession> {
  const [[guid = ''], seed, now] = await Promise.all([newGuids(tx, 1), newSeed(tx), readClock(tx)])
  const { tournament, matchGuid, isPublic, flow, pool, teams, startsInSeconds } = beginning
  const data: StartData = {
    commitment: commitmentOf(seed),
    flow: { ...flow.flow, rules: { ...flow.flow.rules, viewDelaySeconds: beginning.viewDelaySeconds } },
    pool: pool.maps,
    teams,
    startsAt: startsInSeconds === 0 ? null : formatInstant(new Date(now.getTime() + startsInSeconds * 1_000)),
    allowDraws: beginning.allowDraws,
    scheduledAt: formatInstant(beginning.scheduledAt),
    bannedMods: [],
  }
  const pen = { seed, now: now.getTime() }
  const first = beginLog(guid, { kind: 'start', data }, actor.guid, pen)
  const named = write(first.machine, beginning.speakers.map(speakersRow), actor.guid, pen)
  const rows = [...first.rows, ...named.rows]
  const record = {
    ...{ guid, tournamentGuid: tournament.guid, matchGuid, isPublic, isCurrent: true },
    teamGuids: matchGuid === null ? [] : teams.flatMap(({ team }) => team ?? []),
    ...{ flowGuid: flow.guid, flowName: flow.name, poolGuid: pool.guid, poolName: pool.name },
    ...{ viewDelaySeconds: beginning.viewDelaySeconds, begunByGuid: actor.guid, createdAt: now },
  }
  emit(tx, {
    type: 'flow.begun',
    subject: guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: { match: matchGuid, isPublic },
    touches: matchGuid === null ? [] : [matchGuid],
    rights: true,
  })
  return keepFirst(tx, { record, seed, now, machine: named.machine, rows })
}

function speakersRow({ seat, users }: Beginning['speakers'][number]): Draft {
  return { kind: 'override', seat, data: { op: 'speakers', users, reason: '' } }
}

/** @throws Problem `flow.running`, `flow.match_begun` */
export function checkMayBegin(isRunning: boolean, hasGames: boolean): void {
  if (isRunning) throw conflict('flow.running', 'The match has a session already; it can be begun anew with restart.')
  if (hasGames) throw conflict('flow.match_begun', 'Maps of this match were told already.')
}
