import { Type } from 'typebox'
import { exampleGuid, Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { completions, penaltyTypes } from '../../../engine/flows/flow.ts'
import { resumptions, scoreSources } from '../../../engine/flows/rows.ts'
import { actActions } from '../../../engine/flows/seat-actions.ts'
import { characteristicPattern, difficulties } from '../../maps/catalogue/types.ts'
import { BestOf } from '../flows/bodies/flow.ts'

/** Request bodies of the operations on sessions. (match-flows: Operations) */

const Seat = Type.Integer({ minimum: 1, maximum: 16, description: 'Number of a seat; in a match, of a side.' })
const Expect = Type.Integer({
  minimum: 1,
  description: 'The last position that you have seen. Where the session has gone on since, nothing happens.',
  examples: [12],
})
const Reason = Type.String({ minLength: 1, maxLength: 500 })
const Seconds = Type.Integer({ minimum: 5, maximum: 3_600 })
const Starts = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 600,
    description: 'The steps wait for so long; until then each seat may give a text of its own for the draws.',
  }),
)
const ViewDelay = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 900,
    description: 'How many seconds later everybody but referees, casters and speakers sees what happens.',
  }),
)
const Speakers = Type.Optional(
  Type.Array(Type.Object({ seat: Seat, users: Type.Array(Guid, { minItems: 1, maxItems: 16 }) }), {
    maxItems: 16,
    description: 'Who speaks for a seat in the place of those of the rules.',
  }),
)
const FlowName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'GUID of a flow of the tournament, or name of a preset.',
  examples: ['accsaber-bo3'],
})

export const BeginBody = Type.Object(
  {
    flowGuid: Type.Optional({ ...FlowName, description: 'In the place of the planned one.' }),
    poolGuid: Type.Optional({ ...Guid, description: 'In the place of the planned one.' }),
    speakers: Speakers,
    startsInSeconds: Starts,
    viewDelaySeconds: ViewDelay,
  },
  { examples: [{ flowGuid: 'accsaber-bo3', poolGuid: exampleGuid, startsInSeconds: 60 }] },
)

export const FreeBody = Type.Object(
  {
    flow: FlowName,
    pool: Guid,
    seats: Type.Array(
      Type.Object({
        teamGuid: Type.Optional(Guid),
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 80, description: 'Of a seat without a team.' })),
      }),
      { minItems: 2, maxItems: 16, description: 'In the order of their seeds.' },
    ),
    public: Type.Optional(
      Type.Boolean({ description: 'Whether everybody sees it; otherwise it is deleted after seven days.' }),
    ),
    bestOf: Type.Optional({ ...BestOf, description: 'Odd; of a flow that fits any.' }),
    speakers: Speakers,
    startsInSeconds: Starts,
    viewDelaySeconds: ViewDelay,
  },
  { examples: [{ flow: 'accsaber-bo3', pool: exampleGuid, seats: [{ name: 'Red' }, { name: 'Blue' }], public: true }] },
)

export const ActBody = Type.Object(
  {
    expect: Expect,
    action: oneOf(actActions, { description: 'That of the step, or `accept`, `present`, `nonce`.' }),
    seat: Type.Optional({ ...Seat, description: 'For whom a referee acts.' }),
    map: Type.Optional({ ...Guid, description: 'Of a map of the pool.' }),
    flair: Type.Optional(Type.String({ maxLength: 64 })),
    pair: Type.Optional(Type.String({ maxLength: 16 })),
    place: Type.Optional(Type.Unsafe<1 | 2>({ type: 'integer', enum: [1, 2] })),
    users: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 32,
        description: 'GUIDs of who plays; left out for a seat that has a name and no team.',
      }),
    ),
    rolls: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
        maxItems: 16,
        description: 'What was rolled at the table, seat by seat.',
      }),
    ),
    nonce: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, pattern: '^[^,\\p{Cc}]*$', description: 'Any text without a comma.' }),
    ),
  },
  { examples: [{ expect: 3, action: 'ban', map: exampleGuid }] },
)

const Points = Type.Integer({ minimum: 0, maximum: 2_000_000_000, examples: [912_345] })
const Accuracy = nullable(Type.Number({ minimum: 0, maximum: 2, examples: [0.9734] }), 'Above 1 by modifiers.')
const Count = nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 }))

export const ScoresBody = Type.Object(
  {
    expect: Type.Optional(Expect),
    scores: Type.Array(
      Type.Object({
        user: Type.Optional(Guid),
        seat: Type.Optional({ ...Seat, description: 'Of a seat that has a name alone.' }),
        map: Type.Optional(
          nullable(
            Guid,
            'Of the pool; null for a map that is not in it. The one that is played where it is not given.',
          ),
        ),
        score: Points,
        accuracy: Type.Optional(Accuracy),
        misses: Type.Optional(Count),
        badCuts: Type.Optional(Count),
        maxCombo: Type.Optional(Count),
        completion: Type.Optional(oneOf(completions)),
        pausedSeconds: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 36_000 }))),
        mods: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 32 })),
        source: Type.Optional(oneOf(scoreSources)),
        externalId: Type.Optional(
          nullable(Type.String({ minLength: 1, maxLength: 200 }), 'Of the source: the same once more changes nothing.'),
        ),
        playedAt: Type.Optional(nullable(Instant)),
        evidenceUrl: Type.Optional(nullable(Type.String({ maxLength: 2_000 }), 'An http or https address.')),
      }),
      { maxItems: 64 },
    ),
    complete: Type.Optional(Type.Boolean({ description: 'Nobody else will come: the rest were absent.' })),
    game: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    chain: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    run: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { examples: [{ scores: [{ user: exampleGuid, score: 912_345, accuracy: 0.9734, misses: 3 }], complete: false }] },
)

