import { type Actor, type Audience, policy, publicAudience } from '../../../core/actor.ts'
import type { TournamentRole } from '../../../core/roles.ts'
import { headPoolerAudience, isHeadPooler, isPooler, poolerAudience } from '../../tournaments/access/policy.ts'
import type { Pool, PoolingSettings, PoolMap } from './types.ts'

/** A pool may name roles whose holders read it early. (pools) */
export function maySeeEarly(actor: Actor, { previewRoles }: Pick<Pool, 'previewRoles'>): boolean {
  return previewRoles.some((role) => actor.roles.has(role))
}

/** Of a draft, outsiders learn nothing, not even that it exists. (pools: What outsiders see) */
export function maySeePool(actor: Actor, pool: Pick<Pool, 'status' | 'previewRoles'>): boolean {
  return pool.status !== 'draft' || isPooler(actor) || maySeeEarly(actor, pool)
}

/** Whether somebody sees the maps of a pool that are not released, too. */
export function maySeeAllMaps(actor: Actor, pool: Pick<Pool, 'previewRoles'>): boolean {
  return isPooler(actor) || maySeeEarly(actor, pool)
}

/** A map that is not released stays a draft's, although its pool is published. (pools: States, rule 2) */
export function maySeeMap(
  actor: Actor,
  pool: Pick<Pool, 'previewRoles'>,
  { releasedAt }: Pick<PoolMap, 'releasedAt'>,
): boolean {
  return releasedAt !== null || maySeeAllMaps(actor, pool)
}

export const headPoolers = policy('the organiser, admins and head poolers of the tournament', isHeadPooler)
export const poolers = policy('the organiser, admins and poolers of the tournament', isPooler)

/**
 * Who sees the same of pools: heads, poolers, everybody who is nothing at the tournament, and the holders of the same other
 * roles, since pools may name any of these as their early readers.
 */
export const poolAudience: Audience = (actor) => {
  if (isHeadPooler(actor)) return headPoolerAudience
  if (isPooler(actor)) return poolerAudience
  return actor.roles.size === 0 ? publicAudience : `${previewAudience}${[...actor.roles].toSorted().join('+')}`
}

const previewAudience = 'roles:'

/** Roles whose holders a pool may let read it early: all others that do not read it anyhow. */
export function mayPreview(role: TournamentRole): boolean {
  return role !== 'role:admin' && role !== 'role:hpooler' && role !== 'role:pooler'
}

/** How poolers come to see votes: heads always, others as the settings say. (pools: Suggestions, votes, comments, rule 4) */
export function maySeeVotes(
  actor: Actor,
  { hideVotes }: Pick<PoolingSettings, 'hideVotes'>,
  { isClosed, hasVoted }: { readonly isClosed: boolean; readonly hasVoted: boolean },
): boolean {
  return isHeadPooler(actor) || !hideVotes || isClosed || hasVoted
}
