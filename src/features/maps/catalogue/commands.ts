import { isDeepStrictEqual } from 'node:util'
import { membersOf } from '../../../core/events.ts'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { songTags } from './events.ts'
import { containsMore, isLessThanKnown, keptNames, mapFacts, readsDifferently, sharedAnswer } from './rules/facts.ts'
import { identityKey } from './rules/identities.ts'
import { keptOf, led, withImportData } from './rules/import-data.ts'
import { askAgainAt } from './rules/memory.ts'
import {
  type DueMap,
  type ImportDataRow,
  listImportedKeys,
  listMapsByIdentity,
  listTournamentsOfMaps,
  lockDueMaps,
  lockImportDataRows,
  lockImportedKeys,
  lockMapsByIdentity,
  postponeMaps,
  upsertMaps,
  writeImportData,
} from './store.ts'
import type { Answer, CatalogueMap, ImportedMap, KeptMap, MapIdentity, SongReference } from './types.ts'

export interface Entry {
  readonly identity: MapIdentity
  readonly finding: Answer
}

/**
 * Returns the maps shared by all tournaments, in the order of the entries. Inserts new maps, and updates the others if
 * the answers contain something new. Emits events, so that every place that shows a changed map is updated. Several
 * transactions may enter the same maps at the same time.
 *
 * If an answer came by a key that an import gave, only the pools with that key in their imports are updated with it.
 * (D71)
 */
export async function enterMaps(tx: Tx, entries: readonly Entry[], now: Date): Promise<CatalogueMap[]> {
  const maps = await enterShared(tx, entries, now)
  await noteKeys(tx, entries, maps)
  return maps
}

async function enterShared(tx: Tx, entries: readonly Entry[], now: Date): Promise<CatalogueMap[]> {
  const identities = [...new Map(entries.map(({ identity }) => [identityKey(identity), identity])).values()]
  const before = byIdentity(await lockMapsByIdentity(tx, identities))
  const shared = entries.map(({ identity, finding }): Entry => {
    return { identity, finding: sharedAnswer(identity, finding, before.get(identityKey(identity))) }
  })
  const facts = [...distinct(shared)].flatMap(([key, { identity, finding }]) => {
    const known = before.get(key)
    if (isLessThanKnown(finding, known)) return []
    const given = keptNames(mapFacts(identity, finding, now), finding, known)
    return containsMore(given, known) ? [given] : []
  })
  if (facts.length === 0) return inOrder(entries, before)
  await upsertMaps(tx, facts)
  const after = byIdentity(await listMapsByIdentity(tx, identities))
  await emitChanges(tx, before, after)
  return inOrder(entries, after)
}

/**
 * Writes maps by the caller's statement, and emits the events of those that read differently afterwards.
 * @param by GUID of who says so, in place of the catalogue
 */
export async function writeMaps(
  tx: Tx,
  identities: readonly MapIdentity[],
  { by, write }: { readonly by: string; readonly write: () => Promise<void> },
): Promise<void> {
  const before = byIdentity(await lockMapsByIdentity(tx, identities))
  await write()
  await emitChanges(tx, before, byIdentity(await listMapsByIdentity(tx, identities)), by)
}

async function noteKeys(tx: Tx, entries: readonly Entry[], maps: readonly CatalogueMap[]): Promise<void> {
  const asked = entries.flatMap(({ finding }, index) => {
    const mapGuid = maps[index]?.guid
    if (mapGuid === undefined || finding.outcome === 'unreachable' || finding.byKey === undefined) return []
    return [{ mapGuid, key: finding.byKey.key, finding }]
  })
  if (asked.length === 0) return
  const answers = new Map(asked.map(({ mapGuid, key, finding }) => [`${mapGuid} ${key}`, finding]))
  const changes = (await lockImportedKeys(tx, asked)).flatMap((row) => {
    const finding = answers.get(`${row.mapGuid} ${row.told?.key}`)
    return finding === undefined ? [] : [{ row, told: led(row.told, finding) }]
  })
  await keep(tx, changes, new Map(maps.map((map) => [map.guid, map])))
}

