import { type Static, type TSchema, Type } from 'typebox'
import { Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { actions, conditions, lapsePolicies, type PartInput } from '../../../../engine/flows/flow.ts'
import { actorPattern, eachPattern } from '../../../../engine/flows/validate/actors.ts'
import { RulesBody } from './rules.ts'

export const maxNameLength = 80
const maxFlairLength = 100
const maxFlairs = 50
export const maxPool = 1_000

const Actor = Type.String({ pattern: actorPattern, examples: ['rollWinner'] })
const Policy = oneOf(lapsePolicies)
const Flair = Type.String({ minLength: 1, maxLength: maxFlairLength })
const Flairs = Type.Array(Flair, { maxItems: maxFlairs })
const either = <One extends TSchema, Other extends TSchema>(one: One, other: Other) =>
  Type.Unsafe<Static<One> | Static<Other>>({ anyOf: [one, other] })

// The validator reports faults of `else` only, not of `if`.
const where = (condition: object, schema: TSchema) => ({ if: { not: condition }, else: schema })

/** One value or a list. */
const oneOrMany = <S extends TSchema>(one: S, limits: { readonly minItems?: number; readonly maxItems: number }) =>
  Type.Unsafe<Static<S> | Static<S>[]>({
    allOf: [where({ not: { type: 'array' } }, one), where({ type: 'array' }, Type.Array(one, limits))],
  })

/** The request schema of a step. (match-flows: Flow, step) */
export const StepBody = Type.Object(
  {
    action: oneOf(actions),
    actor: Type.Optional({
      ...oneOrMany(Actor, { minItems: 1, maxItems: 8 }),
      description: 'Of a list, the first that is known.',
    }),
    seconds: Type.Optional(nullable(Type.Integer({ minimum: 5, maximum: 3_600 }), 'Unset: no clock.')),
    onTimeout: Type.Optional({
      ...oneOrMany(Policy, { maxItems: 10 }),
      description: 'The n-th lapse of a seat uses the n-th, the last repeats.',
    }),
    from: Type.Optional(
      Type.Object({
        flairs: Type.Optional(nullable(Flairs, 'Names; unset for any.')),
        exceptFlairs: Type.Optional(Flairs),
        tiebreakers: Type.Optional(Type.Boolean({ description: 'Flagged ones too.' })),
      }),
    ),
    limits: Type.Optional(
      Type.Array(
        Type.Object({
          other_flair_than: oneOf(['own_last', 'own_all']),
          except: Type.Optional(Flairs),
        }),
        { maxItems: 4 },
      ),
    ),
    when: Type.Optional(oneOf(conditions)),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    secret: Type.Optional(Type.Boolean()),
    label: Type.Optional(nullable(Type.String({ maxLength: 60 }))),
    pair: Type.Optional(nullable(Type.String({ pattern: '^[a-z]{1,16}$' }), 'Of `choose`.')),
    source: Type.Optional(nullable(oneOf(['flagged', 'last_left']), 'Of `tiebreaker`.')),
  },
  { title: 'FlowStepInput' },
)

/** More than a flow may have, so that too many steps are reported as a problem of the flow. */
export const maxParts = 400

/**
 * A step, or a block of parts. The condition chooses the schema, so that faults are reported for the intended kind of
 * part.
 */
function partOf(inner: TSchema) {
  const steps = Type.Array(inner, { minItems: 1, maxItems: maxParts })
  const rounds = either(Type.Integer({ minimum: 1, maximum: 20 }), oneOf(['until_decided']))
  const each = Type.String({ pattern: eachPattern, examples: ['lowest_seed_first'] })
  const isRepeat = { required: ['repeat'], properties: { repeat: {} } }
  const isEach = { required: ['each'], properties: { each: {} } }
  return Type.Unsafe<PartInput>({
    allOf: [
      where(isRepeat, Type.Object({ repeat: rounds, steps })),
      where({ ...isEach, not: isRepeat }, Type.Object({ each, steps })),
      where({ not: { anyOf: [isRepeat, isEach] } }, StepBody),
    ],
  })
}

const PartBody = partOf(partOf(partOf(StepBody)))

const steps = Type.Array(PartBody, {
  minItems: 1,
  maxItems: maxParts,
  description:
    'Steps, and blocks `{repeat, steps}` or `{each, steps}`, at most two within each other: 60 as they are written, 300 as they are taken, and the whole flow 64 KiB as JSON with all its members.',
})

export const BestOf = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  enum: [...Array.from({ length: 50 }, (_, index) => 2 * index + 1), null],
  description: 'Odd; unset for any.',
})

