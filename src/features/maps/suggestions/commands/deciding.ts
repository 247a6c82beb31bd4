import { invalid } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { findMap } from '../../catalogue/store.ts'
import { lockPool, type Writing } from '../../pools/commands/changing.ts'
import { addMap } from '../../pools/commands/maps.ts'
import { unknownPool } from '../../pools/resolve.ts'
import type { MapSettingsInput } from '../../pools/rules/maps.ts'
import { checkAllOpen, checkStep } from '../rules.ts'
import { countOpen, findSuggestion, lockOpening, updateSuggestion } from '../store/suggestions.ts'
import type { Suggestion } from '../types.ts'
import { checkNew, lock, poolArchived } from './suggestions.ts'

export interface Acceptance {
  /** Overrides the pool that the suggestion is for. */
  readonly poolGuid?: string
  readonly settings: MapSettingsInput
  readonly reason: string | null
}

/**
 * Accepts a suggestion and adds its map to the pool, in the same transaction.
 * (pools: Suggestions, votes, comments, rule 3)
 * @throws Problem `suggestion.wrong_status`, `suggestion.pool_missing`, `pool.unknown`, `pool.archived`, and the
 *   problems of `addMap`
 */
export async function acceptSuggestion(
  tx: Tx,
  writing: Writing,
  guid: string,
  { poolGuid: named, settings, reason }: Acceptance,
  around: Parameters<typeof addMap>[5],
): Promise<{ readonly suggestion: Suggestion; readonly poolGuid: string; readonly poolMapGuid: string }> {
  const { actor, tournament, now } = writing
  const poolGuid = named?.toLowerCase() ?? (await findSuggestion(tx, guid))?.targetPoolGuid ?? null
  checkNotCancelled(tournament)
  if (poolGuid === null) throw poolMissing()
  // Locks the pool before the suggestion. The deletion of a pool locks in the same order.
  const pool = await lockPool(tx, poolGuid, tournament)
  if (pool.tournamentGuid !== tournament.guid) throw unknownPool()
  const before = await lock(tx, guid)
  checkStep(before, 'accepted')
  if (pool.status === 'archived') throw poolArchived()
  const addition = {
    map: { guid: before.mapGuid },
    settings: { flairGuid: before.targetFlairGuid, ...settings },
    suggestionGuid: guid,
  }
  const poolMapGuid = await addMap(tx, writing, poolGuid, addition, reason, around)
  const suggestion = await updateSuggestion(
    tx,
    guid,
    { status: 'accepted', reason, decidedByGuid: actor.guid, decidedAt: now, poolMapGuid },
    now,
  )
  emit(tx, {
    type: 'suggestion.accepted',
    subject: guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: { ...(await decided(tx, suggestion)), poolGuid, poolMapGuid },
  })
  return { suggestion, poolGuid, poolMapGuid }
}

async function decided(tx: Tx, { suggestedByGuid, mapGuid, reason }: Suggestion) {
  const map = await findMap(tx, mapGuid)
  return { suggestedBy: suggestedByGuid, name: map?.name ?? null, reason }
}

function poolMissing() {
  return invalid(
    'suggestion.pool_missing',
    'The suggestion is for no pool; say as `poolGuid` into which one its map goes.',
  )
}

/** @throws Problem `tournament.cancelled`, `suggestion.wrong_status` */
export async function rejectSuggestion(
  tx: Tx,
  { actor, tournament, now }: Writing,
  guid: string,
  reason: string,
): Promise<Suggestion> {
  checkNotCancelled(tournament)
  checkStep(await lock(tx, guid), 'rejected')
  const suggestion = await updateSuggestion(
    tx,
    guid,
    { status: 'rejected', reason, decidedByGuid: actor.guid, decidedAt: now },
    now,
  )
  emit(tx, {
    type: 'suggestion.rejected',
    subject: guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: await decided(tx, suggestion),
  })
  return suggestion
}

/**
 * Reopens a rejected or withdrawn suggestion, unless the same map has another open suggestion.
 * @throws Problem `tournament.cancelled`, `suggestion.wrong_status`, `suggestion.exists`, `suggestion.limit_reached`
 */
export async function reopenSuggestion(tx: Tx, { actor, tournament, now }: Writing, guid: string): Promise<Suggestion> {
  checkNotCancelled(tournament)
  await lockOpening(tx, tournament.guid)
  const before = await lock(tx, guid)
  checkStep(before, 'reopened')
  await checkNew(tx, before, guid)
  checkAllOpen(await countOpen(tx, tournament.guid))
  const suggestion = await updateSuggestion(
    tx,
    guid,
    { status: 'open', reason: null, decidedByGuid: null, decidedAt: null },
    now,
  )
  emit(tx, {
    type: 'suggestion.reopened',
    subject: guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: { status: before.status, reason: before.reason },
  })
  return suggestion
}
