import { type Static, Type } from 'typebox'
import { query } from '../../../../core/operation.ts'
import { Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { badgeManagers } from '../../badges/policy.ts'
import type { Edition } from '../types.ts'

const TurnoutView = Type.Object(
  {
    voters: Type.Integer({ description: 'Users who have voted in any category.' }),
    countedAt: nullable(Instant, 'Null while nobody has counted.'),
  },
  { title: 'AwardTurnout' },
)

/** How many have voted, as it was counted at the last full hour, and nothing else. (A4) */
function turnoutView({ turnout, turnoutAt }: Edition): Static<typeof TurnoutView> {
  return { voters: turnout, countedAt: formatInstant(turnoutAt) }
}

const turnout = query({
  name: 'awards.turnout',
  method: 'GET',
  path: '/admin/awards/:edition/turnout',
  scope: 'rest:read',
  allow: badgeManagers,
  summary: 'How many users have voted in an edition.',
  description: 'Counted once an hour. What they voted for is told to nobody.',
  reply: { 200: TurnoutView },
  run: ({ edition }) => turnoutView(edition),
})

export const turnoutOperations = [turnout]