const members = {
  seats: Type.Optional(Type.Integer({ minimum: 2, maximum: 16 })),
  bestOf: Type.Optional(BestOf),
  pairs: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-z]{1,16}$' }), {
      maxItems: 4,
      uniqueItems: true,
      description: 'Orders that are chosen.',
    }),
  ),
  rules: Type.Optional(RulesBody),
}

const example = {
  seats: 2,
  bestOf: 3,
  pairs: ['order'],
  steps: [
    { action: 'roll', actor: 'system' },
    { action: 'choose', actor: 'rollWinner', pair: 'order' },
    {
      repeat: 'until_decided',
      steps: [
        { action: 'pick', actor: 'order:1', seconds: 120, onTimeout: 'opponent' },
        { action: 'play' },
        { action: 'pick', actor: 'order:2', seconds: 120, onTimeout: 'opponent' },
        { action: 'play' },
      ],
    },
  ],
}

/** The request schema of a flow. (match-flows: Flow) */
const FlowBody = Type.Object({ ...members, steps }, { title: 'FlowInput' })
export type FlowBody = Static<typeof FlowBody>

const name = Type.String({ minLength: 1, maxLength: maxNameLength, examples: ['Best of three'] })
const basedOn = Type.Optional(nullable(Type.String({ maxLength: 64 }), 'Name of a preset.'))

export const CreateFlowBody = Type.Object(
  { name, basedOn, ...members, steps: Type.Optional(steps) },
  { title: 'NewFlow', examples: [{ name: 'Best of three', basedOn: 'accsaber-bo3' }] },
)
export type CreateFlowBody = Static<typeof CreateFlowBody>

export const ReplaceFlowBody = Type.Object(
  {
    name,
    basedOn,
    ...members,
    steps,
    expectedUpdatedAt: Type.Optional(
      nullable(Instant, 'The `updatedAt` that the caller has seen; unset, whatever is there is replaced.'),
    ),
  },
  { title: 'WholeFlow', examples: [{ name: 'Best of three', basedOn: null, ...example }] },
)
export type ReplaceFlowBody = Static<typeof ReplaceFlowBody>

const PoolFacts = Type.Array(
  Type.Object({
    flair: Type.Optional(nullable({ ...Flair, examples: ['tech'] })),
    isTiebreaker: Type.Optional(Type.Boolean()),
  }),
  { maxItems: maxPool },
)

export const ValidateBody = Type.Object(
  {
    flow: FlowBody,
    bestOf: Type.Optional(BestOf),
    pool: Type.Optional(nullable(PoolFacts, 'The maps that it is to be played with.')),
    tournament: Type.Optional(
      nullable(Type.String({ maxLength: 64 }), 'GUID or short id of the tournament whose teams are to play it.'),
    ),
  },
  { examples: [{ flow: example, bestOf: 3, pool: [{ flair: null }, { flair: 'tech' }, { flair: null }] }] },
)
export type ValidateBody = Static<typeof ValidateBody>

const maxTrialMaps = 100
const maxMoves = 400
const SeatNumber = Type.Integer({ minimum: 1, maximum: 16 })

const MoveBody = Type.Object(
  {
    kind: oneOf(['act', 'result', 'lapse', 'skip'], {
      description:
        '`act`: what the step asks for. `result`: the map is played, and nobody claims a replay. `lapse`: the time of the step runs out. `skip`: a referee passes a step in which nobody can act.',
    }),
    seat: Type.Optional(nullable(SeatNumber, 'Who acts.')),
    map: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: maxTrialMaps }), 'Of the pool, from 1.')),
    flair: Type.Optional(nullable({ ...Flair, examples: ['tech'] })),
    pair: Type.Optional(nullable(Type.String({ pattern: '^[a-z]{1,16}$' }))),
    place: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 2 }))),
    rolls: Type.Optional(nullable(Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), { maxItems: 16 }))),
    winner: Type.Optional(nullable(SeatNumber, 'Of a result; unset where the map ends level.')),
  },
  { title: 'FlowMove' },
)

export const SimulateBody = Type.Object(
  {
    flow: FlowBody,
    bestOf: Type.Optional(BestOf),
    pool: Type.Array(PoolFacts.items, { maxItems: maxTrialMaps, description: 'The maps that it is tried with.' }),
    seed: Type.Optional(Type.String({ maxLength: 64, description: 'Equal seeds draw the same.' })),
    moves: Type.Optional(Type.Array(MoveBody, { maxItems: maxMoves, description: 'What has happened so far.' })),
  },
  {
    examples: [
      {
        flow: example,
        bestOf: 3,
        pool: [{ flair: null }, { flair: 'tech' }, { flair: null }],
        seed: 'a',
        moves: [{ kind: 'act', place: 1 }],
      },
    ],
  },
)
export type SimulateBody = Static<typeof SimulateBody>