/** Members of a request that changes something final. */
const ruling = {
  expect: Type.Optional(Expect),
  reason: Reason,
  revision: Type.Optional(
    Type.Integer({ description: 'Of the bracket, as the preview told it; needed once the match is completed.' }),
  ),
  dropLater: Type.Optional(
    Type.Boolean({ description: 'Where an earlier map decides by this, take the later ones back.' }),
  ),
} as const

export const ScoreBody = Type.Object(
  {
    score: Type.Optional(Points),
    accuracy: Type.Optional(Accuracy),
    misses: Type.Optional(Count),
    completion: Type.Optional(oneOf(completions)),
    ...ruling,
  },
  { examples: [{ score: 905_000, reason: 'Typed wrongly.' }] },
)

export const PenaltyBody = Type.Object(
  {
    seat: Seat,
    type: oneOf(penaltyTypes),
    user: Type.Optional({
      ...Guid,
      description:
        'Whom it is for, where it is not for the whole seat; left out for a seat that has a name and no team.',
    }),
    game: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'Whose map it is for: it answers the warnings of the seat that keep that map from becoming final.',
      }),
    ),
    run: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    chain: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Of the run; the current one where it is not given.' }),
    ),
    points: Type.Optional(Type.Integer({ minimum: -1_000, maximum: 1_000 })),
    ...ruling,
  },
  { examples: [{ seat: 2, type: 'warning', reason: 'Late for the second map.' }] },
)

export const VoidPenaltyBody = Type.Object(ruling, { examples: [{ reason: 'The pause was the server’s.' }] })

export const ClaimBody = Type.Object(
  {
    expect: Expect,
    kind: Type.Optional(oneOf(['replay', 'technical'], { description: 'A technical one is given by referees.' })),
    seat: Type.Optional(Seat),
    user: Type.Optional({
      ...Guid,
      description: 'For whom, where replays are counted by player; left out for a seat that has a name and no team.',
    }),
    seats: Type.Optional(
      Type.Array(Seat, { minItems: 1, maxItems: 16, description: 'Who plays again, if technical.' }),
    ),
    reason: Type.Optional(Reason),
  },
  { examples: [{ expect: 13, kind: 'replay' }] },
)

export const ExpectBody = Type.Object({ expect: Expect }, { examples: [{ expect: 8 }] })

export const ClockBody = Type.Object(
  {
    expect: Expect,
    op: oneOf(['pause', 'resume', 'extend', 'set', 'timeout'], { description: 'Speakers may call a `timeout`.' }),
    seconds: Type.Optional({ ...Seconds, description: 'Of `extend` and `set`.' }),
    resume: Type.Optional(
      oneOf(resumptions, {
        description:
          'Of `resume`: the match was opened again, its maps decide it (phase `decided`), and it is played on all the same.',
      }),
    ),
    seat: Type.Optional({ ...Seat, description: 'Of a timeout.' }),
  },
  { examples: [{ expect: 8, op: 'extend', seconds: 60 }] },
)

export const overrideOps = [
  'set_map',
  'award_map',
  'void_map',
  'go_to',
  'skip',
  'add_map',
  'substitute',
  'speakers',
  'redraw',
  'end_flow',
  'dismiss',
] as const

export const OverrideBody = Type.Object(
  {
    expect: Expect,
    op: oneOf(overrideOps),
    reason: Reason,
    map: Type.Optional({ ...Guid, description: 'Of `set_map`: a map of the pool.' }),
    winner: Type.Optional({ ...Seat, description: 'Of `award_map`.' }),
    game: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Of `award_map`.' })),
    step: Type.Optional(Type.String({ maxLength: 16, description: 'Of `go_to`.', examples: ['3.2.1'] })),
    hash: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{40}$', description: 'Of `add_map`.' })),
    difficulty: Type.Optional(oneOf(difficulties)),
    characteristic: Type.Optional(Type.String({ pattern: characteristicPattern, examples: ['Standard'] })),
    seat: Type.Optional({ ...Seat, description: 'Of `substitute` and `speakers`.' }),
    out: Type.Optional(Guid),
    in: Type.Optional(Guid),
    users: Type.Optional(Type.Array(Guid, { maxItems: 16, description: 'Of `speakers`.' })),
    warning: Type.Optional({
      ...Guid,
      description: 'Of `dismiss`: the GUID of a warning, or of a proposal that is left.',
    }),
  },
  { examples: [{ expect: 8, op: 'skip', reason: 'The captain has lost the connection.' }] },
)

export const EndBody = Type.Object(
  { expect: Type.Optional(Expect), reason: Reason },
  { examples: [{ reason: 'Begun with the wrong pool.' }] },
)
