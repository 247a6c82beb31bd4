import { Type } from 'typebox'
import { query } from '../../../core/operation.ts'
import { playedTag } from '../../people/users/views.ts'
import { findRankingsOf } from '../../teams/registration/queries.ts'
import { anyStaff, isOrganiserOrStaff, ranksAndPoolersAudience } from '../access/policy.ts'
import { maxTeams, readHealth } from './queries.ts'
import { maxOfCode } from './rules.ts'
import { listPlacedTeams } from './store/facts.ts'
import { FindingView, findingView } from './views.ts'

const minute = 60_000

const read = query({
  name: 'tournaments.health',
  method: 'GET',
  path: '/tournaments/:tournament/health',
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'What is wrong in the tournament, or will be: for its staff.',
  description: `Errors first, at most ${maxOfCode} of each code. A tournament that is over has none. The first ${maxTeams} teams with a place are judged by the rules of registration, with what is stored here of ranking platforms. Open sheets, and updates and announcements that did not reach the chat, are told to the organiser, admins and \`role:staff\` alone.`,
  reply: { 200: Type.Array(FindingView) },
  audience: ranksAndPoolersAudience,
  live: { paceMs: 2_000 },
  // No other service is asked: findings of platforms are those that are stored.
  inRehearsals: true,
  prepare: async ({ db, clients, tournament }) => {
    const teams = await listPlacedTeams(db, tournament.guid, maxTeams)
    const entries = teams.map((team) => ({ team, tournament }))
    return { teams, findings: await findRankingsOf(db, clients.rankingCache, entries, 0) }
  },
  run: async ({ db, actor, tournament, prepared: { teams, findings }, depends, now }) => {
    const seesAll = isOrganiserOrStaff(actor)
    const health = await readHealth(db, tournament, { teams, findings, seesAll, now })
    depends(tournament.guid, playedTag, ...health.players)
    // Dates pass, and deliveries fail, without an event.
    depends.until(new Date((Math.floor(now.getTime() / minute) + 1) * minute))
    return health.findings.map(findingView)
  },
})

export const healthOperations = [read]
