import { timingSafeEqual } from 'node:crypto'
import { type Actor, isSignedIn } from '../../../../core/actor.ts'
import type { For } from '../../../../core/csv.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { dataUri } from '../../../../infra/pictures/data-uri.ts'
import type { Pictures } from '../../../../infra/pictures/pictures.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { isPooler } from '../../../tournaments/access/policy.ts'
import { isPublic } from '../../../tournaments/tournaments/policy.ts'
import { findTournamentFor } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { previewKeyHash } from '../commands/pools.ts'
import { maySeeAllMaps, maySeeVotes } from '../policy.ts'
import { unknownPool } from '../resolve.ts'
import { findCover } from '../store/covers.ts'
import { readPoolingSettings } from '../store/flairs.ts'
import { listWholeMaps } from '../store/maps.ts'
import { findPool } from '../store/pools.ts'
import { listTallies } from '../store/tallies.ts'
import type { Pool } from '../types.ts'
import { poolCsv } from '../views/csv.ts'
import { playlistFile } from '../views/playlist.ts'
import { playlistUrlOf } from '../views/pool.ts'

/** Reads the files of pools: playlists, covers and tables. */

export interface Found {
  readonly pool: Pool
  readonly tournament: Tournament
}

/**
 * Returns a pool that everybody sees, of a tournament that everybody sees. All others count as unknown.
 * (pools: What outsiders see)
 * @throws Problem `pool.unknown`
 */
export async function loadShownPool(db: Db, text: string): Promise<Found> {
  const found = await findWithTournament(db, text)
  if (found === undefined || found.pool.status === 'draft' || !isPublic(found.tournament)) throw unknownPool()
  return found
}

/**
 * Returns a draft for a caller with its preview key. (pools: Playlist and CSV, rule 5)
 * @throws Problem `pool.unknown`, also for a wrong key
 */
export async function loadPreviewedPool(db: Db, text: string, key: string): Promise<Found> {
  const found = await findWithTournament(db, text)
  const given = previewKeyHash(key)
  // Compares with a dummy hash if the pool has no key, so that both cases take the same time.
  const known = found?.pool.previewKeyHash ?? previewKeyHash('')
  if (!timingSafeEqual(given, known) || found?.pool.status !== 'draft') throw unknownPool()
  if (found.tournament.status === 'cancelled') throw unknownPool()
  return found
}

async function findWithTournament(db: Db, text: string): Promise<Found | undefined> {
  const pool = isGuid(text) ? await findPool(db, normaliseGuid(text)) : undefined
  if (pool === undefined) return undefined
  const seen = await findTournamentFor(db, pool.tournamentGuid, null)
  return seen === undefined ? undefined : { pool, tournament: seen.tournament }
}

interface Surroundings {
  readonly pictures: Pictures
  readonly publicUrl: string
}

/**
 * Returns the playlist of a pool with its released maps, or of a draft with all of its maps.
 * @param key the preview key of a draft; the game reloads the playlist from the same address
 */
export async function readPlaylist(db: Db, { pool, tournament }: Found, around: Surroundings, key?: string) {
  const [maps, cover] = await Promise.all([listWholeMaps(db, [pool.guid]), readCover(db, pool, around.pictures)])
  const seen = key === undefined ? maps.filter(({ releasedAt }) => releasedAt !== null) : maps
  const url = playlistUrlOf(around.publicUrl, pool)
  return playlistFile({
    tournament,
    pool,
    maps: seen,
    image: dataUri(cover.mediaType, cover.small),
    syncUrl: key === undefined ? url : `${url}?key=${key}`,
  })
}

/** Returns the uploaded cover, or the picture that is generated from the name. */
export async function readCover(db: Db, pool: Pool, pictures: Pictures) {
  const set = pool.coverHash === null ? undefined : await findCover(db, pool.guid)
  if (set !== undefined) return set
  return {
    mediaType: 'image/png' as const,
    small: await pictures.generatedCover(pool.name),
    picture: await pictures.generatedCover(pool.name, 512),
  }
}

/** Returns the maps that the actor sees as a table. Poolers get additional columns. */
export async function readCsv(db: Db, tournamentGuid: string, pool: Pool, actor: Actor, purpose: For): Promise<string> {
  const all = await listWholeMaps(db, [pool.guid])
  const maps = maySeeAllMaps(actor, pool) ? all : all.filter(({ releasedAt }) => releasedAt !== null)
  if (!isPooler(actor) || !isSignedIn(actor)) return poolCsv(maps, null, purpose)
  const [users, settings, tallies] = await Promise.all([
    listUserFacts(db, [...new Set(maps.flatMap(({ addedByGuid }) => addedByGuid ?? []))]),
    readPoolingSettings(db, tournamentGuid),
    listTallies(db, pool.guid, actor.guid),
  ])
  const isClosed = pool.status !== 'draft'
  const seen = tallies.filter(({ isVoter }) => maySeeVotes(actor, settings, { isClosed, hasVoted: isVoter }))
  const facts = {
    names: new Map([...users].map(([guid, { preferredName }]) => [guid, preferredName])),
    tallies: new Map(seen.map(({ poolMapGuid, ...tally }) => [poolMapGuid, tally])),
  }
  return poolCsv(maps, facts, purpose)
}
