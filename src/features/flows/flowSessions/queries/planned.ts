import type { Actor } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { poolsOfMatches } from '../../../brackets/matches/rules.ts'
import { listPlannedPools } from '../../../brackets/matches/store/pools.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { dependenciesOf, readPool } from '../../../maps/pools/queries/pools.ts'
import { findPool } from '../../../maps/pools/store/pools.ts'
import { isPooler } from '../../../tournaments/access/policy.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { findPlannedFlow } from '../store/planned.ts'
import { flowMembersOf } from '../views/flow.ts'
import { plannedView, type StateView } from '../views/state.ts'

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
