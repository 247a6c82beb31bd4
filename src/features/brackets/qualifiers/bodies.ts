import { Type } from 'typebox'
import { Guid, nullable, OptionalInstant, oneOf } from '../../../core/schema.ts'
import { completions, missingRules, qualifierMethods } from '../../../engine/qualifier-types.ts'
import { modifierRules } from '../../../engine/score-limits.ts'
import { configured } from '../../listing/platforms/rules.ts'
import { maxMaps } from './rules/maps.ts'
import { attemptSources, qualifierStatuses } from './types.ts'

/** Request bodies of the operations on qualifiers and their attempts. (additions: Qualifiers) */

const text = Type.Optional(nullable(Type.String({ maxLength: 200 })))

const MapBody = Type.Object({
  guid: Type.Optional(Guid),
  hash: Type.String({
    pattern: '^[0-9a-fA-F]{40}$',
    description: '40 hexadecimal digits.',
    examples: ['8c1e5f0b2a4d6e9f7b3a1c5d8e0f2a4b6c8d0e1f'],
  }),
  difficulty: Type.String({ minLength: 1, maxLength: 64, examples: ['ExpertPlus'] }),
  characteristic: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: '`Standard` unless given.', examples: ['Standard'] }),
  ),
  name: text,
  artist: text,
  mapper: text,
  imageUrl: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
  maxScore: Type.Optional(
    nullable(
      Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
      'The highest score that the map allows without modifiers: accuracies are measured by it.',
    ),
  ),
  weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000, description: '1 unless given.' })),
  order: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'As listed unless given.' })),
})

const few = nullable(Type.Integer({ minimum: 1, maximum: 1_000 }))

export const QualifierBody = Type.Object(
  {
    status: Type.Optional(oneOf(qualifierStatuses)),
    opensAt: OptionalInstant,
    closesAt: OptionalInstant,
    attempts: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000, description: 'Of a player on each map; 0 for no limit.' }),
    ),
    hideScores: Type.Optional(Type.Boolean()),
    method: Type.Optional(oneOf(qualifierMethods)),
    modifiers: Type.Optional(
      oneOf(modifierRules, {
        description:
          'With `any`, the usual, a score may be twice the highest that the map allows, since modifiers such as Faster Song raise it; with `none`, no more than that. It is judged as attempts are recorded.',
      }),
    ),
    settings: Type.Optional(
      Type.Object(
        {
          countMaps: Type.Optional(few),
          topPlayers: Type.Optional(few),
          points: Type.Optional(
            Type.Array(Type.Integer({ minimum: 0, maximum: 1_000_000 }), { minItems: 1, maxItems: 200 }),
          ),
          missing: Type.Optional(oneOf(missingRules)),
          failCounts: Type.Optional(Type.Boolean()),
        },
        {
          description:
            'How the method counts. Each member that is left out stays as it is, in a new qualifier as is usual; `points` are replaced as a whole.',
        },
      ),
    ),
    cutoff: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 4_096 }), 'How many teams advance.')),
    syncUrl: Type.Optional(
      nullable(
        Type.String({ maxLength: 2_000 }),
        `An address from which results are fetched, as JSON or CSV. Kept secret; \`${configured}\` leaves it as it is.`,
      ),
    ),
    maps: Type.Optional(
      Type.Array(MapBody, { maxItems: maxMaps, description: 'All of them: those that are left out are removed.' }),
    ),
  },
  {
    title: 'QualifierInput',
    examples: [
      {
        status: 'open',
        opensAt: '2027-04-01T16:00:00.000Z',
        closesAt: '2027-04-14T22:00:00.000Z',
        attempts: 3,
        hideScores: false,
        method: 'average_accuracy',
        modifiers: 'any',
        settings: { countMaps: 2, topPlayers: 3, missing: 'zero', failCounts: false },
        cutoff: 32,
        maps: [
          {
            hash: '8c1e5f0b2a4d6e9f7b3a1c5d8e0f2a4b6c8d0e1f',
            difficulty: 'ExpertPlus',
            characteristic: 'Standard',
            name: 'Crescendo',
            maxScore: 1_000_000,
          },
        ],
      },
    ],
  },
)

/** The schema checks types only. The ledger checks ranges and rejects single rows. (D62) */
const count = Type.Optional(nullable(Type.Integer(), '0 to 1,000,000.'))

export const AttemptBody = Type.Object({
  mapGuid: Guid,
  user: Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier of the player.' }),
  score: Type.Optional(Type.Integer({ description: '0 to 1,000,000,000. May be left out of placeholders alone.' })),
  accuracy: Type.Optional(
    nullable(
      Type.Number(),
      '0 to 2, above 1 with modifiers alone; without it, the share of the highest score that the map allows.',
    ),
  ),
  misses: count,
  badCuts: count,
  maxCombo: count,
  fullCombo: Type.Optional(nullable(Type.Boolean())),
  completion: Type.Optional(oneOf(completions, { description: '`passed` unless given.' })),
  source: Type.Optional(oneOf(attemptSources, { description: '`manual` unless given.' })),
  externalId: Type.Optional(
    nullable(
      Type.String({ minLength: 1, maxLength: 200 }),
      'As the source calls it: what came in under it once is not recorded again, but for a placeholder, which it supersedes.',
    ),
  ),
  playedAt: Type.Optional(
    nullable(Type.String({ maxLength: 64 }), 'ISO 8601 instant, from 2020 on; now unless given.'),
  ),
})

export const VoidBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 500, examples: ['The game crashed.'] }),
  refund: Type.Optional(
    Type.Boolean({
      description:
        'Whether the linked assistant is asked, afterwards, to give the player the attempt back too. Whatever comes of that, the attempt is void here.',
    }),
  ),
})
