import { Type } from 'typebox'
import { Answer, command, tournamentPath } from '../../../../core/operation.ts'
import { invalid } from '../../../../core/problem.ts'
import { nullable } from '../../../../core/schema.ts'
import { DivisionQuery } from '../../../brackets/matches/bodies.ts'
import { referees } from '../../../brackets/results/policy.ts'
import { LiveScore } from '../../../brackets/results/routes/live.ts'
import { listMembers } from '../../../teams/teams/store/teams.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'

const set = command({
  name: 'live.set',
  method: 'PUT',
  path: `${tournamentPath}/matches/:match/live/:user`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  summary: 'Tell by hand how a player does while a map is played.',
  description:
    'For matches without an assistant. It is a value of the moment in the topic `…/live`, with the source `manual`: nobody keeps it, and it is gone after 15 seconds unless it is told again.',
  query: Type.Object(DivisionQuery),
  body: LiveScore,
  reply: { 204: nullable(Type.String()) },
  problems: {
    'match.ambiguous': 409,
    'tournament.cancelled': 409,
    'live.player_unknown': 400,
    'keys.limit': 429,
    'value.too_large': 413,
  },
  run: async ({ tx, tournament, match, user, body, services }) => {
    checkNotCancelled(tournament)
    const teams = [match.team1Guid, match.team2Guid].filter((team) => team !== null)
    const members = await listMembers(tx, teams)
    const plays = [...members.values()].some((team) => team.some(({ userGuid }) => userGuid === user.guid))
    if (!plays) throw invalid('live.player_unknown', 'The user is in neither team of this match.')
    const topic = `/tournaments/${tournament.guid}/matches/${match.guid}/live`
    services.realtime.ephemeral.put(topic, `player:${user.guid}`, body, 'manual')
    return new Answer(204)
  },
})

export const liveOperations = [set]
