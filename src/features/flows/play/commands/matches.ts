import type { SignedIn } from '../../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { conflict, missing } from '../../../../core/problem.ts'
import type { Flow } from '../../../../engine/flows/flow.ts'
import { findPreset } from '../../../../engine/flows/presets.ts'
import type { SeatTeam } from '../../../../engine/flows/rows.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { Threads } from '../../../../infra/threads/threads.ts'
import { listBannedMods } from '../../../assistant/assistantLinks/store.ts'
import { listEntrants } from '../../../brackets/brackets/store/brackets.ts'
import { poolsOfMatches } from '../../../brackets/matches/rules.ts'
import { listPlannedPools } from '../../../brackets/matches/store/pools.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { consider, finish, openMatch } from '../../../brackets/results/commands/play.ts'
import { maySeeAllMaps, maySeePool } from '../../../maps/pools/policy.ts'
import { listWholeMaps } from '../../../maps/pools/store/maps.ts'
import { lockPoolForShare } from '../../../maps/pools/store/pools.ts'
import type { Pool } from '../../../maps/pools/types.ts'
import { type PoolMapView, poolMapView } from '../../../maps/pools/views/map.ts'
import { findTeamByGuid, listMembers } from '../../../teams/teams/store/teams.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { retireSession, type WrittenSession } from '../../flowSessions/commands/log.ts'
import { findPlannedFlow } from '../../flowSessions/store/planned.ts'
import { findCurrentOfMatch } from '../../flowSessions/store/sessions.ts'
import { findFlow } from '../../flows/store.ts'
import { checkFlow } from '../rules.ts'
import { settledFlow, storeSession } from './beginning.ts'

/** Begins the session of a match, and starts the match. (match-flows: Operations) */

export interface BeginInput {
  readonly flowGuid?: string | undefined
  readonly poolGuid?: string | undefined
  readonly speakers?: readonly { readonly seat: number; readonly users: readonly string[] }[] | undefined
  readonly startsInSeconds?: number | undefined
  readonly viewDelaySeconds?: number | undefined
}

/**
 * @throws Problem `flow.running`, `flow.match_begun`, `flow.unplanned`, `flow.unknown`, `pool.unknown`,
 * `pool.unpublished`, `flow.invalid`, and the engine's refusals for a match that cannot begin
 */
export async function beginMatch(
  tx: Tx,
  actor: SignedIn,
  threads: Threads,
  tournament: Tournament,
  found: MatchRecord,
  input: BeginInput,
  now: Date,
): Promise<WrittenSession> {
  const opened = await openMatch(tx, actor, tournament, found, now)
  const { match } = opened
  const current = await findCurrentOfMatch(tx, match.guid)
  if (current?.status === 'running' || current?.status === 'paused') {
    throw conflict('flow.running', 'The match has a session already; `restart` begins it anew.')
  }
  if (match.games.length > 0) throw conflict('flow.match_begun', 'Maps of this match were told already.')
  const started = match.status === 'running' ? null : await consider(tx, opened, { kind: 'start', match: match.number })
  const planned = await flowFor(tx, tournament, match, input.flowGuid)
  const pool = await poolFor(tx, actor, tournament, match, input.poolGuid)
  const [teams, maps, bannedMods] = await Promise.all([
    seatsOf(tx, match),
    mapsOf(tx, actor, pool),
    listBannedMods(tx, tournament.guid),
  ])
  const flow = settledFlow(planned.flow, {
    bestOf: match.bestOf,
    teamSize: tournament.teamSizeActive,
    viewDelaySeconds: input.viewDelaySeconds,
  })
  const isTable = match.section === 'group' || match.section === 'swiss'
  await checkFlow(threads, flow, {
    bestOf: match.bestOf,
    pool: maps.map(({ flair, isTiebreaker }) => ({ flair: flair?.name ?? null, isTiebreaker })),
    teamSize: tournament.teamSizeActive,
    seedsKnown: teams.every(({ seed }) => seed !== null),
    elimination: !isTable,
  })
  if (started !== null) await finish(tx, actor, opened, started, 'match.started', now)
  // Replaces a session that ended without a result or belonged to other teams.
  if (current !== undefined) await retireSession(tx, current)
  return storeSession(tx, actor, {
    tournament,
    matchGuid: match.guid,
    isPublic: true,
    startsInSeconds: input.startsInSeconds ?? 0,
    flow: { guid: planned.guid, name: planned.name },
    pool: { guid: pool.guid, name: pool.name },
    speakers: input.speakers ?? [],
    data: {
      flow,
      pool: maps,
      teams,
      bannedMods,
      allowDraws: isTable && opened.open.bracket.settings.allowDraws,
      scheduledAt: match.scheduledAt === null ? null : match.scheduledAt.toISOString(),
    },
  })
}

