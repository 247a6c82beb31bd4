import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { aiMarks, type CatalogueMap, difficulties, mapStates, requirements } from './types.ts'

const exampleHash = '0123456789abcdef0123456789abcdef01234567'
const Figure = nullable(Type.Number())
const Count = nullable(Type.Integer())
const Text = nullable(Type.String())

/** (pools: Records) */
export const MapView = Type.Object(
  {
    guid: Guid,
    hash: Type.String({ description: 'Of the song’s files, in lower case.', examples: [exampleHash] }),
    characteristic: Type.String({ examples: ['Standard'] }),
    difficulty: oneOf(difficulties),
    key: nullable(Type.String({ examples: ['1a2b3'] }), 'Of the song in the catalogue, in lower case.'),
    name: nullable(Type.String({ examples: ['Cadenza'] })),
    subName: Text,
    artist: Text,
    mapper: Text,
    imageUrl: Text,
    previewUrl: Text,
    bpm: Figure,
    njs: nullable(Type.Number(), 'The speed at which notes come.'),
    nps: nullable(Type.Number(), 'Notes per second, over the whole map.'),
    durationSeconds: Count,
    notes: Count,
    bombs: Count,
    obstacles: Count,
    maxScore: nullable(
      Type.Integer({ examples: [912_755] }),
      'The highest score that it allows, as the catalogue says.',
    ),
    starsA: nullable(Type.Number(), 'Its difficulty on ranking platform A.'),
    starsB: nullable(Type.Number(), 'Its difficulty on ranking platform B.'),
    rankedA: nullable(Type.Boolean()),
    rankedB: nullable(Type.Boolean()),
    requirements: Type.Array(oneOf(requirements), { description: 'Modifications of the game that it needs.' }),
    ai: nullable(oneOf(aiMarks), 'Whether a machine made it.'),
    uploadedAt: nullable(Instant),
    checkedAt: nullable(Instant, 'Last answer of the catalogue; for poolers of a pool in which it stands.'),
    state: oneOf(mapStates, {
      description:
        '`known`: the catalogue publishes this version; `unresolved`: it has not answered yet; `missing`: it publishes none; `outdated`: it publishes another one.',
    }),
    currentHash: nullable(Type.String(), 'Of the version that is published now, when this one is outdated.'),
  },
  { title: 'Map' },
)

export interface MapViewer {
  /**
   * Whether the viewer is a pooler of a tournament with the map in a pool. For others, the time would reveal that
   * somebody else checked the map. (pools: Details 5)
   */
  readonly showsCheckedAt: boolean
}

export function mapView(map: CatalogueMap, { showsCheckedAt }: MapViewer): Static<typeof MapView> {
  return {
    ...map,
    requirements: [...map.requirements],
    uploadedAt: formatInstant(map.uploadedAt),
    checkedAt: showsCheckedAt ? formatInstant(map.checkedAt) : null,
  }
}
