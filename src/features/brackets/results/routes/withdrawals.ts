import { Type } from 'typebox'
import { command } from '../../../../core/operation.ts'
import { exampleGuid, oneOf } from '../../../../core/schema.ts'
import { withdrawalPolicies } from '../../../../engine/types.ts'
import { captainAndOrganisers } from '../../../teams/teams/policy.ts'
import { readTeamView, TeamView } from '../../../teams/teams/views/teams.ts'
import { organisers } from '../../../tournaments/access/policy.ts'
import { DryRunQuery, maxReasonCharacters, SeenMembers } from '../bodies.ts'
import { takeWithdrawalBack, withdraw } from '../commands/withdrawals.ts'
import { readWithdrawalView, WithdrawalView } from '../views.ts'

const withdrawOperation = command({
  name: 'teams.withdraw',
  method: 'POST',
  path: '/tournaments/:tournament/teams/:team/withdraw',
  scope: 'rest:write',
  allow: captainAndOrganisers,
  inRehearsals: true,
  summary: 'Take a team out of the tournament.',
  description:
    'The team is unregistered, and its place is free. It keeps its name and members; they only leave the active roster. In every bracket that is not over, its open and future matches become walkovers. With `dryRun=true` the answer is what would happen, and nobody is withdrawn; with the `revisions` of that preview it does exactly that. The organiser takes it back with `DELETE /tournaments/{tournament}/teams/{team}/withdrawal`.',
  query: Type.Object(DryRunQuery),
  body: Type.Object(
    {
      reason: Type.String({ minLength: 1, maxLength: maxReasonCharacters }),
      policy: oneOf(withdrawalPolicies, {
        description:
          'Whether results that the team has already stay (`walkover`) or count for nobody (`void`, in round robin and Swiss alone; also where it left before, by being unregistered or disqualified).',
      }),
      ...SeenMembers,
    },
    { examples: [{ reason: 'Two players are ill.', policy: 'walkover' }] },
  ),
  reply: { 200: Type.Union([TeamView, WithdrawalView]) },
  problems: {
    'tournament.over': 409,
    'team.withdrawn': 409,
    'correction.stale': 409,
    'withdrawal.void_not_possible': 400,
  },
  run: async ({ tx, actor, tournament, team, query, body, now }) => {
    const { reason, policy, revision, revisions } = body
    const dryRun = query.dryRun === true || body.dryRun === true
    const target = { tournamentGuid: tournament.guid, teamGuid: team.guid }
    const wish = { reason, policy, dryRun, seen: { revision, revisions } }
    const done = await withdraw(tx, actor, target, wish, now)
    if ('affected' in done) return readWithdrawalView(tx, done)
    return readTeamView(tx, done.tournament, done.team, actor, now)
  },
})

const takeBack = command({
  name: 'teams.takeWithdrawalBack',
  method: 'DELETE',
  path: '/tournaments/:tournament/teams/:team/withdrawal',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Undo a withdrawal: the team plays again.',
  description:
    'The team has its status, seed and active roster again, and its places in brackets. Matches that only the withdrawal decided open again; a walkover on whose strength another match was begun stays, with that match. Preview it with `dryRun=true`; with the `revisions` of that preview, or the `revision` of the one bracket concerned, it does exactly that. It is undone as any correction is.',
  query: Type.Object(DryRunQuery),
  body: Type.Object(
    {
      reason: Type.Optional(
        Type.String({ maxLength: maxReasonCharacters, description: 'For the tournament’s staff.' }),
      ),
      ...SeenMembers,
    },
    { examples: [{ reason: 'They can play after all.', revisions: { [exampleGuid]: 17 } }] },
  ),
  bodyOptional: true,
  reply: { 200: WithdrawalView },
  problems: {
    'tournament.over': 409,
    'team.not_withdrawn': 409,
    'registration.full': 409,
    'seed.taken': 409,
    'correction.stale': 409,
    'correction.limit_reached': 409,
  },
  run: async ({ tx, actor, tournament, team, query, body, now }) => {
    const dryRun = query.dryRun === true || body?.dryRun === true
    const target = { tournamentGuid: tournament.guid, teamGuid: team.guid }
    const seen = { revision: body?.revision, revisions: body?.revisions }
    const wish = { seen, dryRun, reason: body?.reason ?? '' }
    return readWithdrawalView(tx, await takeWithdrawalBack(tx, actor, target, wish, now))
  },
})

export const withdrawalsOperations = [withdrawOperation, takeBack]
