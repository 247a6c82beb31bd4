import { conflict, invalid } from '../../../../core/problem.ts'
import type { Failure, Pool, PoolStatus, WholePoolMap } from '../types.ts'

/** Checks whether a pool may be published, and which changes its status allows. (pools: States) */

type Judged = Pick<WholePoolMap, 'guid' | 'flairGuid'> & { readonly map: Pick<WholePoolMap['map'], 'state'> }

const stateFailures = { unresolved: 'map_unresolved', missing: 'map_missing', outdated: 'map_outdated' } as const

/**
 * Returns all reasons against publishing: no maps, unfilled slots, missing flairs, and maps that not everybody can
 * download. (pools: States, rule 1)
 */
export function failuresOf(slots: Pool['slots'], maps: readonly Judged[]): Failure[] {
  if (maps.length === 0) return [{ code: 'empty' }]
  const counts = Map.groupBy(maps, ({ flairGuid }) => flairGuid)
  const unfilled = slots
    .filter(({ flairGuid, count }) => (counts.get(flairGuid)?.length ?? 0) < count)
    .map(({ flairGuid }): Failure => ({ code: 'slots_unfilled', flairGuid }))
  const bare = slots.length === 0 ? [] : maps.filter(({ flairGuid }) => flairGuid === null)
  return [
    ...unfilled,
    ...bare.map(({ guid }): Failure => ({ code: 'flair_missing', poolMapGuid: guid })),
    ...maps.flatMap(({ guid, map: { state } }): Failure[] =>
      state === 'known' ? [] : [{ code: stateFailures[state], poolMapGuid: guid }],
    ),
  ]
}

/**
 * A pool may be published or scheduled only without failures, apart from overridden ones: all with `force`, or the
 * failures that an earlier `force` overrode. `empty` is never overridden. (pools: States, rule 1; Details 2)
 * @throws Problem `pool.not_ready` with the failures
 */
export function checkReady(failures: readonly Failure[], overridden: readonly Failure[] | 'all' = []): void {
  const known = overridden === 'all' ? null : new Set(overridden.map(keyOf))
  const left = failures.filter((failure) => failure.code === 'empty' || (known !== null && !known.has(keyOf(failure))))
  if (left.length === 0) return
  throw conflict('pool.not_ready', sentenceOf(left), { failures: left })
}

function keyOf({ code, poolMapGuid = '', flairGuid = '' }: Failure): string {
  return `${code}/${poolMapGuid}/${flairGuid}`
}

function sentenceOf(failures: readonly Failure[]): string {
  const words = {
    empty: 'it has no maps',
    slots_unfilled: 'there are flairs with fewer maps than wanted',
    flair_missing: 'there are maps without a flair',
    map_unresolved: 'the catalogue has not told of all its maps yet',
    map_missing: 'the catalogue does not have all its maps',
    map_outdated: 'there are maps of which a newer version is published',
  }
  const reasons = [...new Set(failures.map(({ code }) => words[code]))]
  return `The pool is not ready: ${reasons.join('; ')}.`
}

/** The time of publication must be in the future. (pools: Details 2) */
export function checkPublishAt(publishAt: Date, now: Date): void {
  if (publishAt > now) return
  throw invalid('pool.time_invalid', 'The time of publication must lie ahead; leave it out to publish at once.')
}

/** @throws Problem `pool.wrong_status` */
export function checkStatus({ status }: Pick<Pool, 'status'>, allowed: readonly PoolStatus[], what: string): void {
  if (allowed.includes(status)) return
  throw conflict('pool.wrong_status', `A pool that is ${words[status]} cannot be ${what}.`)
}

const words: Readonly<Record<PoolStatus, string>> = { draft: 'a draft', published: 'published', archived: 'archived' }

/**
 * Only a pool that was never published may be deleted, because users must be able to look up what they have seen.
 * (pools: States)
 */
export function checkNeverPublished({ lastRevision }: Pick<Pool, 'lastRevision'>): void {
  if (lastRevision > 0) throw conflict('pool.was_published', 'The pool was published once; archive it instead.')
}

/** A pool that a match was begun with stays visible to everybody. (pools: States) */
export function checkNotInUse(wasBegunWith: boolean): void {
  if (wasBegunWith) throw conflict('pool.in_use', 'A match was begun with this pool; archive it instead.')
}

/** A map may not be released before its pool. (pools: Records, PoolMap) */
export function checkReleaseAt(
  releaseAt: Date | null,
  { status, publishAt }: Pick<Pool, 'status' | 'publishAt'>,
  now: Date,
): void {
  if (releaseAt === null) return
  if (status === 'published' && releaseAt <= now) {
    throw invalid('pool.map_invalid', 'The pool is published: a map that is to be released later needs a time ahead.')
  }
  if (publishAt !== null && releaseAt < publishAt) {
    throw invalid('pool.map_invalid', 'A map is not released before its pool is published.')
  }
}
