import { Type } from 'typebox'
import { isSignedIn, policy } from '../../../../core/actor.ts'
import { Answer, command, tournamentPath } from '../../../../core/operation.ts'
import { invalid } from '../../../../core/problem.ts'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { DivisionQuery } from '../../../brackets/matches/bodies.ts'
import { completions } from '../../../brackets/matches/types.ts'
import { referees } from '../../../brackets/results/policy.ts'
import { LiveScore } from '../../../brackets/results/routes/live.ts'
import type { User } from '../../../people/users/types.ts'
import { listMembers } from '../../../teams/teams/store/teams.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { FinishBody } from '../bodies.ts'
import { tellFinish } from '../commands/finishing.ts'

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

const Finished = Type.Object(
  {
    proposal: { ...Guid, description: 'What the song is proposed as, for the staff of the tournament.' },
    status: oneOf(['collecting', 'proposed', 'accepted', 'rejected', 'superseded']),
    game: Type.Integer({ examples: [1] }),
    run: Type.Integer({ examples: [1] }),
    players: Type.Array(
      Type.Object({
        userGuid: Guid,
        side: Type.Integer({ minimum: 1, maximum: 2 }),
        score: Type.Integer({ examples: [912_345] }),
        completion: oneOf(completions),
      }),
      { description: 'Whose games have told of the song so far.' },
    ),
  },
  { title: 'FinishedSong' },
)

const finish = command({
  name: 'live.finish',
  method: 'POST',
  path: `${tournamentPath}/matches/:match/live/:user/finish`,
  scope: 'rest:write',
  socket: true,
  allow: policy('the player themselves', (actor, { user }: { user: User }) => actor.guid === user.guid, isSignedIn),
  summary: 'Tell what a song came to, by the word of one’s own game.',
  description:
    'For matches without an assistant: the page `/bridge` sends it. Results of all players of one song become one proposal with the source `game` and the warning `unverified`, which an operator of the match accepts or rejects; nothing of it counts by itself. The same result told again changes nothing. After 20 seconds without another player the proposal is complete; until 10 minutes are over the others may join it.',
  query: Type.Object(DivisionQuery),
  body: FinishBody,
  reply: { 200: Finished },
  problems: {
    'match.ambiguous': 409,
    'match.cancelled': 409,
    'tournament.cancelled': 409,
    'live.player_unknown': 400,
    'game.player_mismatch': 403,
    'assistant.play_open': 409,
    'live.finishes_limit': 429,
  },
  run: async ({ tx, tournament, match, user, body, now }) => {
    checkNotCancelled(tournament)
    const { play, proposal } = await tellFinish(tx, match.guid, user.guid, body, now)
    return {
      ...{ proposal: proposal.guid, status: proposal.status, game: play.game, run: play.run },
      players: proposal.players.map(({ userGuid, side, score, completion }) => ({ userGuid, side, score, completion })),
    }
  },
})

export const liveOperations = [set, finish]
