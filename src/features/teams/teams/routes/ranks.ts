import { Type } from 'typebox'
import { query } from '../../../../core/operation.ts'
import { oneOf } from '../../../../core/schema.ts'
import { organisers } from '../../../tournaments/access/policy.ts'
import { listRanks } from '../store/ranks.ts'
import { rankPlatforms } from '../types.ts'
import { TeamRankView, teamRankView } from '../views/ranks.ts'

/** As many as a bracket has at most. */
const maxTeams = 1_024

export const ranks = query({
  name: 'teams.ranks',
  method: 'GET',
  path: '/tournaments/:tournament/teamRanks',
  scope: 'rest:read',
  allow: organisers,
  summary: 'The registered teams by the ranks of their players on a ranking platform, the best first.',
  description:
    'For seeding. A team’s rank is the mean of the last known ranks of its active members with a verified link; `ranked` of its `players` have one. Teams without any are last. No platform is asked.',
  query: Type.Object({ platform: oneOf(rankPlatforms, { description: 'Whose ranks count.' }) }),
  reply: { 200: Type.Object({ teams: Type.Array(TeamRankView, { maxItems: maxTeams }) }) },
  run: async ({ db, tournament, query: { platform } }) => ({
    teams: (await listRanks(db, tournament.guid, platform, maxTeams)).map(teamRankView),
  }),
})
