import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { MatchCard } from '../../brackets/matches/views.ts'
import { streamRoles } from '../../streaming/streamAssignments/types.ts'
import type { JudgedTeam } from '../../teams/registration/queries.ts'
import { VerdictView, verdictView } from '../../teams/registration/views.ts'
import { teamStatuses } from '../../teams/teams/types.ts'
import { InvitationView, TeamRef } from '../../teams/teams/views/teams.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { type Deadline, deadlineKinds, type OpenSheet, type OwnStream, type Place } from './types.ts'

const TournamentRef = Type.Object(
  {
    guid: Guid,
    id: Type.String({ description: 'Short id.', examples: ['spring-cup'] }),
    name: Type.String({ examples: ['Spring Cup'] }),
    imageUrl: nullable(Type.String({ examples: ['https://cdn.example.org/cup.png'] })),
    timezone: Type.String({ description: 'IANA name.', examples: ['Europe/Berlin'] }),
  },
  { title: 'AgendaTournament' },
)

/** What a user has to do and where they have to be. */
export const AgendaView = Type.Object(
  {
    matches: Type.Array(Type.Object({ teamGuid: Guid, match: MatchCard }), {
      description:
        'Of one’s teams: those that are ready or run and have no time first, then by time, then those without a time that wait for a side.',
    }),
    duties: Type.Array(Type.Object({ role: Type.String({ examples: ['role:referee'] }), match: MatchCard }), {
      description: 'Matches at which one works.',
    }),
    streams: Type.Array(
      Type.Object({
        guid: Guid,
        role: oneOf(streamRoles),
        startsAt: Instant,
        endsAt: Instant,
        matchGuid: nullable(Guid),
        tournament: TournamentRef,
      }),
      { description: 'Assignments to streams.' },
    ),
    invitations: Type.Array(InvitationView, { description: 'Into teams; all that can be accepted.' }),
    sheets: Type.Array(
      Type.Object({
        guid: Guid,
        title: Type.String({ examples: ['Semi-finals'] }),
        audience: oneOf(['staff', 'teams']),
        closesAt: nullable(Instant),
        answered: Type.Boolean({ description: 'By oneself or, for a sheet of teams, by the captain.' }),
        team: nullable(TeamRef, 'That it asks; null where it asks oneself.'),
        tournament: TournamentRef,
      }),
      { description: 'Availability sheets that are open and ask oneself, or the team that one captains.' },
    ),
    deadlines: Type.Array(
      Type.Object({
        kind: oneOf(deadlineKinds),
        at: Instant,
        team: nullable(TeamRef),
        tournament: TournamentRef,
      }),
      { description: 'In order of time.' },
    ),
    rosterProblems: Type.Array(
      Type.Object({
        team: TeamRef,
        status: oneOf(teamStatuses),
        tournament: TournamentRef,
        eligibility: VerdictView,
      }),
      {
        description:
          'Teams of one’s own that would not get their place now, with every failed check: those that hold a place, and those that can ask for one.',
      },
    ),
  },
  { title: 'Agenda' },
)
export type AgendaView = Static<typeof AgendaView>

function tournamentRef({
  guid,
  id,
  name,
  imageUrl,
  timezone,
}: Pick<Tournament, 'guid' | 'id' | 'name' | 'imageUrl' | 'timezone'>): Static<typeof TournamentRef> {
  return { guid, id, name, imageUrl, timezone }
}

function teamRef(team: NonNullable<Place['team']>): TeamRef {
  const { guid, id, name, imageUrl, color } = team
  return { guid, id, name, imageUrl, color }
}

export function streamView(stream: OwnStream): AgendaView['streams'][number] {
  const { guid, role, startsAt, endsAt, matchGuid, tournament } = stream
  return { guid, role, startsAt: formatInstant(startsAt), endsAt: formatInstant(endsAt), matchGuid, tournament }
}

export function deadlineView({ kind, at, place: { team, tournament } }: Deadline): AgendaView['deadlines'][number] {
  return {
    kind,
    at: formatInstant(at),
    team: team === null ? null : teamRef(team),
    tournament: tournamentRef(tournament),
  }
}

export function sheetView(sheet: OpenSheet, place: Place, asked: 'user' | 'team'): AgendaView['sheets'][number] {
  const { guid, title, audience, closesAt, answeredByUser, answeredByTeam } = sheet
  return {
    guid,
    title,
    audience,
    closesAt: formatInstant(closesAt),
    answered: asked === 'team' ? answeredByTeam : answeredByUser,
    team: asked === 'team' && place.team !== null ? teamRef(place.team) : null,
    tournament: tournamentRef(place.tournament),
  }
}

export function problemView({ entry, eligibility }: JudgedTeam): AgendaView['rosterProblems'][number] {
  const { team, tournament } = entry
  return {
    team: teamRef(team),
    status: team.status,
    tournament: tournamentRef(tournament),
    eligibility: verdictView(eligibility),
  }
}
