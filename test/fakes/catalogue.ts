import { createHash } from 'node:crypto'
import { type FakeAnswer, type FakeServer, type SeenRequest, startFakeServer } from './server.ts'

/** The map catalogue in its own shapes: BeatSaver. Its `url` takes the place of `https://api.beatsaver.com`. */

export interface CatalogueDifficulty {
  readonly characteristic: string
  readonly difficulty: string
  readonly njs: number
  readonly offset: number
  readonly notes: number
  readonly bombs: number
  readonly obstacles: number
  readonly nps: number
  readonly length: number
  readonly seconds: number
  readonly events: number
  readonly chroma: boolean
  readonly me: boolean
  readonly ne: boolean
  readonly cinema: boolean
  readonly vivify: boolean
  readonly paritySummary: { readonly errors: number; readonly warns: number; readonly resets: number }
  readonly stars?: number
  readonly blStars?: number
  readonly maxScore: number
  readonly label?: string
  readonly environment?: string
}

export interface CatalogueVersion {
  readonly hash: string
  readonly state: 'Uploaded' | 'Testplay' | 'Published' | 'Feedback' | 'Scheduled'
  readonly createdAt: string
  readonly sageScore: number
  readonly diffs: readonly CatalogueDifficulty[]
  readonly downloadURL: string
  readonly coverURL: string
  readonly previewURL: string
}

export interface CatalogueRecord {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly uploader: object
  readonly metadata: {
    readonly bpm: number
    readonly duration: number
    readonly songName: string
    readonly songSubName: string
    readonly songAuthorName: string
    readonly levelAuthorName: string
  }
  readonly stats: object
  readonly uploaded: string
  readonly automapper: boolean
  readonly ranked: boolean
  readonly qualified: boolean
  readonly blRanked: boolean
  readonly blQualified: boolean
  readonly versions: readonly CatalogueVersion[]
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastPublishedAt: string
  readonly tags: readonly string[]
  readonly declaredAi: 'None' | 'Uploader' | 'Admin' | 'SageScore'
}

export interface NewRecord extends Partial<Omit<CatalogueRecord, 'metadata' | 'versions'>> {
  readonly metadata?: Partial<CatalogueRecord['metadata']>
  readonly versions?: readonly CatalogueVersion[]
  /** Of the published version, in place of a made-up one. */
  readonly hash?: string
  /** As `Expert` or `Lawless/Expert`, or what differs from a made-up one. */
  readonly difficulties?: readonly (string | Partial<CatalogueDifficulty>)[]
}

export interface FakeCatalogue extends FakeServer {
  readonly maps: {
    /** What is not given is made up; key and hash are new each time. */
    add(map?: NewRecord): Added
    /** As many as that. */
    addMany(count: number): Added[]
    change(key: string, changes: Partial<CatalogueRecord>): void
    /** Publishes another version; its hash is returned, and the old one leads to it from now on. */
    republish(key: string, difficulties?: NewRecord['difficulties']): string
    delete(key: string): void
  }
  readonly playlists: {
    /** Of maps with these keys, in this order; as many on a page. */
    add(keys: readonly string[], playlist?: { readonly name?: string; readonly pageSize?: number }): string
  }
  /** The paths asked so far, oldest first, without those of `HEAD`. */
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
  /** Keys of the records that versions belong to, whether or not they are among those that a record shows. */
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
    // Whichever version was asked for, the one that is published is shown.
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

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

function madeUp(
  number: number,
  { hash, difficulties = ['Expert', 'ExpertPlus'], ...given }: NewRecord,
): CatalogueRecord {
  const diffs = difficulties.map(difficultyOf)
  return {
    id: (0x1a000 + number).toString(16),
    name: `Song ${number}`,
    description: 'Mapped with care.',
    uploader: {
      id: 4_000 + number,
      name: 'Mapper',
      hash: 'ab',
      avatar: 'https://cdn.example.org/4.png',
      type: 'SIMPLE',
    },
    stats: { plays: 0, downloads: 0, upvotes: 12, downvotes: 1, score: 0.83, reviews: 2, sentiment: 'PENDING' },
    uploaded: '2026-02-03T04:05:06.789123Z',
    ...{ automapper: false, ranked: false, qualified: false, blRanked: false, blQualified: false },
    createdAt: '2026-02-01T00:00:00Z',
    updatedAt: '2026-02-03T04:05:07Z',
    lastPublishedAt: '2026-02-03T04:05:06.789123Z',
    tags: ['tech'],
    declaredAi: 'None',
    versions: [versionOf(hash ?? hashOf(`song ${number}`), diffs)],
    ...given,
    metadata: {
      ...{ bpm: 174.5, duration: 203, songName: `Song ${number}`, songSubName: 'feat. Nobody' },
      ...{ songAuthorName: `Artist ${number}`, levelAuthorName: `Mapper ${number}` },
      ...given.metadata,
    },
  }
}

/** A version as the catalogue shows it. */
export function versionOf(
  hash: string,
  diffs: readonly CatalogueDifficulty[],
  state: CatalogueVersion['state'] = 'Published',
): CatalogueVersion {
  return {
    hash,
    state,
    createdAt: '2026-02-01T00:00:00Z',
    sageScore: 3,
    diffs,
    downloadURL: `https://r2cdn.example.org/${hash}.zip`,
    coverURL: `https://eu.cdn.example.org/${hash}.jpg`,
    previewURL: `https://eu.cdn.example.org/${hash}.mp3`,
  }
}

export function difficultyOf(given: string | Partial<CatalogueDifficulty>): CatalogueDifficulty {
  const [difficulty = '', characteristic = 'Standard'] = typeof given === 'string' ? given.split('/').toReversed() : []
  const named = typeof given === 'string' ? { difficulty, characteristic } : given
  return {
    ...{
      characteristic: 'Standard',
      difficulty: 'Expert',
      njs: 18,
      offset: -0.25,
      notes: 812,
      bombs: 14,
      obstacles: 23,
    },
    ...{ nps: 4.123, length: 590.5, seconds: 203.1, events: 2_345, maxScore: 740_255 },
    ...{ chroma: false, me: false, ne: false, cinema: false, vivify: false },
    paritySummary: { errors: 0, warns: 1, resets: 0 },
    environment: 'DefaultEnvironment',
    ...named,
  }
}
