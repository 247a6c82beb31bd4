import type { CatalogueClient, Songs } from '../src/infra/clients/catalogue.ts'
import { readSong } from '../src/infra/clients/catalogue-songs.ts'
import { Unreachable } from '../src/infra/clients/http.ts'
import type { CatalogueRecord } from './records.ts'
import { inventedSongs } from './songs.ts'

const byHash = new Map(inventedSongs.flatMap((song) => song.versions.map(({ hash }) => [hash, song] as const)))
const byKey = new Map(inventedSongs.map((song) => [song.id, song]))

/**
 * The catalogue with additional invented songs, which need no request: a local installation has maps without a network,
 * and real ones with it.
 */
export function withInventedSongs(client: CatalogueClient): CatalogueClient {
  return {
    ...client,
    byHashes: (hashes, signal) => answer(byHash, hashes, (others) => client.byHashes(others, signal)),
    byKeys: (keys, signal) => answer(byKey, keys, (others) => client.byKeys(others, signal)),
  }
}

async function answer(
  invented: ReadonlyMap<string, CatalogueRecord>,
  asked: readonly string[],
  askOutside: (names: readonly string[]) => Promise<Songs>,
): Promise<Songs> {
  const own = asked.flatMap((name) => {
    const song = invented.has(name) ? readSong(invented.get(name)) : undefined
    return song === undefined ? [] : [[name, song] as const]
  })
  const others = asked.filter((name) => !invented.has(name))
  if (others.length === 0) return new Map(own)
  const found = await askOutside(others).catch((error: unknown) => {
    // Invented songs are returned even when the catalogue is unreachable.
    if (own.length > 0 && error instanceof Unreachable) return new Map<string, null>()
    throw error
  })
  return new Map([...own, ...found])
}
