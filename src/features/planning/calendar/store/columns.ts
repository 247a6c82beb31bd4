import { alias } from 'drizzle-orm/pg-core'
import { teams } from '../../../teams/teams/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'

/** The columns that all calendars select. */

/** The columns of the entry's tournament. */
export const tournamentColumns = {
  guid: tournaments.guid,
  id: tournaments.id,
  name: tournaments.name,
  summary: tournaments.summary,
  status: tournaments.status,
  timezone: tournaments.timezone,
  startsAt: tournaments.startsAt,
  endsAt: tournaments.endsAt,
  registrationOpensAt: tournaments.registrationOpensAt,
  registrationClosesAt: tournaments.registrationClosesAt,
  updatedAt: tournaments.updatedAt,
}

/** The two teams of a match. */
export const [team1, team2] = [alias(teams, 'team1'), alias(teams, 'team2')]
