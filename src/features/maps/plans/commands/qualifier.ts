import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { type Taken, takeMaps } from '../../../brackets/qualifiers/commands/maps.ts'
import { lockQualifier } from '../../../brackets/qualifiers/commands/qualifier.ts'
import { statusAt } from '../../../brackets/qualifiers/rules/status.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { lockPool, type Writing } from '../../pools/commands/changing.ts'
import { listWholeMaps } from '../../pools/store/maps.ts'
import { checkForQualifier, checkShown, sourceOf } from '../rules/qualifier.ts'

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
