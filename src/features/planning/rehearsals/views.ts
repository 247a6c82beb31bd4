import { Type } from 'typebox'
import { Guid, Instant, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { type Faults, messageStatuses, type OutboxMessage, outboxKinds } from '../../../infra/outbox/types.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { expiryOf } from './rules.ts'
import { type Rehearsal, type RehearsalClock, rehearsalSources } from './types.ts'

export const ClockView = Type.Object(
  {
    base: Instant,
    at: Type.String({ ...Instant, description: 'The real instant at which it showed `base`.' }),
    rate: Type.Number({ description: 'How many of its seconds pass in a real one, unless it is paused.' }),
    paused: Type.Boolean(),
    now: Type.String({ ...Instant, description: 'What it shows.' }),
  },
  { title: 'RehearsalClock' },
)

export function clockView({ base, at, rate, isPaused, now }: RehearsalClock) {
  return { base: formatInstant(base), at: formatInstant(at), rate, paused: isPaused, now: formatInstant(now) }
}

const FaultView = Type.Object(
  {
    answer: oneOf(['ok', 'fail', 'limit']),
    status: Type.Integer({ description: 'The HTTP status of `fail`.' }),
    delaySeconds: Type.Integer(),
    retryAfter: Type.Integer(),
    share: Type.Number(),
  },
  { title: 'RehearsalFault' },
)

export const FaultsView = Type.Object(Object.fromEntries(outboxKinds.map((kind) => [kind, Type.Optional(FaultView)])), {
  title: 'RehearsalFaults',
  description: 'How receivers answer, by kind; a kind without a fault takes everything at once.',
})

export const faultsView = (faults: Faults) => ({ ...faults })

export const MessageView = Type.Object(
  {
    guid: Guid,
    kind: oneOf(outboxKinds),
    at: Type.String({ ...Instant, description: 'By the clock of the rehearsal, as all instants here.' }),
    to: Type.String({
      description: 'Who, or which setting of the real tournament; never an address.',
      examples: ['chatWebhookUrl'],
    }),
    subject: Type.String({ examples: ['Message'] }),
    body: Type.String({
      description: 'As it would be sent; at most 16,384 characters.',
      examples: ['{"content":"**A match is called.** Please get ready to play.","embeds":[]}'],
    }),
    status: oneOf(messageStatuses),
    attempts: Type.Array(Type.Object({ at: Instant, status: Type.Integer() })),
  },
  { title: 'RehearsalMessage' },
)

export function messageView({ guid, kind, at, to, subject, body, status, attempts }: OutboxMessage) {
  return {
    ...{ guid, kind, to, subject, body, status },
    at: formatInstant(at),
    attempts: attempts.map((attempt) => ({ ...attempt, at: formatInstant(attempt.at) })),
  }
}

export const RehearsalView = Type.Object(
  {
    guid: Guid,
    id: Type.String({ description: 'Short id of its tournament.', examples: ['rehearsal-5f0c8a520b3e4a0e9c65'] }),
    name: Type.String({ examples: ['Dry run of Friday'] }),
    of: Guid,
    from: oneOf(rehearsalSources, {
      description: 'What it was made of: the tournament as it was when the rehearsal was made, or a package.',
    }),
    reset: Type.Boolean({ description: 'Whether everything that was played was taken back when it was made.' }),
    seed: Type.String({ description: 'What all draws come from.', examples: ['friday'] }),
    noShows: Type.Array(Guid, { description: 'The teams of the rehearsal that do not appear.' }),
    clock: ClockView,
    faults: FaultsView,
    createdBy: UserCard,
    createdAt: Instant,
    expiresAt: Type.String({
      ...Instant,
      description: 'It is deleted then, unless something in it is changed before.',
    }),
  },
  { title: 'Rehearsal' },
)

export function rehearsalView(rehearsal: Rehearsal, by: UserFacts) {
  const { guid, id, name, of, source, isReset, seed, noShows, createdAt, lastUsedAt, clock, faults } = rehearsal
  const expiresAt = formatInstant(expiryOf(lastUsedAt))
  return {
    ...{ guid, id, name, of, seed, expiresAt },
    from: source,
    reset: isReset,
    noShows: [...noShows],
    clock: clockView(clock),
    faults: faultsView(faults),
    createdBy: userCard(by),
    createdAt: formatInstant(createdAt),
  }
}
