import type { SignedIn } from '../../../core/actor.ts'
import type { Depends } from '../../../core/operation.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listMatchCards } from '../../brackets/matches/views.ts'
import { playedTag } from '../../people/users/views.ts'
import { judgeTeams } from '../../teams/registration/queries.ts'
import { changesUntil } from '../../teams/registration/rules/eligibility.ts'
import type { Findings } from '../../teams/registration/rules/players.ts'
import { listOpenOfUser } from '../../teams/teams/store/invitations.ts'
import { listInvitationViews } from '../../teams/teams/views/teams.ts'
import { type Asked, askedBy, deadlinesOf, isToBeJudged, qualifierMovesAt } from './rules.ts'
import { listOpenSheets, listOwnMatches, listOwnStreams } from './store.ts'
import type { Place } from './types.ts'
import { type AgendaView, deadlineView, problemView, sheetView, streamView } from './views.ts'

/** The teams of the user that are to be judged. */
export function entriesOf(places: readonly Place[], now: Date) {
  return places.flatMap((place) => {
    const { team, tournament, registered } = place
    return team !== null && isToBeJudged(place, now) ? [{ team, tournament, registered }] : []
  })
}

interface Around {
  readonly actor: SignedIn
  readonly places: readonly Place[]
  readonly findings: Findings
  readonly now: Date
  readonly depends: Depends
}

/** Reads the agenda by a fixed number of statements, and declares everything that it was made from. */
export async function readAgenda(
  db: Db,
  asked: Asked,
  { actor, places, findings, now, depends }: Around,
): Promise<AgendaView> {
  const teamGuids = places.flatMap(({ team }) => (team === null ? [] : [team.guid]))
  const [own, streams, sheets, invited, judged] = await Promise.all([
    listOwnMatches(db, actor.guid, teamGuids, asked),
    listOwnStreams(db, actor.guid, asked),
    listOpenSheets(db, actor.guid, places, asked, now),
    listOpenOfUser(db, actor.guid),
    judgeTeams(db, entriesOf(places, now), findings, now),
  ])
  const [cards, invitations] = await Promise.all([
    listMatchCards(
      db,
      own.map(({ teamGuid: _team, role: _role, ...match }) => match),
    ),
    listInvitationViews(db, invited),
  ])
  const withCards = own.flatMap((match, index) => {
    const card = cards[index]
    return card === undefined ? [] : [{ ...match, card }]
  })
  const placeOf = new Map(places.map((place) => [place.tournament.guid, place]))
  const deadlines = places.flatMap((place) => deadlinesOf(place, asked, now))

  // Every event in a tournament touches it. Those that bring the user into another one touch the user.
  depends(actor.guid, playedTag, ...placeOf.keys())
  for (const { invitation, team, tournament } of invited) depends(invitation.invitedByGuid, team.guid, tournament.guid)
  depends(...judged.flatMap(({ members }) => members.map(({ userGuid }) => userGuid)))
  const changes = [
    asked.movesAt,
    ...deadlines.map(({ at }) => at),
    ...sheets.map(({ closesAt }) => closesAt),
    ...places.flatMap((place) => [changesUntil(place.tournament, now), qualifierMovesAt(place, now)]),
  ]
  for (const date of changes) if (date !== null) depends.until(date)

  return {
    matches: withCards.flatMap(({ teamGuid, card }) => (teamGuid === null ? [] : [{ teamGuid, match: card }])),
    duties: withCards.flatMap(({ role, card }) => (role === null ? [] : [{ role, match: card }])),
    streams: streams.map(streamView),
    invitations,
    sheets: sheets.flatMap((sheet) => {
      const place = placeOf.get(sheet.tournamentGuid)
      const who = place === undefined ? null : askedBy(sheet, place, actor)
      return place === undefined || who === null ? [] : [sheetView(sheet, place, who)]
    }),
    deadlines: deadlines.toSorted((one, other) => one.at.getTime() - other.at.getTime()).map(deadlineView),
    rosterProblems: judged.filter(({ eligibility }) => !eligibility.eligible).map(problemView),
  }
}
