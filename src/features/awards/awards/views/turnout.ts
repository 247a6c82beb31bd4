import { type Static, Type } from 'typebox'
import { type Cell, type For, toCsv } from '../../../../core/csv.ts'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Rolled } from '../store/ballots.ts'
import type { Batcher, OfMonth } from '../store/turnout.ts'
import type { Category, Edition } from '../types.ts'

const Voters = Type.Integer({ minimum: 0, examples: [12] })

const OfMonthView = Type.Object(
  {
    month: nullable(Type.String({ examples: ['2026-03'] }), 'In UTC; null for those without a verified link.'),
    voters: Voters,
  },
  { title: 'VotersOfMonth' },
)

const TogetherView = Type.Object(
  { at: Instant, voters: Voters, users: Type.Array(Guid, { description: 'GUIDs of the first hundred of them.' }) },
  { title: 'VotersTogether' },
)

export const TurnoutView = Type.Object(
  {
    voters: Type.Integer({
      description: 'Users who have a vote, as they were counted last: not those who took all of theirs back.',
      examples: [812],
    }),
    countedAt: nullable(Instant, 'Once an hour while voting is open; null before the first time.'),
    groups: nullable(
      Type.Object(
        {
          byJoining: Type.Array(OfMonthView, { description: 'By the month in which their accounts were made.' }),
          byLinking: Type.Array(OfMonthView, {
            description: 'By the month in which the first of their links to ranking platforms was verified.',
          }),
          byTournamentsPlayed: Type.Array(
            Type.Object(
              { tournamentsPlayed: Type.Integer({ minimum: 0 }), voters: Voters },
              { title: 'VotersOfPlayed' },
            ),
          ),
          sameHour: Type.Array(TogetherView, {
            description: 'Five or more whose accounts were made in the same hour, the largest groups first.',
          }),
          sameChatDay: Type.Array(TogetherView, {
            description:
              'Five or more whose accounts on the chat platform were made on the same day. Ranking platforms do not tell when theirs were.',
          }),
        },
        { title: 'VoterGroups' },
      ),
      'To find false accounts, once voting is closed; null before. Never with choices.',
    ),
  },
  { title: 'AwardTurnout' },
)
export type TurnoutView = Static<typeof TurnoutView>

export interface Groups {
  readonly byJoining: readonly OfMonth[]
  readonly byLinking: readonly OfMonth[]
  readonly byTournamentsPlayed: readonly { readonly tournamentsPlayed: number; readonly voters: number }[]
  readonly sameHour: readonly Batcher[]
  readonly sameChatDay: readonly Batcher[]
}

export function turnoutView(
  { turnout, turnoutAt }: Pick<Edition, 'turnout' | 'turnoutAt'>,
  groups: Groups | null,
): TurnoutView {
  const together = (all: readonly Batcher[]) =>
    all.map(({ at, voters, users }) => ({ at: formatInstant(at), voters, users: [...users] }))
  return {
    voters: turnout,
    countedAt: turnoutAt === null ? null : formatInstant(turnoutAt),
    groups:
      groups === null
        ? null
        : {
            byJoining: [...groups.byJoining],
            byLinking: [...groups.byLinking],
            byTournamentsPlayed: [...groups.byTournamentsPlayed],
            sameHour: together(groups.sameHour),
            sameChatDay: together(groups.sameChatDay),
          },
  }
}

/** One row for each voter. The data contains no choice. (A6) */
export function rollCsv(
  categories: readonly Pick<Category, 'guid' | 'name'>[],
  roll: readonly Rolled[],
  purpose: For,
): string {
  const names = new Map(categories.map(({ guid, name }) => [guid, name]))
  const rows = roll.map(({ userGuid, username, categories: voted }): Cell[] => [
    ...[userGuid, username, voted.length],
    voted.map((guid) => names.get(guid)).join('; '),
  ])
  return toCsv(['userGuid', 'username', 'votes', 'categories'], rows, { for: purpose })
}