interface NamedFlow {
  readonly guid: string | null
  readonly name: string
  readonly flow: Flow
}

/** The flow of the tournament with this GUID, or the preset with this name. */
export async function namedFlow(tx: Tx, tournament: Pick<Tournament, 'guid'>, name: string): Promise<NamedFlow> {
  const preset = findPreset(name)
  if (preset !== undefined) return { guid: null, name: preset.title, flow: preset.flow }
  const record = isGuid(name) ? await findFlow(tx, normaliseGuid(name)) : undefined
  if (record?.tournamentGuid !== tournament.guid) {
    throw missing('flow.unknown', 'There is no such flow in this tournament, and no such preset.')
  }
  return { guid: record.guid, name: record.name, flow: record.definition }
}

async function flowFor(
  tx: Tx,
  tournament: Tournament,
  match: MatchRecord,
  named: string | undefined,
): Promise<NamedFlow> {
  if (named !== undefined) return namedFlow(tx, tournament, named)
  const planned = await findPlannedFlow(tx, match)
  if (planned === null) throw conflict('flow.unplanned', 'No flow is planned for this match; plan one, or name it.')
  return planned
}

async function poolFor(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  match: MatchRecord,
  named: string | undefined,
): Promise<Pool> {
  const guid = named ?? poolsOfMatches(await listPlannedPools(tx, [match]), true)(match)?.guid
  if (guid === undefined) throw conflict('flow.unplanned', 'No pool is planned for this match; plan one, or name it.')
  // Locks the pool, so that it does not become a draft again and its maps do not change while the match begins.
  const pool = await lockPoolForShare(tx, guid)
  const isTheirs = pool !== undefined && pool.tournamentGuid === tournament.guid && pool.kind === 'match'
  // A caller who may not read the draft gets the same answer as for an unknown pool.
  if (!isTheirs || (named !== undefined && !maySeePool(actor, pool))) {
    throw missing('pool.unknown', 'There is no such pool in this tournament.')
  }
  const maps = await listWholeMaps(tx, [pool.guid])
  const isReleased = maps.every(({ releasedAt, createdAt }) => {
    return releasedAt !== null || (pool.publishedAt !== null && createdAt > pool.publishedAt)
  })
  if (pool.status === 'draft' || !isReleased) {
    throw conflict('pool.unpublished', 'The pool of this match is not published with all its maps yet.')
  }
  return pool
}

/**
 * The maps that the session copies, in the form that everybody may see, since sessions show them. Maps of a draft are
 * included for a user who may see them.
 */
export async function mapsOf(tx: Tx, actor: SignedIn | null, pool: Pool): Promise<readonly PoolMapView[]> {
  const maps = await listWholeMaps(tx, [pool.guid])
  return maps
    .filter(
      ({ releasedAt }) =>
        releasedAt !== null || (actor !== null && pool.status === 'draft' && maySeeAllMaps(actor, pool)),
    )
    .map((map, order) => poolMapView(map, order, null))
}

/** The two teams in the order of the match's sides. */
async function seatsOf(tx: Tx, { bracketGuid, team1Guid, team2Guid }: MatchRecord): Promise<readonly SeatTeam[]> {
  const entrants = await listEntrants(tx, bracketGuid)
  const guids = [team1Guid, team2Guid].flatMap((guid) => guid ?? [])
  return Promise.all(
    guids.map((guid, index) => seatFor(tx, index + 1, guid, entrants.find(({ team }) => team === guid)?.seed ?? null)),
  )
}

export async function seatFor(tx: Tx, seat: number, guid: string, seed: number | null): Promise<SeatTeam> {
  const [team, members] = await Promise.all([findTeamByGuid(tx, guid), listMembers(tx, [guid])])
  if (team === undefined) throw missing('team.unknown', 'There is no such team in this tournament.')
  const active = (members.get(guid) ?? []).filter(({ isActive }) => isActive)
  return {
    seat,
    team: guid,
    name: team.name,
    seed,
    captain: team.captainGuid,
    members: active.map(({ userGuid }) => userGuid),
  }
}
