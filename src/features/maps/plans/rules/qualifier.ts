import { conflict } from '../../../../core/problem.ts'
import type { PoolSource } from '../../../brackets/qualifiers/rules/pool-maps.ts'
import type { QualifierStatus } from '../../../brackets/qualifiers/types.ts'
import type { Pool, WholePoolMap } from '../../pools/types.ts'

/** @throws Problem `pool.wrong_kind` */
export function checkForQualifier({ kind }: Pick<Pool, 'kind'>): void {
  if (kind === 'qualifier') return
  throw conflict('pool.wrong_kind', 'The pool is for matches; the qualifier takes its maps from one of kind qualifier.')
}

/**
 * A qualifier that is no draft takes only maps that everybody may see. Players could not play hidden maps, and anybody
 * who watches the other maps would see the hidden ones appear and disappear.
 * (pools: What outsiders see; Which pool a match uses)
 * @throws Problem `pool.not_published`
 */
export function checkShown(
  { status }: Pick<Pool, 'status'>,
  maps: readonly Pick<WholePoolMap, 'releasedAt'>[],
  qualifier: QualifierStatus,
): void {
  if (qualifier === 'draft') return
  if (status !== 'draft' && maps.every(({ releasedAt }) => releasedAt !== null)) return
  const words = status === 'draft' ? 'publish it' : 'release all of its maps'
  throw conflict(
    'pool.not_published',
    `The qualifier is ${qualifier}, and not everybody sees the pool; ${words} first.`,
  )
}

export function sourceOf({ guid, weight, map }: WholePoolMap): PoolSource {
  const { hash, difficulty, characteristic, name, artist, mapper, imageUrl, maxScore } = map
  return { guid, hash, difficulty, characteristic, name, artist, mapper, imageUrl, maxScore, weight }
}
