import { Type } from 'typebox'
import { Guid, Instant, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { expiryOf } from './rules.ts'
import type { Rehearsal, RehearsalClock } from './types.ts'

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

export const RehearsalView = Type.Object(
  {
    guid: Guid,
    id: Type.String({ description: 'Short id of its tournament.', examples: ['rehearsal-5f0c8a520b3e4a0e9c65'] }),
    name: Type.String({ examples: ['Dry run of Friday'] }),
    of: Guid,
    from: oneOf(['now'], { description: 'What it was made of: the tournament as it was when the rehearsal was made.' }),
    reset: Type.Boolean({ description: 'Whether everything that was played was taken back when it was made.' }),
    seed: Type.String({ description: 'What all draws come from.', examples: ['friday'] }),
    noShows: Type.Array(Guid, { description: 'The teams of the rehearsal that do not appear.' }),
    clock: ClockView,
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
  const { guid, id, name, of, isReset, seed, noShows, createdAt, lastUsedAt, clock } = rehearsal
  const expiresAt = formatInstant(expiryOf(lastUsedAt))
  return {
    ...{ guid, id, name, of, seed, expiresAt },
    from: 'now' as const,
    reset: isReset,
    noShows: [...noShows],
    clock: clockView(clock),
    createdBy: userCard(by),
    createdAt: formatInstant(createdAt),
  }
}
