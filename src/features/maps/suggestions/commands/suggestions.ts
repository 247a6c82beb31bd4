import { membersOf } from '../../../../core/events.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { isPooler } from '../../../tournaments/access/policy.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { findMap } from '../../catalogue/store.ts'
import type { CatalogueMap } from '../../catalogue/types.ts'
import type { Writing } from '../../pools/commands/changing.ts'
import { enterMap } from '../../pools/commands/entering.ts'
import { type NamedMap, unknownMap } from '../../pools/prepare.ts'
import { unknownPool } from '../../pools/resolve.ts'
import { checkFlair } from '../../pools/rules/settings.ts'
import { listFlairs, readPoolingSettings } from '../../pools/store/flairs.ts'
import { findPool } from '../../pools/store/pools.ts'
import { checkMaySuggest } from '../policy.ts'
import { unknownSuggestion } from '../resolve.ts'
import { checkAllOpen, checkOwn, checkStep, suggestionExists } from '../rules.ts'
import {
  countOf,
  countOpen,
  findOtherOpen,
  insertSuggestion,
  lockOpening,
  lockSuggestion,
  type SuggestionChanges,
  updateSuggestion,
} from '../store/suggestions.ts'
import { isMapOpenTo, lockTargetsForKeyShare } from '../store/surroundings.ts'
import type { Suggestion } from '../types.ts'

/** The note and the targets that the author adds to a suggestion. */
export interface Wish {
  readonly note?: string | null
  readonly targetPool?: string | null
  readonly targetFlair?: string | null
}

/**
 * Suggests a map. If two poolers suggest the same map, the second gets `suggestion.exists`. A caller who is no pooler
 * never learns that others suggested the map. (pools: Suggestions, votes, comments, rules 1 and 2)
 * @throws Problem `tournament.cancelled`, `role.missing`, `map.unknown`, `suggestion.exists`, `suggestion.too_many`,
 *   `suggestion.limit_reached`, and the problems of `readTargets`
 */
export async function makeSuggestion(tx: Tx, writing: Writing, named: NamedMap, wish: Wish): Promise<Suggestion> {
  const { actor, tournament, now } = writing
  checkNotCancelled(tournament)
  const isForPoolers = isPooler(actor)
  if (!isForPoolers) checkMaySuggest(actor, await readPoolingSettings(tx, tournament.guid))
  const targets = await readTargets(tx, writing, wish)
  const map = await enterSuggested(tx, writing, named)
  await lockOpening(tx, tournament.guid)
  if (isForPoolers) await checkNew(tx, { tournamentGuid: tournament.guid, mapGuid: map.guid })
  checkOwn(await countOf(tx, tournament.guid, actor.guid), isForPoolers)
  checkAllOpen(await countOpen(tx, tournament.guid))
  const made = await insertSuggestion(
    tx,
    {
      tournamentGuid: tournament.guid,
      mapGuid: map.guid,
      suggestedByGuid: actor.guid,
      note: wish.note || null,
      targetPoolGuid: targets.targetPoolGuid ?? null,
      targetFlairGuid: targets.targetFlairGuid ?? null,
    },
    now,
  )
  emit(tx, {
    type: 'suggestion.created',
    subject: made.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: { mapGuid: map.guid, name: map.name, ...membersOf(made, ['targetPoolGuid', 'targetFlairGuid']) },
  })
  return made
}

/** Call under `lockOpening`. @throws Problem `suggestion.exists` */
export async function checkNew(
  tx: Tx,
  wanted: Pick<Suggestion, 'tournamentGuid' | 'mapGuid'>,
  guid?: string,
): Promise<void> {
  const other = await findOtherOpen(tx, wanted, guid)
  if (other !== undefined) throw suggestionExists(other)
}

/**
 * A caller who is no pooler may give the GUID only of a map that they may see. Otherwise the answer would reveal which
 * maps drafts contain.
 */
