import { type Static, Type } from 'typebox'
import { tournamentRoles } from '../../../core/roles.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { type Burden, obstacles, willing } from '../../../engine/scheduling/types.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listMatchesByGuid } from '../../brackets/matches/store/matches.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import type { Proposal } from './types.ts'

const Will = oneOf(willing, { description: 'What was answered for that time.' })
const MatchNumber = nullable(Type.Integer({ examples: [12] }), 'null for a match that is gone.')
const Carried = {
  matches: Type.Integer(),
  maybe: Type.Integer(),
  wouldRatherNot: Type.Integer(),
}

export const ProposalView = Type.Object(
  {
    guid: Guid,
    placements: Type.Array(
      Type.Object({
        matchGuid: Guid,
        number: MatchNumber,
        startsAt: Instant,
        endsAt: Instant,
        stream: Type.String({ examples: ['Stream 1'] }),
        teams: Type.Array(nullable(Will), { description: 'By side; null for a team that is not known yet.' }),
        officials: Type.Array(Type.Object({ user: nullable(UserCard), role: oneOf(tournamentRoles), status: Will })),
        reason: Type.String({ description: 'Why then and with them.' }),
      }),
      { description: 'In the order of their times.' },
    ),
    unplaced: Type.Array(
      Type.Object({
        matchGuid: Guid,
        number: MatchNumber,
        code: oneOf(obstacles, {
          description:
            'What keeps it from any place. `people`: its players, or officials who stay, are in other matches at every time that suits its teams.',
        }),
        reason: Type.String(),
      }),
    ),
    fairness: Type.Object(
      {
        teams: Type.Array(Type.Object({ teamGuid: Guid, ...Carried })),
        officials: Type.Array(Type.Object({ userGuid: Guid, ...Carried })),
      },
      { description: 'How much of it everybody carries.' },
    ),
    createdAt: Instant,
    appliedAt: nullable(Instant),
  },
  { title: 'ScheduleProposal' },
)
export type ProposalView = Static<typeof ProposalView>

export async function readProposalView(db: Db, proposal: Proposal): Promise<ProposalView> {
  const { guid, wish, schedule, createdAt, appliedAt } = proposal
  const { placements, unplaced, teams, officials } = schedule
  const [matches, users] = await Promise.all([
    listMatchesByGuid(db, wish.matchGuids),
    listUserFacts(db, [...new Set(placements.flatMap((placed) => placed.officials.map(({ id }) => id)))]),
  ])
  const numbers = new Map(matches.map(({ guid, number }) => [guid, number]))
  return {
    guid,
    placements: placements.map((placed) => ({
      matchGuid: placed.match,
      number: numbers.get(placed.match) ?? null,
      startsAt: formatInstant(new Date(placed.start)),
      endsAt: formatInstant(new Date(placed.end)),
      stream: placed.stream,
      teams: [...placed.teams],
      officials: placed.officials.map(({ id, role, status }) => {
        const user = users.get(id)
        return {
          user: user === undefined ? null : userCard(user),
          role: role as (typeof tournamentRoles)[number],
          status,
        }
      }),
      reason: placed.reason,
    })),
    unplaced: unplaced.map(({ match, code, reason }) => ({
      code,
      reason,
      matchGuid: match,
      number: numbers.get(match) ?? null,
    })),
    fairness: {
      teams: teams.map((burden) => ({ teamGuid: burden.id, ...carried(burden) })),
      officials: officials.map((burden) => ({ userGuid: burden.id, ...carried(burden) })),
    },
    createdAt: formatInstant(createdAt),
    appliedAt: formatInstant(appliedAt),
  }
}

function carried({ matches, maybe, wouldRatherNot }: Burden) {
  return { matches, maybe, wouldRatherNot }
}
