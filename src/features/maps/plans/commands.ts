import type { SignedIn } from '../../../core/actor.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { findNameable } from '../../brackets/brackets/store/targets.ts'
import { type Taken, takeMaps } from '../../brackets/qualifiers/commands/maps.ts'
import { lockQualifier } from '../../brackets/qualifiers/commands/qualifier.ts'
import { statusAt } from '../../brackets/qualifiers/rules/status.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../tournaments/tournaments/rules/status.ts'
import { lockPool, type Writing } from '../pools/commands/changing.ts'
import { listWholeMaps } from '../pools/store/maps.ts'
import { listPools } from '../pools/store/pools.ts'
import {
  checkForQualifier,
  checkPlan,
  checkPlanRevision,
  checkShown,
  entriesOf,
  isSamePlan,
  type PlanInput,
  planOf,
  sourceOf,
} from './rules.ts'
import { findPlan, writePlan } from './store.ts'
import type { PoolPlan } from './types.ts'

/**
 * Replaces the tournament's pool plan. A plan equal to the stored one changes nothing. (pools: Which pool a match uses)
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `pool_plan.stale`, `pool_plan.invalid`
 */
export async function replacePlan(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  { revision, ...input }: PlanInput & { readonly revision: number },
): Promise<PoolPlan> {
  const { tournament } = await lockTournament(tx, tournamentGuid)
  checkNotCancelled(tournament)
  const present = await findPlan(tx, tournamentGuid)
  const before = planOf(present.revision, present)
  checkPlanRevision(before, revision)
  const wanted = entriesOf(input)
  const [pools, nameable] = await Promise.all([
    listPools(tx, tournamentGuid),
    findNameable(tx, tournamentGuid, wanted.entries),
  ])
  checkPlan(input, wanted, { pools, ...nameable })
  if (isSamePlan(present, wanted)) return before
  await writePlan(tx, tournamentGuid, { ...wanted, revision: present.revision + 1 })
  const stored = await findPlan(tx, tournamentGuid)
  const after = planOf(stored.revision, stored)
  emit(tx, {
    type: 'pool_plan.updated',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: outlineOf(before),
    after: outlineOf(after),
  })
  return after
}

function outlineOf({ revision, default: fallback, brackets, matches }: PoolPlan) {
  return { revision, default: fallback, brackets: brackets.length, matches: matches.length }
}

/**
 * Replaces the maps of the tournament's qualifier with the maps of a pool. (pools: Which pool a match uses)
 * @throws Problem `tournament.unknown`, `qualifier.unknown`, and the problems of `lockPool`, `checkForQualifier`,
 *   `checkShown` and `takeMaps`
 */
export async function fillQualifier(
  tx: Tx,
  { actor, tournament: { guid: tournamentGuid }, now }: Writing,
  poolGuid: string,
  isDryRun: boolean,
): Promise<Taken> {
  const { tournament } = await lockTournament(tx, tournamentGuid)
  const pool = await lockPool(tx, poolGuid, tournament)
  checkForQualifier(pool)
  const before = await lockQualifier(tx, tournamentGuid)
  const status = statusAt(before, now)
  const maps = await listWholeMaps(tx, [pool.guid])
  const check = () => checkShown(pool, maps, status)
  const taken = await takeMaps(tx, before, { sources: maps.map(sourceOf), check, isDryRun, now })
  if (isDryRun || !taken.isChanged) return taken
  const common = { tournament: tournamentGuid, actor: actor.guid }
  if (status === 'draft') {
    const { added, removed, changed } = taken
    emit(tx, {
      ...common,
      type: 'pool_plan.qualifier_prepared',
      subject: pool.guid,
      after: { added: added.length, removed: removed.length, changed: changed.length },
    })
  } else {
    emit(tx, { ...common, type: 'qualifier.updated', subject: before.guid, before: {}, after: {} })
  }
  return taken
}
