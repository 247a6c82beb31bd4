import { and, eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { brackets, divisions } from '../../brackets/brackets/tables.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { pools } from '../pools/tables.ts'
import type { Planned } from './rules.ts'
import { plannedPools, poolPlans } from './tables.ts'
import type { PlanEntry } from './types.ts'

const tournamentGuid = sql.placeholder('tournamentGuid')

const head = statement('plans.head', (orm) =>
  orm
    .select({ revision: poolPlans.revision, default: pools.guid })
    .from(poolPlans)
    .leftJoin(pools, and(eq(pools.guid, poolPlans.defaultPoolGuid), eq(pools.kind, 'match')))
    .where(eq(poolPlans.tournamentGuid, tournamentGuid)),
)

/**
 * The entries of brackets and their rounds in the brackets' list order, then the entries of matches in the matches'
 * list order.
 */
const entries = statement('plans.entries', (orm) =>
  orm
    .select({
      matchGuid: plannedPools.matchGuid,
      bracketGuid: plannedPools.bracketGuid,
      round: plannedPools.round,
      poolGuid: plannedPools.poolGuid,
    })
    .from(plannedPools)
    .innerJoin(pools, and(eq(pools.guid, plannedPools.poolGuid), eq(pools.kind, 'match')))
    .leftJoin(brackets, eq(brackets.guid, plannedPools.bracketGuid))
    .leftJoin(divisions, eq(divisions.guid, brackets.divisionGuid))
    .leftJoin(matches, eq(matches.guid, plannedPools.matchGuid))
    .where(eq(plannedPools.tournamentGuid, tournamentGuid))
    .orderBy(
      ...[divisions.order, divisions.guid, brackets.order, brackets.createdAt, brackets.guid],
      ...[matches.createdAt, matches.number, matches.guid, plannedPools.round],
    ),
)

/** Returns the plan and its revision. Leaves out pools that have become qualifier pools since the plan was saved. */
export async function findPlan(db: Db, tournament: string): Promise<Planned & { readonly revision: number }> {
  const [[plan], rows] = await Promise.all([
    head(db, { tournamentGuid: tournament }),
    entries(db, { tournamentGuid: tournament }),
  ])
  return { revision: plan?.revision ?? 0, default: plan?.default ?? null, entries: rows }
}

/** Replaces the stored plan. Call under the lock of the tournament. */
export async function writePlan(
  tx: Tx,
  tournament: string,
  { revision, default: defaultPoolGuid, entries: planned }: Planned & { readonly revision: number },
): Promise<void> {
  const { orm } = tx.session
  await orm
    .insert(poolPlans)
    .values({ tournamentGuid: tournament, revision, defaultPoolGuid })
    .onConflictDoUpdate({ target: poolPlans.tournamentGuid, set: { revision, defaultPoolGuid } })
  await orm.delete(plannedPools).where(eq(plannedPools.tournamentGuid, tournament))
  if (planned.length === 0) return
  await orm.execute(sql`
    insert into ${plannedPools} (tournament_guid, match_guid, bracket_guid, round, pool_guid)
    select ${tournament}::uuid, e."matchGuid", e."bracketGuid", e."round", e."poolGuid"
    from jsonb_to_recordset(${JSON.stringify(planned satisfies readonly PlanEntry[])}::jsonb)
      as e ("matchGuid" uuid, "bracketGuid" uuid, "round" text, "poolGuid" uuid)`)
}
