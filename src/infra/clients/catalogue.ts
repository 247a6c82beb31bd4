import { Type } from 'typebox'
import { shapeOf } from '../../core/shape.ts'
import { readBody, unexpected } from './answers.ts'
import { readSong, type Song } from './catalogue-songs.ts'
import { createGate } from './gate.ts'
import { type HttpAnswer, type HttpClient, Unreachable } from './http.ts'

/** The map catalogue BeatSaver, without credentials. (pools: The catalogue connector) */

/**
 * The songs by the requested hash or key; null where the catalogue has no such song or no published version of it.
 * Entries without a usable answer are missing.
 */
export type Songs = ReadonlyMap<string, Song | null>

/** A map of a playlist. The song is null when the catalogue has no published version, or its record cannot be used. */
export interface PlaylistItem {
  readonly key: string
  readonly song: Song | null
}

export interface PlaylistPage {
  readonly title: string
  /** In the playlist's order. */
  readonly items: readonly PlaylistItem[]
}

/** Every method rejects with Unreachable when the catalogue gives no usable answer. */
export interface CatalogueClient {
  /**
   * For at most `maxAtOnce` distinct hashes of 40 hex digits in lower case; hashes of old versions find their songs
   * too.
   */
  byHashes(hashes: readonly string[], signal?: AbortSignal): Promise<Songs>
  /** For at most `maxAtOnce` distinct keys of up to 8 hex digits in lower case. */
  byKeys(keys: readonly string[], signal?: AbortSignal): Promise<Songs>
  /** Null when there is no such playlist. The first page is 0; pages after the last are empty. */
  playlistPage(id: string, page: number, signal?: AbortSignal): Promise<PlaylistPage | null>
  /** Resolves when the catalogue answers, with any status. */
  ping(): Promise<void>
}

/** The catalogue silently ignores further entries of one request. */
export const maxAtOnce = 50

export interface CatalogueClientOptions {
  /** An HTTP client with a large limit of bytes, since answers are large. */
  readonly http: HttpClient
  /** Without a slash at the end. */
  readonly baseUrl: string
}

const hashForm = /^[0-9a-f]{40}$/
const keyForm = /^[0-9a-f]{1,8}$/
const playlistForm = /^\d{1,10}$/

const byNameShape = shapeOf(Type.Record(Type.String(), Type.Unknown()))
const playlistShape = shapeOf(
  Type.Object({
    playlist: Type.Optional(Type.Union([Type.Object({ name: Type.Optional(Type.String()) }), Type.Null()])),
    maps: Type.Array(
      Type.Object({
        map: Type.Object({ id: Type.String({ pattern: '^[0-9A-Fa-f]{1,8}$' }) }),
        order: Type.Optional(Type.Number()),
      }),
      { maxItems: 5_000 },
    ),
  }),
)

export function createCatalogueClient({ http, baseUrl }: CatalogueClientOptions): CatalogueClient {
  const gate = createGate({ atOnce: 2, perSecond: 5 })

  async function ask(path: string, signal: AbortSignal | undefined): Promise<HttpAnswer | null> {
    const answer = await gate(() => {
      signal?.throwIfAborted()
      return http.request({ method: 'GET', url: `${baseUrl}${path}`, ...(signal === undefined ? {} : { signal }) })
    })
    if (answer.status === 404) return null
    if (answer.status !== 200) throw unexpected(answer)
    return answer
  }

  return {
    async byHashes(hashes, signal) {
      expectForm(hashes, hashForm)
      const [only, ...more] = hashes
      if (only === undefined) return new Map()
      const answer = await ask(`/maps/hash/${hashes.join(',')}`, signal)
      if (answer === null) return new Map(hashes.map((hash) => [hash, null]))
      const body = readBody(answer, byNameShape)
      // The answer to one hash is the record itself; the answer to several has the records by hash.
      return songsOf(answer, hashes, (hash) => (more.length === 0 ? body : Object.hasOwn(body, hash) && body[hash]))
    },
    async byKeys(keys, signal) {
      expectForm(keys, keyForm)
      if (keys.length === 0) return new Map()
      const answer = await ask(`/maps/ids/${keys.join(',')}`, signal)
      if (answer === null) return new Map(keys.map((key) => [key, null]))
      const body = readBody(answer, byNameShape)
      // Unknown keys are missing in the answer.
      return songsOf(answer, keys, (key) => (Object.hasOwn(body, key) ? body[key] : null))
    },
    async playlistPage(id, page, signal) {
      if (!playlistForm.test(id)) return null
      const answer = await ask(`/playlists/id/${id}/${page}`, signal)
      if (answer === null) return null
      const { playlist, maps } = readBody(answer, playlistShape)
      const inOrder = maps.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
      return {
        title: playlist?.name ?? '',
        items: inOrder.map(({ map }) => ({ key: map.id.toLowerCase(), song: readSong(map) ?? null })),
      }
    },
    async ping() {
      await http.request({ method: 'HEAD', url: baseUrl })
    },
  }
}

/** Prevents that a path made from the input leads elsewhere. */
function expectForm(given: readonly string[], form: RegExp): void {
  if (given.length > maxAtOnce) throw new RangeError(`the catalogue takes at most ${maxAtOnce} at once`)
  const wrong = given.find((one) => !form.test(one))
  if (wrong !== undefined) throw new RangeError(`${JSON.stringify(wrong)} cannot be asked for`)
}

/** An unreadable record does not affect the others. */
function songsOf(answer: HttpAnswer, asked: readonly string[], recordOf: (name: string) => unknown): Songs {
  const songs = new Map<string, Song | null>()
  for (const name of asked) {
    const record = recordOf(name)
    const song = record === null ? null : readSong(record)
    if (song !== undefined) songs.set(name, song)
  }
  if (songs.size === 0) throw new Unreachable('invalid_answer', answer.host, { status: answer.status })
  return songs
}