async function enterSuggested(tx: Tx, { actor, tournament, now }: Writing, named: NamedMap): Promise<CatalogueMap> {
  if ('identity' in named || isPooler(actor)) return enterMap(tx, tournament.guid, named, now)
  const map = (await isMapOpenTo(tx, actor.guid, named.mapGuid)) ? await findMap(tx, named.mapGuid) : undefined
  if (map === undefined) throw unknownMap()
  return map
}

/**
 * Returns the GUIDs of the target pool and flair; leaves out the ones that the request does not give. A caller who is
 * no pooler may not name any: the answer would reveal which draft pools exist.
 * @throws Problem `suggestion.target_unknown`, `pool.unknown`, `pool.archived`, `flair.unknown`
 */
async function readTargets(tx: Tx, { actor, tournament }: Writing, { targetPool, targetFlair }: Wish) {
  const poolGuid = targetPool?.toLowerCase() ?? targetPool
  const flairGuid = targetFlair?.toLowerCase() ?? targetFlair
  if (!isPooler(actor)) {
    if (poolGuid == null && flairGuid == null) return {}
    throw invalid('suggestion.target_unknown', 'Only poolers say which pool and flair a suggestion is for.')
  }
  await lockTargetsForKeyShare(tx, { poolGuid: poolGuid ?? null, flairGuid: flairGuid ?? null })
  if (poolGuid != null) {
    const pool = await findPool(tx, poolGuid)
    if (pool?.tournamentGuid !== tournament.guid) throw unknownPool()
    if (pool.status === 'archived') throw poolArchived()
  }
  if (flairGuid != null) checkFlair(flairGuid, await listFlairs(tx, tournament.guid))
  return {
    ...(poolGuid === undefined ? {} : { targetPoolGuid: poolGuid }),
    ...(flairGuid === undefined ? {} : { targetFlairGuid: flairGuid }),
  } satisfies SuggestionChanges
}

export function poolArchived() {
  return conflict('pool.archived', 'The pool is archived; unarchive it first.')
}

const wording = ['note', 'targetPoolGuid', 'targetFlairGuid'] as const

/**
 * Changes the wording and the targets of an open suggestion, for its author.
 * @throws Problem `tournament.cancelled`, `suggestion.wrong_status`, and the problems of `readTargets`
 */
export async function editSuggestion(tx: Tx, writing: Writing, guid: string, wish: Wish): Promise<Suggestion> {
  const { actor, tournament, now } = writing
  checkNotCancelled(tournament)
  const targets = await readTargets(tx, writing, wish)
  const before = await lock(tx, guid)
  checkStep(before, 'changed')
  const wanted = { ...targets, ...(wish.note === undefined ? {} : { note: wish.note || null }) }
  const names = wording.filter((name) => name in wanted && wanted[name] !== before[name])
  if (names.length === 0) return before
  const after = await updateSuggestion(tx, guid, wanted, now)
  emit(tx, {
    type: 'suggestion.updated',
    subject: guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: membersOf(before, names),
    after: membersOf(after, names),
  })
  return after
}

/** @throws Problem `suggestion.unknown` */
export async function lock(tx: Tx, guid: string): Promise<Suggestion> {
  const suggestion = await lockSuggestion(tx, guid)
  if (suggestion === undefined) throw unknownSuggestion()
  return suggestion
}

/**
 * Withdraws a suggestion, for its author.
 * @throws Problem `tournament.cancelled`, `suggestion.wrong_status`
 */
export async function withdrawSuggestion(
  tx: Tx,
  { actor, tournament, now }: Writing,
  guid: string,
): Promise<Suggestion> {
  checkNotCancelled(tournament)
  checkStep(await lock(tx, guid), 'withdrawn')
  const changed = await updateSuggestion(
    tx,
    guid,
    { status: 'withdrawn', decidedByGuid: actor.guid, decidedAt: now },
    now,
  )
  emit(tx, { type: 'suggestion.withdrawn', subject: guid, tournament: tournament.guid, actor: actor.guid })
  return changed
}
