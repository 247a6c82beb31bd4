import { Type } from 'typebox'
import { exampleGuid, Guid, oneOf } from '../../../core/schema.ts'
import { distributions, formats, grandFinals, seedOrderings, tieBreakers } from '../../../engine/types.ts'
import { maxEntrants, minEntrants } from './rules/entrants.ts'
import { maxNameCharacters, maxOrder } from './rules/structure.ts'
import { tieMembers } from './views/ties.ts'

/** Request bodies of the operations on brackets. (additions: Divisions, brackets, matches; G2) */

const Name = Type.String({ minLength: 1, maxLength: maxNameCharacters, examples: ['Playoffs'] })
const Order = Type.Integer({
  minimum: 1,
  maximum: maxOrder,
  description: 'Brackets of a division are listed by it.',
})

const BestOfByRound = Type.Unsafe<Readonly<Record<string, number>>>({
  type: 'object',
  additionalProperties: { type: 'integer' },
  maxProperties: 200,
  description: 'Games at most, by `section:round`; odd.',
  examples: [{ 'upper:3': 5 }],
})

const points = Type.Integer({ minimum: 0 })

const Settings = Type.Object(
  {
    bestOf: Type.Optional(Type.Integer({ description: 'Games at most; odd, 3 unless given.', examples: [3] })),
    bestOfByRound: Type.Optional(BestOfByRound),
    seedOrdering: Type.Optional(oneOf(seedOrderings)),
    thirdPlace: Type.Optional(Type.Boolean({ description: 'Single elimination: a match for the third place.' })),
    grandFinal: Type.Optional(oneOf(grandFinals, { description: 'Double elimination; `reset` unless given.' })),
    groups: Type.Optional(Type.Integer({ description: 'Round robin.', examples: [1] })),
    legs: Type.Optional(Type.Integer({ description: 'Round robin: 1 or 2.', examples: [1] })),
    distribution: Type.Optional(oneOf(distributions, { description: 'Round robin: how seeds fill the groups.' })),
    points: Type.Optional(
      Type.Object({ win: points, draw: points, loss: points }, { description: 'Round robin and Swiss; 3, 1 and 0.' }),
    ),
    allowDraws: Type.Optional(Type.Boolean({ description: 'Round robin and Swiss.' })),
    rounds: Type.Optional(Type.Integer({ description: 'Swiss; as many as it takes for one winner, unless given.' })),
    byePoints: Type.Optional(Type.Integer({ description: 'Swiss; as many as for a win, unless given.' })),
    avoidRematches: Type.Optional(Type.Boolean({ description: 'Swiss; true unless given.' })),
    tieBreakers: Type.Optional(
      Type.Array(oneOf(tieBreakers), { description: 'In the order in which they are asked.' }),
    ),
  },
  { description: 'What the format does not read, and what is not known, is refused.' },
)

const Entrants = Type.Object({
  source: oneOf(['registered', 'qualified', 'manual', 'bracket'], {
    description:
      'Registered teams are those that are registered or qualified; they enter by seed, then by when they registered.',
  }),
  teamGuids: Type.Optional(
    Type.Array(Guid, { maxItems: maxEntrants, description: 'For `manual`: the teams, the best first.' }),
  ),
  from: Type.Optional(
    Type.Object(
      {
        bracketGuid: Guid,
        places: Type.Array(Type.Integer({ minimum: 1, maximum: maxEntrants }), {
          minItems: 1,
          maxItems: maxEntrants,
          description: 'In the order in which they enter; of several groups each gives its team of that place.',
          examples: [[1, 2]],
        }),
        ...tieMembers,
      },
      {
        description:
          'For `bracket`: the completed bracket whose places enter. In eliminations, teams of one group meet as late as the tree allows.',
      },
    ),
  ),
  size: Type.Optional(
    Type.Integer({
      minimum: minEntrants,
      maximum: maxEntrants,
      description: 'At most so many of them; with `manual`, places beyond the teams stay empty.',
    }),
  ),
})

export const CreateBody = Type.Object(
  {
    name: Name,
    format: oneOf(formats),
    settings: Type.Optional(Settings),
    order: Type.Optional(Order),
    entrants: Entrants,
  },
  {
    title: 'NewBracket',
    examples: [
      {
        name: 'Playoffs',
        format: 'double_elimination',
        settings: { bestOf: 3, bestOfByRound: { 'upper:3': 5 }, grandFinal: 'reset' },
        entrants: { source: 'registered', size: 8 },
      },
    ],
  },
)

export const GenerateBody = Type.Object(
  {
    name: Type.Optional(Name),
    format: Type.Optional(oneOf(formats)),
    settings: Type.Optional(Settings),
    order: Type.Optional(Order),
    entrants: Entrants,
    force: Type.Optional(Type.Boolean({ description: 'Also when matches were played; their results are lost.' })),
  },
  {
    examples: [
      {
        format: 'single_elimination',
        settings: { bestOf: 3, thirdPlace: true },
        entrants: { source: 'registered', size: 4 },
      },
    ],
  },
)

export const ChangesBody = Type.Object(
  {
    name: Type.Optional(Name),
    order: Type.Optional(Order),
    bestOfByRound: Type.Optional(BestOfByRound),
  },
  { examples: [{ name: 'Playoffs', order: 1, bestOfByRound: { 'upper:3': 5 } }] },
)

export const PlacementsBody = Type.Object(
  {
    entrants: Type.Array(
      Type.Object({
        slot: Type.Integer({ minimum: 1, maximum: maxEntrants, description: 'Place in the bracket.' }),
        teamGuid: Type.Union([Guid, Type.Null()], { description: 'null empties the place.' }),
      }),
      { minItems: 1, maxItems: maxEntrants },
    ),
    revision: Type.Optional(
      Type.Integer({
        description:
          'Of the bracket, as the caller has seen it: another one is 409 `bracket.stale`, and nothing changes.',
        examples: [14],
      }),
    ),
  },
  {
    examples: [
      {
        entrants: [
          { slot: 1, teamGuid: exampleGuid },
          { slot: 2, teamGuid: null },
        ],
      },
    ],
  },
)

export const DryRun = Type.Optional(
  Type.Boolean({ description: 'Only answers what would be made, and stores nothing.' }),
)
