import { type Actor, type Audience, policy, publicAudience } from '../../../core/actor.ts'
import type { TournamentRole } from '../../../core/roles.ts'
import { headPoolerAudience, isHeadPooler, isPooler, poolerAudience } from '../../tournaments/access/policy.ts'
import type { Pool, PoolingSettings, PoolMap } from './types.ts'

/** A pool may name roles whose holders may read it as a draft. (pools) */
export function maySeeEarly(actor: Actor, { previewRoles }: Pick<Pool, 'previewRoles'>): boolean {
  return previewRoles.some((role) => actor.roles.has(role))
}

/** Outsiders may not even learn that a draft exists. (pools: What outsiders see) */
export function maySeePool(actor: Actor, pool: Pick<Pool, 'status' | 'previewRoles'>): boolean {
  return pool.status !== 'draft' || isPooler(actor) || maySeeEarly(actor, pool)
}

/** Whether the actor also sees the unreleased maps of a pool. */
export function maySeeAllMaps(actor: Actor, pool: Pick<Pool, 'previewRoles'>): boolean {
  return isPooler(actor) || maySeeEarly(actor, pool)
}

/** An unreleased map of a published pool is as hidden as a map in a draft. (pools: States, rule 2) */
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
 * Groups the actors who see the same data of pools: heads, poolers, users without a role at the tournament, and the
 * holders of the same set of other roles, because pools may name any of these as early readers.
 */
export const poolAudience: Audience = (actor) => {
  if (isHeadPooler(actor)) return headPoolerAudience
  if (isPooler(actor)) return poolerAudience
  return actor.roles.size === 0 ? publicAudience : `${previewAudience}${[...actor.roles].toSorted().join('+')}`
}

const previewAudience = 'roles:'

/** Whether a pool may name a role as an early reader. Admins and poolers may read drafts anyway. */
export function mayPreview(role: TournamentRole): boolean {
  return role !== 'role:admin' && role !== 'role:hpooler' && role !== 'role:pooler'
}

/** Heads always see votes, other poolers as the settings say. (pools: Suggestions, votes, comments, rule 4) */
export function maySeeVotes(
  actor: Actor,
  { hideVotes }: Pick<PoolingSettings, 'hideVotes'>,
  { isClosed, hasVoted }: { readonly isClosed: boolean; readonly hasVoted: boolean },
): boolean {
  return isHeadPooler(actor) || !hideVotes || isClosed || hasVoted
}
