import { type Static, Type } from 'typebox'
import { shapeOf } from '../../core/shape.ts'
import { visibleName } from './answers.ts'

/** Songs of the map catalogue (BeatSaver), in our types; their texts and numbers are untrusted. */

const difficultyNames = ['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus'] as const
const requirementNames = ['chroma', 'noodle', 'mapping_extensions', 'cinema', 'vivify'] as const

export interface SongDifficulty {
  readonly characteristic: string
  readonly difficulty: (typeof difficultyNames)[number]
  readonly njs: number | null
  readonly nps: number | null
  readonly notes: number | null
  readonly bombs: number | null
  readonly obstacles: number | null
  readonly maxScore: number | null
  /** On ranking platforms A and B; null where it is ranked on neither. */
  readonly starsA: number | null
  readonly starsB: number | null
  readonly requirements: readonly (typeof requirementNames)[number][]
}

/** A song with its published version; can be stored as JSON. */
export interface Song {
  /** Hex digits, in lower case. */
  readonly key: string
  /** The hash of the published version, whichever version was asked for: 40 hex digits, in lower case. */
  readonly hash: string
  readonly name: string | null
  readonly subName: string | null
  readonly artist: string | null
  readonly mapper: string | null
  readonly imageUrl: string | null
  readonly previewUrl: string | null
  readonly bpm: number | null
  readonly durationSeconds: number | null
  readonly rankedA: boolean
  readonly rankedB: boolean
  readonly ai: 'none' | 'declared' | 'automapper'
  /** ISO 8601, in UTC. */
  readonly uploadedAt: string | null
  /** In the catalogue's order. */
  readonly difficulties: readonly SongDifficulty[]
}

const maybe = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Optional(Type.Union([type, Type.Null()]))
const Text = maybe(Type.String({ maxLength: 100_000 }))
const Amount = maybe(Type.Number())
const Flag = maybe(Type.Boolean())

const MapDifficulty = Type.Object({
  characteristic: Type.String({ maxLength: 1_000 }),
  difficulty: Type.String({ maxLength: 1_000 }),
  njs: Amount,
  nps: Amount,
  notes: Amount,
  bombs: Amount,
  obstacles: Amount,
  maxScore: Amount,
  stars: Amount,
  blStars: Amount,
  chroma: Flag,
  ne: Flag,
  me: Flag,
  cinema: Flag,
  vivify: Flag,
})

const MapVersion = Type.Object({
  hash: Type.String({ pattern: '^[0-9A-Fa-f]{40}$' }),
  state: Text,
  createdAt: Text,
  coverURL: Text,
  previewURL: Text,
  diffs: Type.Array(MapDifficulty, { maxItems: 500 }),
})

const MapDetail = Type.Object({
  id: Type.String({ pattern: '^[0-9A-Fa-f]{1,8}$' }),
  metadata: Type.Object({
    bpm: Amount,
    duration: Amount,
    songName: Text,
    songSubName: Text,
    songAuthorName: Text,
    levelAuthorName: Text,
  }),
  automapper: Flag,
  ranked: Flag,
  blRanked: Flag,
  declaredAi: Text,
  uploaded: Text,
  lastPublishedAt: Text,
  createdAt: Text,
  deletedAt: Text,
  versions: Type.Array(MapVersion, { maxItems: 1_000 }),
})

const detailShape = shapeOf(MapDetail)

/** Undefined when the input is no map; null for a map that is deleted or has no published version. */
export function readSong(record: unknown): Song | null | undefined {
  if (!detailShape.check(record)) return undefined
  const version = publishedOf(record.versions)
  if (version === undefined || record.deletedAt != null) return null
  const { metadata, automapper, declaredAi } = record
  return {
    key: record.id.toLowerCase(),
    hash: version.hash.toLowerCase(),
    name: words(metadata.songName),
    subName: words(metadata.songSubName),
    artist: words(metadata.songAuthorName),
    mapper: words(metadata.levelAuthorName),
    imageUrl: address(version.coverURL),
    previewUrl: address(version.previewURL),
    bpm: amount(metadata.bpm),
    durationSeconds: count(metadata.duration),
    rankedA: record.ranked === true,
    rankedB: record.blRanked === true,
    ai: automapper === true ? 'automapper' : (declaredAi ?? 'None') === 'None' ? 'none' : 'declared',
    uploadedAt: instant(record.uploaded) ?? instant(record.lastPublishedAt) ?? instant(record.createdAt),
    difficulties: version.diffs.flatMap(readDifficulty),
  }
}

/** The newest published version; a version without a state counts as published. (pools: The catalogue connector) */
function publishedOf(versions: readonly Static<typeof MapVersion>[]): Static<typeof MapVersion> | undefined {
  return versions
    .filter(({ state }) => (state ?? 'Published') === 'Published')
    .toSorted((a, b) => (instant(b.createdAt) ?? '').localeCompare(instant(a.createdAt) ?? ''))[0]
}

/** Empty for an unknown kind of difficulty. */
function readDifficulty(diff: Static<typeof MapDifficulty>): SongDifficulty[] {
  const difficulty = difficultyNames.find((name) => name === diff.difficulty)
  if (difficulty === undefined || !/^\w{1,32}$/.test(diff.characteristic)) return []
  const asked = [diff.chroma, diff.ne, diff.me, diff.cinema, diff.vivify]
  return [
    {
      characteristic: diff.characteristic,
      difficulty,
      njs: amount(diff.njs),
      nps: amount(diff.nps),
      notes: count(diff.notes),
      bombs: count(diff.bombs),
      obstacles: count(diff.obstacles),
      maxScore: count(diff.maxScore),
      starsA: amount(diff.stars),
      starsB: amount(diff.blStars),
      requirements: requirementNames.filter((_, index) => asked[index] === true),
    },
  ]
}

const maxTextLength = 200
const maxAddressLength = 500

/** Null where no visible text is left. (pools: The catalogue connector) */
function words(text: string | null | undefined): string | null {
  const name = Array.from(visibleName((text ?? '').slice(0, 10 * maxTextLength)))
  return name.slice(0, maxTextLength).join('').trim() || null
}

function address(text: string | null | undefined): string | null {
  const url = text?.trim() ?? ''
  if (url === '' || url.length > maxAddressLength || !/^https?:\/\/[!-~]+$/i.test(url)) return null
  return URL.canParse(url) ? url : null
}

/** Of what the catalogue tells in numbers that need not be whole. */
export const maxAmount = 1_000_000
const maxCount = 2_147_483_647

function amount(value: number | null | undefined): number | null {
  return value != null && value >= 0 && value <= maxAmount ? value : null
}

function count(value: number | null | undefined): number | null {
  const whole = Math.round(value ?? Number.NaN)
  return whole >= 0 && whole <= maxCount ? whole : null
}

const earliest = Date.UTC(2018, 0, 1)
const latest = Date.UTC(9999, 0, 1)

function instant(text: string | null | undefined): string | null {
  const at = Date.parse(text ?? '')
  return at >= earliest && at < latest ? new Date(at).toISOString() : null
}
