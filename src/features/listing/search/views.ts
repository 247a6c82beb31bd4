import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { ListedMapView } from '../../maps/archive/views.ts'
import { UserCard } from '../../people/users/views.ts'
import { TeamRef } from '../../teams/teams/views/teams.ts'
import { listedStatuses } from '../../tournaments/tournaments/types.ts'
import { type FoundTournament, maxFound } from './types.ts'

const picture = nullable(Type.String({ examples: ['https://cdn.example.org/cup.png'] }))
const named = {
  guid: Guid,
  id: Type.String({ description: 'Short id.', examples: ['spring-cup'] }),
  name: Type.String({ examples: ['Spring Cup'] }),
  imageUrl: picture,
}

const FoundTournamentView = Type.Object(
  {
    ...named,
    summary: nullable(Type.String(), 'Plain text.'),
    status: oneOf(listedStatuses),
    timezone: Type.String({ description: 'IANA name.', examples: ['Europe/Berlin'] }),
    startsAt: nullable(Instant),
    endsAt: nullable(Instant),
  },
  { title: 'FoundTournament' },
)

const FoundTeamView = Type.Object(
  { ...TeamRef.properties, tournament: Type.Object(named, { description: 'In which it plays.' }) },
  { title: 'FoundTeam' },
)

const found = { maxItems: maxFound }

/** What a search finds, by kind. (additions: Search) */
export const Found = Type.Object(
  {
    users: Type.Array(UserCard, found),
    tournaments: Type.Array(FoundTournamentView, found),
    teams: Type.Array(FoundTeamView, found),
    maps: Type.Array(ListedMapView, found),
  },
  { title: 'Found' },
)

export function foundTournamentView(tournament: FoundTournament): Static<typeof FoundTournamentView> {
  const { status, startsAt, endsAt, ...shown } = tournament
  return {
    ...shown,
    // Only tournaments in these statuses are listed.
    status: status as (typeof listedStatuses)[number],
    startsAt: formatInstant(startsAt),
    endsAt: formatInstant(endsAt),
  }
}
