import type { Tx } from '../../../../infra/db/database.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import { type PoolSource, planFromPool, type TakenMaps } from '../rules/pool-maps.ts'
import { checkNotFinal, statusAt } from '../rules/status.ts'
import { applyMaps, findLinks, linkMaps, listMaps, listPlayedMaps, updateQualifier } from '../store/qualifiers.ts'
import type { Qualifier } from '../types.ts'

/** The result of taking maps from a pool: the changes of the maps, and the qualifier. */
export interface Taken extends Omit<TakenMaps, 'links'> {
  readonly qualifier: Qualifier
  readonly isChanged: boolean
}

export interface Taking {
  readonly sources: readonly PoolSource[]
  /** Called only if the maps would change; throws if the caller may not change them. */
  readonly check: () => void
  readonly isDryRun: boolean
  readonly now: Date
}

/**
 * Replaces the qualifier's maps by those of a pool. While the qualifier is a draft, its update time stays: only the
 * staff sees its maps, and a new update time would reveal work on the pool. Call under `lockQualifier`.
 * @throws Problem `qualifier.map_played`, `qualifier.too_many_maps`, `qualifier.final`, those of `check`
 */
export async function takeMaps(tx: Tx, before: Qualifier, { sources, check, isDryRun, now }: Taking): Promise<Taken> {
  const current = await listMaps(tx, before.tournamentGuid)
  const [played, spare] = [await listPlayedMaps(tx, before.tournamentGuid), await newGuids(tx, sources.length)]
  const { plan, links, ...taken } = planFromPool(current, sources, { played, spare })
  const known = await findLinks(tx, before.guid)
  // The pool may have dropped a map and added it again. The new pool map then decides whether the map is shown.
  const isRelinked = [...links].some(([guid, source]) => known.get(guid) !== source)
  const isChanged = isRelinked || plan.created.length + plan.updated.length + plan.deleted.length > 0
  if (!isChanged) return { ...taken, qualifier: before, isChanged }
  const status = statusAt(before, now)
  checkNotFinal(status)
  check()
  if (isDryRun) return { ...taken, qualifier: before, isChanged }
  await applyMaps(tx, before.guid, plan)
  await linkMaps(tx, before.guid, links)
  if (status === 'draft') return { ...taken, qualifier: before, isChanged }
  // The standings change with the maps, if there are any.
  const boardChangedAt = before.boardChangedAt === null ? null : now
  const qualifier = await updateQualifier(tx, before.guid, { boardChangedAt, updatedAt: now })
  return { ...taken, qualifier, isChanged }
}
