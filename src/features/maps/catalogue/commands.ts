import { membersOf } from '../../../core/events.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { songTags } from './events.ts'
import { isLessThanKnown, keptNames, mapFacts, readsDifferently, tellsMore } from './rules/facts.ts'
import { identityKey } from './rules/identities.ts'
import { askAgainAt } from './rules/memory.ts'
import {
  type DueMap,
  fillTold,
  listMapsByIdentity,
  listTournamentsOfMaps,
  lockDueMaps,
  lockMapsByIdentity,
  postponeMaps,
  upsertMaps,
} from './store/maps.ts'
import type { Answer, CatalogueMap, MapIdentity, ToldMap } from './types.ts'

export interface Entry {
  readonly identity: MapIdentity
  readonly finding: Answer
  /** By the playlist that it came in by. */
  readonly told?: ToldMap | null
}

/**
 * The maps of all tournaments, in the order of the entries: those that are new are entered, and those that are there learn
 * what the answers say, unless they know it. Whoever shows them elsewhere is told. Many may enter the same maps at once.
 */
export async function enterMaps(tx: Tx, entries: readonly Entry[], now: Date): Promise<CatalogueMap[]> {
  const identities = [...new Map(entries.map(({ identity }) => [identityKey(identity), identity])).values()]
  const before = byIdentity(await lockMapsByIdentity(tx, identities))
  const facts = [...distinct(entries)].flatMap(([key, { identity, finding, told = null }]) => {
    const known = before.get(key)
    if (isLessThanKnown(finding, known)) return []
    const given = keptNames(mapFacts(identity, finding, now, told), finding, known)
    return tellsMore(given, known) ? [given] : []
  })
  // Of maps that are there without a name, playlists may tell it later.
  const told = entries.flatMap(({ identity, told = null }) =>
    told !== null && lacks(before.get(identityKey(identity)), told) ? [{ ...identity, ...told }] : [],
  )
  if (facts.length + told.length === 0) return inOrder(entries, before)
  await upsertMaps(tx, facts)
  await fillTold(tx, told)
  const after = byIdentity(await listMapsByIdentity(tx, identities))
  await tell(tx, before, after)
  return inOrder(entries, after)
}

function lacks(map: CatalogueMap | undefined, told: ToldMap): boolean {
  if (map === undefined || map.state === 'known') return false
  return (['key', 'name', 'mapper'] as const).some((member) => map[member] === null && told[member] !== null)
}

/** Of entries of the same map the one with the latest answer. */
function distinct(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const kept = new Map<string, Entry>()
  for (const entry of entries) {
    const key = identityKey(entry.identity)
    const other = kept.get(key)
    if (other === undefined || answeredAt(other) < answeredAt(entry)) kept.set(key, entry)
  }
  return kept
}

function answeredAt({ finding }: Entry): number {
  return finding.outcome === 'unreachable' ? 0 : finding.answeredAt.getTime()
}

async function tell(
  tx: Tx,
  before: ReadonlyMap<string, CatalogueMap>,
  after: ReadonlyMap<string, CatalogueMap>,
): Promise<void> {
  const pairs = [...before].flatMap(([key, was]) => {
    const is = after.get(key)
    return is === undefined ? [] : [{ was, is }]
  })
  const changed = pairs.filter(({ was, is }) => readsDifferently(was, is))
  const checked = pairs.filter(({ was, is }) => !readsDifferently(was, is) && !isSameTime(was, is))
  const guids = [...changed, ...checked].map(({ is }) => is.guid)
  const tournaments = await listTournamentsOfMaps(tx, guids)
  for (const { was, is } of changed) {
    emit(tx, {
      type: was.state === 'unresolved' && is.state !== 'unresolved' ? 'map.resolved' : 'map.changed',
      subject: is.guid,
      actor: null,
      before: membersOf(was, ['state', 'currentHash']),
      after: membersOf(is, ['state', 'currentHash']),
      // By a key that is told of later they come to be of the same song as others.
      touches: [...(tournaments.get(is.guid) ?? []), ...(was.key === is.key ? [] : songTags([is]))],
    })
  }
  const touches = [...new Set(checked.flatMap(({ is }) => tournaments.get(is.guid) ?? []))]
  if (touches.length > 0) emit(tx, { type: 'map.checked', subject: null, actor: null, touches })
}

function isSameTime(was: CatalogueMap, is: CatalogueMap): boolean {
  return was.checkedAt?.getTime() === is.checkedAt?.getTime()
}

function byIdentity(maps: readonly CatalogueMap[]): ReadonlyMap<string, CatalogueMap> {
  return new Map(maps.map((map) => [identityKey(map), map]))
}

function inOrder(entries: readonly Entry[], maps: ReadonlyMap<string, CatalogueMap>): CatalogueMap[] {
  return entries.map(({ identity }) => maps.get(identityKey(identity)) as CatalogueMap)
}

/**
 * Takes maps that the catalogue is to be asked for again. Until it answers they have been asked for in vain once more: so
 * nobody else asks meanwhile, and whoever dies in between has them asked for later. (pools: The catalogue connector)
 */
export async function takeDueMaps(tx: Tx, now: Date, limit: number): Promise<DueMap[]> {
  const due = await lockDueMaps(tx, now, limit)
  await postponeMaps(
    tx,
    due.map(({ guid, askedInVain }) => {
      const times = askedInVain + 1
      return { guid, askedInVain: times, askAgainAt: askAgainAt(times, now) }
    }),
  )
  return due
}
