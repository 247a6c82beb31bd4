import type { CatalogueMap, Difficulty } from '../src/features/maps/catalogue/types.ts'
import type { Pool, WholePoolMap } from '../src/features/maps/pools/types.ts'

/** Pools and their maps in the form of the rules and views, without a database. */

export type MapParts = Partial<Omit<WholePoolMap, 'map' | 'flair'>> & {
  readonly flair?: string | null
  readonly map?: Partial<CatalogueMap>
}

let made = 0

export function poolMapOf({ map = {}, flair = null, ...parts }: MapParts = {}): WholePoolMap {
  made++
  return {
    guid: guidOf('a', made),
    poolGuid: guidOf('b', 1),
    mapGuid: guidOf('c', made),
    flairGuid: flair === null ? null : guidOf('d', 1),
    flair: flair === null ? null : { guid: guidOf('d', 1), name: flair, color: '#336699', icon: null, order: 0 },
    order: 0,
    isTiebreaker: false,
    modifiers: [],
    playerOptions: [],
    options: {
      disablePause: false,
      disableFail: false,
      disableScoreSubmission: false,
      showScoreboard: false,
      disableCustomNotesOnStream: false,
      target: null,
    },
    attempts: null,
    weight: 1,
    note: null,
    releaseAt: null,
    releasedAt: null,
    staffNote: null,
    addedByGuid: null,
    suggestionGuid: null,
    createdAt: new Date(0),
    ...parts,
    map: catalogueMapOf(map),
  }
}

export function poolOf(parts: Partial<Pool> = {}): Pool {
  return {
    guid: guidOf('b', 1),
    tournamentGuid: guidOf('e', 1),
    name: 'Finals',
    description: null,
    kind: 'match',
    order: 0,
    status: 'published',
    publishAt: null,
    publishedAt: new Date(0),
    archivedAt: null,
    revision: 1,
    lastRevision: 1,
    draftRevision: 1,
    slots: [],
    playlistTitle: null,
    playlistAuthor: null,
    playlistDescription: '',
    coverHash: null,
    previewRoles: [],
    previewKeyHash: null,
    forcedFailures: null,
    announcedAt: null,
    announceAt: null,
    checkedAt: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    shownAt: new Date(0),
    ...parts,
  }
}

export function hashOf(number: number): string {
  return number.toString(16).padStart(40, 'abcdef0123456789')
}

function catalogueMapOf(parts: Partial<CatalogueMap>): CatalogueMap {
  return {
    guid: guidOf('c', made),
    hash: hashOf(made),
    characteristic: 'Standard',
    difficulty: 'ExpertPlus' as Difficulty,
    key: made.toString(16),
    name: `Song ${made}`,
    subName: null,
    artist: 'Artist',
    mapper: 'Mapper',
    imageUrl: null,
    previewUrl: null,
    bpm: 180,
    njs: 18,
    nps: 6.5,
    durationSeconds: 120,
    notes: 780,
    bombs: 3,
    obstacles: 10,
    maxScore: 710_000,
    starsA: null,
    starsB: null,
    rankedA: null,
    rankedB: null,
    requirements: [],
    ai: null,
    uploadedAt: null,
    checkedAt: null,
    state: 'known',
    currentHash: null,
    ...parts,
  }
}

function guidOf(letter: string, number: number): string {
  return `${letter.repeat(8)}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