/** A map of a pool, and the data about it in a later import into that pool. */
export interface ImportData {
  readonly poolMapGuid: string
  readonly map: CatalogueMap
  readonly told: ImportedMap | null
  readonly finding: Answer
}

/** Saves the data that an import gives about maps already in its pool. Call under the lock of the pool. (D71) */
export async function saveImportData(tx: Tx, imported: readonly ImportData[]): Promise<void> {
  const open = imported.filter(({ map, told }) => map.state !== 'known' && told !== null)
  if (open.length === 0) return
  const rows = await lockImportDataRows(tx, [...new Set(open.map(({ poolMapGuid }) => poolMapGuid))])
  const changes = rows.map((row) => {
    const own = open.filter(({ poolMapGuid }) => poolMapGuid === row.guid)
    return { row, told: own.reduce((kept, { told, finding }) => led(keptOf(kept, told), finding), row.told) }
  })
  await keep(tx, changes, new Map(open.map(({ map }) => [map.guid, map])))
}

async function keep(
  tx: Tx,
  changes: readonly { readonly row: ImportDataRow; readonly told: KeptMap | null }[],
  maps: ReadonlyMap<string, CatalogueMap>,
): Promise<void> {
  const changed = changes.filter(({ row, told }) => !isDeepStrictEqual(row.told, told))
  if (changed.length === 0) return
  await writeImportData(
    tx,
    changed.map(({ row: { guid }, told }) => ({ guid, told })),
  )
  for (const { row, told } of changed) {
    const map = maps.get(row.mapGuid)
    if (map === undefined) continue
    emit(tx, {
      type: 'pool.map_described',
      subject: row.poolGuid,
      tournament: row.tournamentGuid,
      actor: null,
      before: membersOf(withImportData(map, row.told), ['state', 'currentHash']),
      after: { poolMapGuid: row.guid, ...membersOf(withImportData(map, told), ['state', 'currentHash']) },
    })
  }
}

/**
 * Returns the questions to the catalogue about maps of pools: by hash, with the keys to ask for if the catalogue has
 * lost the hash. (D71)
 * @param poolGuid limits the keys to one pool; null for all pools
 */
export async function questionsAbout<
  Known extends MapIdentity & { readonly guid: string; readonly key: string | null },
>(
  db: Db,
  known: readonly Known[],
  poolGuid: string | null = null,
): Promise<readonly { readonly identity: Known; readonly reference: SongReference }[]> {
  const told = await listImportedKeys(
    db,
    known.map(({ guid }) => guid),
    poolGuid,
  )
  return known.flatMap((identity) => {
    const { guid, hash, key } = identity
    const keys = told.get(guid) ?? [key]
    return keys.map((one) => ({ identity, reference: { kind: 'hash', hash, key: one } as const }))
  })
}

/** Keeps, of several entries for the same map, the one with the latest answer. */
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

async function emitChanges(
  tx: Tx,
  before: ReadonlyMap<string, CatalogueMap>,
  after: ReadonlyMap<string, CatalogueMap>,
  actor: string | null = null,
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
      actor,
      before: membersOf(was, ['state', 'currentHash']),
      after: membersOf(is, ['state', 'currentHash']),
      // A new key may make the map the same song as maps in other pools.
      touches: [...(tournaments.get(is.guid) ?? []), ...(was.key === is.key ? [] : songTags([is]))],
    })
  }
  const touches = [...new Set(checked.flatMap(({ is }) => tournaments.get(is.guid) ?? []))]
  if (touches.length > 0) emit(tx, { type: 'map.checked', subject: null, actor, touches })
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
 * Returns the maps that are due for another question to the catalogue. Counts the question as unanswered until the
 * answer arrives. So no other process asks in the meantime, and if this process dies, the question is repeated later.
 * (pools: The catalogue connector)
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
