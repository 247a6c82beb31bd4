import { type Actor, anonymous } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { DataTree } from '../../../../engine/scenes/tree.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import type { MatchView } from '../../../brackets/matches/views.ts'
import { readPlannedPool } from '../../../flows/flowSessions/queries/planned.ts'
import { findSeenOfMatch, loadState } from '../../../flows/flowSessions/queries/states.ts'
import type { StateView } from '../../../flows/flowSessions/views/state.ts'
import type { Asked } from '../types.ts'
import type { PoolMap } from '../views/maps.ts'
import { toldGames, treeCurrentMap, treeFlow, treeGames, treePickBans, treePool } from '../views/play.ts'
import { plannedPoolKinds } from './tags.ts'

/**
 * Somebody who sees sessions without their delay and is nobody in them: they see no warnings, and no secret answers. For sessions
 * alone, as casters may know more of everything else. (match-flows: Spectators)
 */
const onAir: Actor = { ...anonymous, roles: new Set(['role:caster']) }

type Part = Pick<DataTree, 'map' | 'pickBans' | 'pool' | 'flow' | 'games'>

interface Play {
  /** Whom each side has named, by its number; null where it has named nobody. */
  readonly lineups: readonly (readonly string[] | null)[]
  /** @param order sides as they are shown */
  readonly tree: (match: MatchView | null, order: readonly (1 | 2)[]) => Part
}

/** What is known of how a match is played: its session, or the pool that it is to be played of. */
export interface Seen {
  /** null where nothing of a session is seen, or all of it was declared void. */
  readonly state: StateView | null
  readonly pool: StateView['pool']
}

type AskedOfMatch = Pick<Asked, 'tournament' | 'isLate' | 'publicUrl' | 'now'>

/** How a match is played, as it goes on air or, where that is asked for, as outsiders see it. */
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

/** How the match is picked and played, or of which maps it is to be. */
export async function readPlay(
  db: Db,
  asked: AskedOfMatch,
  record: MatchRecord | null,
  depends: Depends,
): Promise<Play> {
  if (record === null) return { lineups: [], tree: (match, order) => told(match, null, order) }
  const { state, pool } = await readSeen(db, asked, record, depends)
  if (state === null) return { lineups: [], tree: (match, order) => told(match, pool, order) }
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

function told(match: MatchView | null, pool: StateView['pool'], order: readonly (1 | 2)[]): Part {
  return {
    ...{ map: null, pickBans: [], flow: null },
    pool: pool === null ? null : treePool(pool, []),
    games: toldGames(match, pool?.maps ?? [], order),
  }
}
