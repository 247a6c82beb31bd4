import { type Actor, anonymous } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { DataTree } from '../../../../engine/scenes/tree.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import type { MatchView } from '../../../brackets/matches/views.ts'
import { findSeenOfMatch, loadState, readPlannedPool } from '../../../flows/flowSessions/queries.ts'
import type { StateView } from '../../../flows/flowSessions/views/state.ts'
import type { Asked } from '../types.ts'
import type { PoolMap } from '../views/maps.ts'
import { reportedGames, treeCurrentMap, treeFlow, treeGames, treePickBans, treePool } from '../views/play.ts'
import { plannedPoolKinds } from './tags.ts'

/**
 * An actor who sees sessions without delay but takes no part in them: sees no warnings and no secret answers. Use it
 * only for sessions, because casters may see more of other records. (match-flows: Spectators)
 */
const onAir: Actor = { ...anonymous, roles: new Set(['role:caster']) }

type Part = Pick<DataTree, 'map' | 'pickBans' | 'pool' | 'flow' | 'games'>

interface Play {
  /** The players that each side has named, by side number; null for a side that has named none. */
  readonly lineups: readonly (readonly string[] | null)[]
  /** @param order the sides in the order in which they are shown */
  readonly tree: (match: MatchView | null, order: readonly (1 | 2)[]) => Part
}

/** The visible data about the play of a match: its session, or the planned pool. */
export interface Seen {
  /** null if no session is visible, or if it was declared void. */
  readonly state: StateView | null
  readonly pool: StateView['pool']
}

type AskedOfMatch = Pick<Asked, 'tournament' | 'isLate' | 'publicUrl' | 'now'>

/** Returns the play of a match without delay or, with `isLate`, as outsiders see it. */
export async function readSeen(
  db: Db,
  { tournament, isLate, publicUrl, now }: AskedOfMatch,
  record: MatchRecord,
  depends: Depends,
): Promise<Seen> {
  const viewer = isLate ? anonymous : onAir
  const session = await findSeenOfMatch(db, record.guid, viewer)
  const state = session === undefined ? null : await loadState(db, session, viewer, now, depends)
  if (state !== null && state.status !== 'void') return { state, pool: state.pool }
  const pool = await readPlannedPool(db, tournament, record, { actor: anonymous, publicUrl, now }, depends)
  depends(...plannedPoolKinds(tournament.guid), ...(pool?.maps ?? []).map(({ map }) => map.guid))
  return { state: null, pool }
}

/** Returns the picks, bans and games of the match, or the maps of its planned pool. */
export async function readPlay(
  db: Db,
  asked: AskedOfMatch,
  record: MatchRecord | null,
  depends: Depends,
): Promise<Play> {
  if (record === null) return { lineups: [], tree: (match, order) => reportedPart(match, null, order) }
  const { state, pool } = await readSeen(db, asked, record, depends)
  if (state === null) return { lineups: [], tree: (match, order) => reportedPart(match, pool, order) }
  const maps = pool?.maps ?? []
  return {
    lineups: [lineupOf(state, 1), lineupOf(state, 2)],
    tree: (match, order) => played(state, match, maps, order),
  }
}

function lineupOf({ seats }: StateView, seat: number): readonly string[] | null {
  return seats[seat - 1]?.lineup?.filter((user) => user !== null) ?? null
}

function played(state: StateView, match: MatchView | null, maps: readonly PoolMap[], order: readonly (1 | 2)[]): Part {
  return {
    map: treeCurrentMap(state, maps),
    pickBans: treePickBans(state, maps),
    pool: state.pool === null ? null : treePool(state.pool, state.maps),
    flow: treeFlow(state, order),
    games: treeGames(state, match, maps, order),
  }
}

function reportedPart(match: MatchView | null, pool: StateView['pool'], order: readonly (1 | 2)[]): Part {
  return {
    map: null,
    pickBans: [],
    flow: null,
    pool: pool === null ? null : treePool(pool, []),
    games: reportedGames(match, pool?.maps ?? [], order),
  }
}
