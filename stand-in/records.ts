import { createHash } from 'node:crypto'

/** Records in the format of the map catalogue. (pools: The catalogue connector) */

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
  /** The hash of the published version; made up by default. */
  readonly hash?: string
  /** Such as `Expert` or `Lawless/Expert`, or the differences from a made-up difficulty. */
  readonly difficulties?: readonly (string | Partial<CatalogueDifficulty>)[]
}

export function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

/** The record of a song; missing members are derived from the number. */
export function madeUp(
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
    automapper: false,
    ranked: false,
    qualified: false,
    blRanked: false,
    blQualified: false,
    createdAt: '2026-02-01T00:00:00Z',
    updatedAt: '2026-02-03T04:05:07Z',
    lastPublishedAt: '2026-02-03T04:05:06.789123Z',
    tags: ['tech'],
    declaredAi: 'None',
    versions: [versionOf(hash ?? hashOf(`song ${number}`), diffs)],
    ...given,
    metadata: {
      bpm: 174.5,
      duration: 203,
      songName: `Song ${number}`,
      songSubName: 'feat. Nobody',
      songAuthorName: `Artist ${number}`,
      levelAuthorName: `Mapper ${number}`,
      ...given.metadata,
    },
  }
}

/** A version in the format of the catalogue. */
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
    characteristic: 'Standard',
    difficulty: 'Expert',
    njs: 18,
    offset: -0.25,
    notes: 812,
    bombs: 14,
    obstacles: 23,
    nps: 4.123,
    length: 590.5,
    seconds: 203.1,
    events: 2_345,
    maxScore: 740_255,
    chroma: false,
    me: false,
    ne: false,
    cinema: false,
    vivify: false,
    paritySummary: { errors: 0, warns: 1, resets: 0 },
    environment: 'DefaultEnvironment',
    ...named,
  }
}
