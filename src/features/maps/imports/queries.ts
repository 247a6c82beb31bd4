import type { Static } from 'typebox'
import { type Actor, anonymous, type SignedIn } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { invalid, Problem } from '../../../core/problem.ts'
import { withImpliedRoles } from '../../../core/roles.ts'
import type { UploadedFile } from '../../../core/uploads.ts'
import type { Db } from '../../../infra/db/database.ts'
import { findUserByGuid, listUserFacts } from '../../people/users/store/users.ts'
import { isPooler } from '../../tournaments/access/policy.ts'
import { isPublic } from '../../tournaments/tournaments/policy.ts'
import { resolveTournament } from '../../tournaments/tournaments/resolve.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { listImportData, listMapsByGuid } from '../catalogue/store.ts'
import { maySeeAllMaps, maySeePool } from '../pools/policy.ts'
import { unknownPool } from '../pools/resolve.ts'
import { type PlaylistContent, readPlaylist, readPlaylistFile } from '../pools/rules/playlist-file.ts'
import { listWholeMaps } from '../pools/store/maps.ts'
import { findPool } from '../pools/store/pools.ts'
import type { Pool, WholePoolMap } from '../pools/types.ts'
import type { ImportBody } from './bodies.ts'
import { itemOfLink, itemsOfLines, itemsOfPlaylist, itemsOfPool, tooLarge } from './rules.ts'
import type { ImportJob, ImportRequest, ListedImport } from './types.ts'
import { countsOf, type ImportView, importView, type ListedImportView, listedImportView } from './views.ts'

interface There {
  readonly actor: Actor
  readonly tournament: Tournament
}

/** Returns a tournament, and the actor with their roles in it; undefined if the actor may not see it. */
async function findFor(db: Db, actor: Actor, tournamentGuid: string): Promise<There | undefined> {
  try {
    const found = await resolveTournament({ db, actor, records: {}, query: {} }, tournamentGuid)
    return { actor: found.actor ?? actor, tournament: found.record as Tournament }
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/**
 * Returns the starter of an import with their current rights, from their account alone; undefined if they may no longer
 * import.
 */
export async function findImporter(
  db: Db,
  { tournamentGuid, startedByGuid }: Pick<ImportJob, 'tournamentGuid' | 'startedByGuid'>,
): Promise<{ readonly actor: SignedIn; readonly tournament: Tournament } | undefined> {
  const user = await findUserByGuid(db, startedByGuid)
  if (user === undefined || user.bannedAt !== null) return undefined
  const { guid, chatPlatformId } = user
  const globalRoles = withImpliedRoles(user.globalRoles)
  const found = await findFor(db, { ...anonymous, guid, chatPlatformId, globalRoles }, tournamentGuid)
  if (found === undefined || !isPooler(found.actor)) return undefined
  return { actor: { ...found.actor, guid }, tournament: found.tournament }
}

/**
 * Returns a pool of any tournament, with the maps that the caller's roles there let them see.
 * (pools: Adding and importing)
 * @throws Problem `pool.unknown`
 */
async function readSourcePool(
  db: Db,
  caller: Actor,
  poolGuid: string,
): Promise<{ readonly pool: Pool; readonly tournament: Tournament; readonly maps: readonly WholePoolMap[] }> {
  const pool = isGuid(poolGuid) ? await findPool(db, normaliseGuid(poolGuid)) : undefined
  const found = pool === undefined ? undefined : await findFor(db, caller, pool.tournamentGuid)
  if (pool === undefined || found === undefined || !maySeePool(found.actor, pool)) throw unknownPool()
  const maps = await listWholeMaps(db, [pool.guid])
  const seen = maySeeAllMaps(found.actor, pool) ? maps : maps.filter(({ releasedAt }) => releasedAt !== null)
  return { pool, tournament: found.tournament, maps: seen }
}

type Source = Pick<ImportRequest, 'source' | 'content'>

/**
 * Reads the items from the source of an import. The job reads later what only the catalogue knows.
 * @throws Problem `import.source_invalid`, `import.too_large`, `playlist.invalid`, `map.reference_invalid`,
 *   `pool.unknown`
 */
export async function readSource(
  db: Db,
  actor: Actor,
  tournamentGuid: string,
  { source }: Pick<Static<typeof ImportBody>, 'source'>,
  file: UploadedFile | null,
): Promise<Source> {
  if (file !== null && source === undefined) return playlistSource(readPlaylistFile(file.bytes))
  if (source === undefined || file !== null)
    throw invalid('import.source_invalid', 'Say in "source" which maps are to be added, or send a "file".')
  if (source.kind === 'text') return { source: { kind: 'text', label: null }, content: itemsOfLines(source.lines) }
  if (source.kind === 'playlist') return playlistOf(source)
  const { pool, tournament, maps } = await readSourcePool(db, actor, source.poolGuid)
  // Others who read the import may not know of another tournament's draft pool, or of that tournament.
  const isKnown = tournament.guid === tournamentGuid || (pool.status !== 'draft' && isPublic(tournament))
  return { source: { kind: 'pool', label: isKnown ? pool.name : null }, content: itemsOfPool(maps) }
}

function playlistOf({ url, playlist }: { readonly url?: string; readonly playlist?: object }): Source {
  if ((url === undefined) === (playlist === undefined)) {
    throw invalid('import.source_invalid', 'Name a playlist by "source.url", or send it as "source.playlist".')
  }
  if (url !== undefined) {
    const item = itemOfLink(url)
    return { source: { kind: 'playlist', label: item.input }, content: [item] }
  }
  return playlistSource(readPlaylist(playlist))
}

function playlistSource(content: PlaylistContent): Source {
  if (content.overflows) throw tooLarge()
  return { source: { kind: 'playlist', label: content.title }, content: itemsOfPlaylist(content) }
}

export async function readImport(db: Db, job: ImportJob, poolName: string): Promise<ImportView> {
  const [users, maps, importData] = await Promise.all([
    listUserFacts(db, [job.startedByGuid]),
    listMapsByGuid(db, [...new Set(job.rows.flatMap(({ mapGuid }) => mapGuid ?? []))]),
    listImportData(db, [...new Set(job.rows.flatMap(({ poolMapGuid }) => poolMapGuid ?? []))]),
  ])
  const { request, rows, ...plain } = job
  const listed = { ...plain, poolName, source: request.source, counts: countsOf(rows) }
  return importView(listed, rows, { users, maps: new Map(maps.map((map) => [map.guid, map])), importData })
}

export async function readImports(db: Db, jobs: readonly ListedImport[]): Promise<readonly ListedImportView[]> {
  const users = await listUserFacts(db, [...new Set(jobs.map(({ startedByGuid }) => startedByGuid))])
  return jobs.map((job) => listedImportView(job, users))
}
