import { type Static, Type } from 'typebox'
import { Guid, Instant, oneOf } from '../../../core/schema.ts'
import { type OutboxKind, outboxKinds } from '../../../infra/outbox/types.ts'
import { maxEntrants, minEntrants } from '../../brackets/brackets/rules/entrants.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'How staff tell it from other rehearsals.' })
const mostNoShows = maxEntrants - minEntrants

export const RehearsalBody = Type.Object(
  {
    name: Name,
    from: Type.Optional(oneOf(['now'], { description: 'The tournament as it is now, unless a package is sent.' })),
    reset: Type.Optional(
      Type.Boolean({
        description:
          'Whether all results, sessions of match flows and qualifier attempts are taken back, so that everything can be played from the beginning. Teams keep their places and seeds, and matches their times.',
      }),
    ),
    noShows: Type.Optional(
      Type.Union(
        [
          Type.Integer({ minimum: 0, maximum: mostNoShows }),
          Type.Array(Guid, { maxItems: mostNoShows, uniqueItems: true }),
        ],
        {
          description:
            'The teams that will not appear: GUIDs of registered teams of the real tournament or of the package, in a form as JSON; or how many, which are then drawn. At least two must appear; none stay away unless given.',
        },
      ),
    ),
    startsAt: Type.Optional(
      Type.String({ ...Instant, description: 'Where the clock of the rehearsal begins; now unless given.' }),
    ),
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'What all draws come from; drawn unless given.',
      }),
    ),
  },
  { examples: [{ name: 'Dry run of Friday', reset: true, noShows: 1, seed: 'friday' }] },
)
export type RehearsalBody = Static<typeof RehearsalBody>

export const RenameBody = Type.Object({ name: Name }, { examples: [{ name: 'Dry run of Friday' }] })
export type RenameBody = Static<typeof RenameBody>

export const ClockBody = Type.Object(
  {
    rate: Type.Optional(
      Type.Number({ minimum: 0, maximum: 600, description: 'How many of its seconds pass in a real one.' }),
    ),
    paused: Type.Optional(Type.Boolean({ description: 'Whether its time stops.' })),
    advanceTo: Type.Optional(
      Type.String({ ...Instant, description: 'Moves it on to this instant of its own; 400 days at most.' }),
    ),
  },
  { examples: [{ paused: false, rate: 60 }] },
)
export type ClockBody = Static<typeof ClockBody>

const FaultBody = Type.Object({
  answer: Type.Optional(
    oneOf(['ok', 'fail', 'limit'], { description: '`limit` is status 429. `ok` unless given; it may still be late.' }),
  ),
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599, description: 'Of `fail`; 503 unless given.' })),
  delaySeconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 3_600, description: 'By how much the first attempt is late.' }),
  ),
  retryAfter: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_600,
      description: 'How many seconds `limit` asks to wait; 0: it does not say.',
    }),
  ),
  share: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Of the attempts, drawn by the seed; 1 unless given.' }),
  ),
})

export const FaultsBody = Type.Object(
  Object.fromEntries(outboxKinds.map((kind) => [kind, Type.Optional(FaultBody)])) as Record<
    OutboxKind,
    Type.TOptional<typeof FaultBody>
  >,
  { examples: [{ chat: { answer: 'limit', retryAfter: 30 }, push: { answer: 'fail', status: 503, share: 0.5 } }] },
)
export type FaultsBody = Static<typeof FaultsBody>
