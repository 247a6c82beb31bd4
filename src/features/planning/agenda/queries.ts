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
import type { OwnMatch, OwnStream, Place } from './types.ts'
import { type AgendaView, deadlineView, problemView, sheetView, streamView } from './views.ts'

/** The teams of the user that are to be judged. */
export function entriesOf(places: readonly Place[], now: Date) {
  return places.flatMap((place) => {
    const { team, tournament, registered } = place
    return team !== null && isToBeJudged(place, now) ? [{ team, tournament, registered }] : []
  })
}

interface Around {
  /** The present state; see `listOwn`. */
  readonly present: Db
  readonly actor: SignedIn
  readonly places: readonly Place[]
  readonly findings: Findings
  readonly now: Date
  readonly depends: Depends
}

interface Own {
  readonly db: Db
  readonly matches: readonly OwnMatch[]
  readonly streams: readonly OwnStream[]
}

/**
 * The user's matches and streams. In a held tournament, those of the matches of the user's teams are as they are now;
 * the others are late. (V1)
 * @param db may show held tournaments late
 */
async function listOwn(
  db: Db,
  asked: Asked,
  { present, actor, places }: Pick<Around, 'present' | 'actor' | 'places'>,
): Promise<readonly Own[]> {
  const read = async (from: Db): Promise<Own> => {
    const [matches, streams] = await Promise.all([
      listOwnMatches(from, actor.guid, places, asked),
      listOwnStreams(from, actor.guid, asked),
    ])
    return { db: from, matches, streams }
  }
  if (db === present) return [await read(db)]
  const [shown, now] = await Promise.all([read(db), read(present)])
  const played = new Set(
    [...now.matches, ...shown.matches].flatMap((match) => (match.teamGuid === null ? [] : match.guid)),
  )
  const isPlayed = ({ matchGuid }: OwnStream) => matchGuid !== null && played.has(matchGuid)
  return [
    {
      ...now,
      matches: now.matches.filter(({ teamGuid }) => teamGuid !== null),
      streams: now.streams.filter(isPlayed),
    },
    {
      ...shown,
      matches: shown.matches.filter(({ teamGuid }) => teamGuid === null),
      streams: shown.streams.filter((stream) => !isPlayed(stream)),
    },
  ]
}

/** Reads the agenda by a fixed number of statements, and declares everything that it was made from. */
export async function readAgenda(
  db: Db,
  asked: Asked,
  { present, actor, places, findings, now, depends }: Around,
): Promise<AgendaView> {
  const [own, sheets, invited, judged] = await Promise.all([
    listOwn(db, asked, { present, actor, places }),
    listOpenSheets(db, actor.guid, places, asked, now),
    listOpenOfUser(db, actor.guid),
    judgeTeams(db, entriesOf(places, now), findings, now),
  ])
  const [cards, invitations] = await Promise.all([
    Promise.all(own.map(({ db: from, matches }) => withCardsOf(from, matches))),
    listInvitationViews(db, invited),
  ])
  const withCards = cards.flat()
  const streams = own
    .flatMap((each) => each.streams)
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
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

async function withCardsOf(db: Db, own: readonly OwnMatch[]) {
  const cards = await listMatchCards(
    db,
    own.map(({ teamGuid: _team, role: _role, ...match }) => match),
  )
  return own.flatMap((match, index) => {
    const card = cards[index]
    return card === undefined ? [] : [{ ...match, card }]
  })
}
