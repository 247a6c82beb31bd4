import {
  type CatalogueRecord,
  difficultyOf,
  hashOf,
  madeUp,
  type NewRecord,
  versionOf,
} from '../../stand-in/records.ts'
import { type FakeAnswer, type FakeServer, type SeenRequest, startFakeServer } from './server.ts'

/** The map catalogue BeatSaver in its own formats. Its `url` replaces `https://api.beatsaver.com`. */

export interface FakeCatalogue extends FakeServer {
  readonly maps: {
    /** Adds a map; missing members are made up, and key and hash are always new. */
    add(map?: NewRecord): Added
    /** Adds `count` maps. */
    addMany(count: number): Added[]
    change(key: string, changes: Partial<CatalogueRecord>): void
    /** Publishes a new version, and returns its hash; the old hash then leads to the new version. */
    republish(key: string, difficulties?: NewRecord['difficulties']): string
    delete(key: string): void
  }
  readonly playlists: {
    /** Adds a playlist of maps by key, in order; all on one page by default. */
    add(keys: readonly string[], playlist?: { readonly name?: string; readonly pageSize?: number }): string
  }
  /** The paths of all requests except `HEAD`, the oldest first. */
  readonly paths: readonly string[]
}

export interface Added {
  readonly key: string
  readonly hash: string
}

interface Playlist {
  readonly name: string
  readonly keys: readonly string[]
  readonly pageSize: number
}

interface Holdings {
  readonly records: Map<string, CatalogueRecord>
  /** The keys of records by version hash, including versions that are no longer shown. */
  readonly owners: Map<string, string>
  readonly playlists: Map<string, Playlist>
}

const most = 50
let sequence = 0

export async function startFakeCatalogue(): Promise<FakeCatalogue> {
  const held: Holdings = { records: new Map(), owners: new Map(), playlists: new Map() }
  const server = await startFakeServer({ answer: (request) => answerOf(held, request), limited })
  const put = (record: CatalogueRecord) => {
    held.records.set(record.id, record)
    for (const { hash } of record.versions) held.owners.set(hash, record.id)
    return record
  }
  const found = (key: string) => {
    const record = held.records.get(key)
    if (record === undefined) throw new Error(`the fake catalogue has no map ${key}`)
    return record
  }
  const add = (map: NewRecord = {}) => {
    const record = put(madeUp(++sequence, map))
    return { key: record.id, hash: map.hash ?? record.versions.at(-1)?.hash ?? '' }
  }
  return {
    ...server,
    maps: {
      add,
      addMany: (count) => Array.from({ length: count }, () => add()),
      change: (key, changes) => void put({ ...found(key), ...changes }),
      republish(key, difficulties) {
        const record = found(key)
        const hash = hashOf(`again ${++sequence}`)
        const diffs = difficulties?.map(difficultyOf) ?? record.versions.at(-1)?.diffs ?? []
        put({ ...record, versions: [versionOf(hash, diffs)], lastPublishedAt: '2026-05-02T08:00:00Z' })
        return hash
      },
      delete: (key) => void held.records.delete(key),
    },
    playlists: {
      add(keys, { name = 'A playlist', pageSize = 100 } = {}) {
        const id = String(1_000 + ++sequence)
        held.playlists.set(id, { name, keys, pageSize })
        return id
      },
    },
    get paths() {
      return server.requests.filter(({ method }) => method === 'GET').map(({ path }) => path)
    },
  }
}

const notFound: FakeAnswer = { status: 404, body: { success: false, errors: ['Not Found'] } }

function answerOf(held: Holdings, { method, path }: SeenRequest): FakeAnswer {
  if (method !== 'GET') return method === 'HEAD' ? { status: 404 } : { status: 405 }
  const [, by = '', names = ''] = /^\/maps\/(hash|id|ids)\/([^/]+)$/.exec(path) ?? []
  const asked = decodeURIComponent(names).split(',')
  if (by === 'hash') return byHash(held, asked)
  if (by === 'id') return one(held.records.get(names))
  if (by === 'ids') return byIds(held, asked)
  const [, id = '', page = ''] = /^\/playlists\/id\/(\d+)\/(\d+)$/.exec(path) ?? []
  return id === '' ? notFound : playlistPage(held, id, Number(page))
}

function one(record: CatalogueRecord | undefined): FakeAnswer {
  return record === undefined ? notFound : { status: 200, body: record }
}

function byHash({ records, owners }: Holdings, asked: readonly string[]): FakeAnswer {
  const recordOf = (hash: string) => {
    const record = records.get(owners.get(hash.toLowerCase()) ?? '')
    // The published version is returned, whatever version was requested.
    return record && { ...record, versions: record.versions.filter(({ state }) => state === 'Published') }
  }
  const [only = '', ...others] = asked
  if (others.length === 0) return one(recordOf(only))
  const body = asked.slice(0, most).map((hash) => [hash.toLowerCase(), recordOf(hash) ?? null])
  return { status: 200, body: Object.fromEntries(body) }
}

function byIds({ records }: Holdings, asked: readonly string[]): FakeAnswer {
  const kept = asked.slice(0, most).flatMap((key) => records.get(key.toLowerCase()) ?? [])
  return { status: 200, body: Object.fromEntries(kept.map((record) => [record.id, record])) }
}

function playlistPage({ records, playlists }: Holdings, id: string, page: number): FakeAnswer {
  const playlist = playlists.get(id)
  if (playlist === undefined) return notFound
  const { name, keys, pageSize } = playlist
  const maps = keys.flatMap((key, order) => {
    const isHere = Math.floor(order / pageSize) === page
    const map = isHere ? records.get(key) : undefined
    return map === undefined ? [] : [{ map, order: order + 1 }]
  })
  const owner = { id: 7, name: 'Lister', avatar: 'https://cdn.example.org/7.png', type: 'SIMPLE' }
  return { status: 200, body: { playlist: { playlistId: Number(id), name, description: '', owner }, maps } }
}

function limited(waitS: number | null): FakeAnswer {
  const headers: Record<string, string> = waitS === null ? {} : { 'retry-after': String(Math.ceil(waitS)) }
  return { status: 429, headers, body: { success: false, errors: ['Rate limit exceeded'] } }
}
