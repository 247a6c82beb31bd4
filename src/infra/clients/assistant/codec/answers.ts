import type { State, Tournament } from '../generated/models_pb.ts'
import {
  type Response,
  Response_Connect_ConnectFailReason,
  Response_Join_JoinFailReason,
  Response_ResponseType,
} from '../generated/responses_pb.ts'
import type { Answered, Details } from '../messages.ts'
import { entryOf, matchOf, qualifierOf, tournamentOf } from './models.ts'
import { text } from './values.ts'

/** Answers to our requests, from the server or from players to whom it forwarded a request. */

export function answerOf(
  { type, respondingToPacketId, details }: Response,
  { from, tournament }: { readonly from: string; readonly tournament: string },
): Answered {
  const ok = type === Response_ResponseType.Success
  return {
    type: 'answer',
    to: text(respondingToPacketId),
    from,
    ok,
    message: text(details.value !== undefined && 'message' in details.value ? details.value.message : ''),
    details: detailsOf(details, { ok, tournament }),
  }
}

function detailsOf(
  { case: name, value }: Response['details'],
  { ok, tournament }: { readonly ok: boolean; readonly tournament: string },
): Details {
  switch (name) {
    case 'connect':
      return {
        type: 'connect',
        serverVersion: value.serverVersion,
        wrongVersion: !ok && value.reason === Response_Connect_ConnectFailReason.IncorrectVersion,
        tournaments: value.state?.tournaments.map(tournamentOf) ?? [],
      }
    case 'join':
      return {
        type: 'join',
        selfGuid: text(value.selfGuid),
        wrongPassword: !ok && value.reason === Response_Join_JoinFailReason.IncorrectPassword,
        tournament: ours(value.state, tournament),
      }
    case 'createMatch':
    case 'updateMatch':
    case 'deleteMatch':
      return { type: 'match', match: value.match === undefined ? null : matchOf(value.match) }
    case 'leaderboardEntries':
      return { type: 'board', entries: value.scores.map(entryOf) }
    case 'loadSong':
      return { type: 'loadSong', levelId: text(value.levelId) }
    case 'showPrompt':
      return { type: 'prompt', value: text(value.value) }
    case 'updateTournament':
      return { type: 'pools', tournament: whole(value.tournament) }
    case 'updateQualifierEvent':
      return { type: 'qualifier', qualifier: value.qualifier === undefined ? null : qualifierOf(value.qualifier) }
    case 'permissionError':
      return { type: 'permission', required: text(value.requiredPermission) }
    default:
      return { type: 'none' }
  }
}

function ours(state: State | undefined, guid: string) {
  return whole(state?.tournaments.find((tournament) => tournament.guid === guid))
}

function whole(tournament: Tournament | undefined) {
  return tournament === undefined ? null : tournamentOf(tournament)
}
