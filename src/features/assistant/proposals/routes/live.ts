import { Type } from 'typebox'
import { isSignedIn, policy } from '../../../../core/actor.ts'
import { Answer, command, tournamentPath } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { DivisionQuery } from '../../../brackets/matches/bodies.ts'
import { referees } from '../../../brackets/results/policy.ts'
import { LiveScore } from '../../../brackets/results/routes/live.ts'
import type { User } from '../../../people/users/types.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { FinishBody } from '../bodies.ts'
import { reportFinish } from '../commands/finishing.ts'
import { checkPlays } from '../queries.ts'
import { FinishedSongView, finishedSongView } from '../views.ts'

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
    await checkPlays(tx, match, user.guid)
    const topic = `/tournaments/${tournament.guid}/matches/${match.guid}/live`
    services.realtime.ephemeral.put(topic, `player:${user.guid}`, body, 'manual')
    return new Answer(204)
  },
})

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
  reply: { 200: FinishedSongView },
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
    return finishedSongView(await reportFinish(tx, match.guid, user.guid, body, now))
  },
})

export const liveOperations = [set, finish]
