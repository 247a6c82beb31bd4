import { Type } from 'typebox'
import { Guid, nullable, oneOf } from '../../../core/schema.ts'
import { difficulties } from '../catalogue/types.ts'
import { CorrectionReason } from '../pools/bodies.ts'

const maxLines = 10_000

const TextSource = Type.Object({
  kind: Type.Literal('text'),
  lines: Type.Array(Type.String(), {
    maxItems: maxLines,
    description:
      'Each names a map, and behind it a difficulty and a characteristic where they are known, or is a link to a playlist; at most 500 that are not empty.',
    examples: [['!bsr 1a2b3 Expert+', '2c3d4 Hard Lawless']],
  }),
})

const PlaylistSource = Type.Object({
  kind: Type.Literal('playlist'),
  url: Type.Optional(Type.String({ maxLength: 500, description: 'A link to a playlist in the map catalogue.' })),
  playlist: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: 'A `.bplist` file, parsed: in place of the link.',
    }),
  ),
})

const PoolSource = Type.Object({
  kind: Type.Literal('pool'),
  poolGuid: Type.String({ format: 'uuid', description: 'GUID of a pool of any tournament that the caller may read.' }),
})

const rules = ['ask', 'highest', ...difficulties] as const

export const ImportBody = Type.Object(
  {
    source: Type.Optional(
      Type.Union([TextSource, PlaylistSource, PoolSource], {
        description: 'Where the maps are named; a form has the part `file` in its place.',
      }),
    ),
    difficulty: Type.Optional(
      oneOf(rules, {
        description:
          'Of maps that are named without one: `ask` (unless it is given) tells which there are, `highest` takes the highest.',
      }),
    ),
    flairGuid: Type.Optional(
      nullable(Guid, 'What the maps carry, unless their pool gives them a flair that is here too.'),
    ),
    keepMissing: Type.Optional(
      Type.Boolean({
        description: 'Hashes that the catalogue does not have are added, and marked; true unless given.',
      }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only tells what would be added.' })),
    reason: CorrectionReason,
  },
  {
    title: 'NewImport',
    examples: [
      {
        source: { kind: 'text', lines: ['!bsr 1a2b3 Expert+', '2c3d4 Hard Lawless'] },
        difficulty: 'highest',
        reason: 'Maps of the second round.',
      },
    ],
  },
)
