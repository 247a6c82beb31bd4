import type { Db } from '../../../infra/db/database.ts'
import { findHorizon } from '../../../infra/held/store.ts'
import { judgeTeams } from '../../teams/registration/queries.ts'
import type { Findings } from '../../teams/registration/rules/players.ts'
import type { Team } from '../../teams/teams/types.ts'
import { readCounts } from '../tournaments/store/tournaments.ts'
import type { Tournament } from '../tournaments/types.ts'
import {
  arrange,
  findingOfAnnouncement,
  findingOfDelivery,
  findingOfMatch,
  findingOfSheet,
  findingsOfDivisions,
  findingsOfHorizon,
  findingsOfQualifier,
  findingsOfTeam,
  findingsOfTournament,
  isActive,
  maxOfCode,
} from './rules.ts'
import { listFailedAnnouncements, listFailedDeliveries } from './store/deliveries.ts'
import { findQualifierFacts, listFaultyMatches, listOverdueSheets, readDivisions } from './store/facts.ts'
import { type Finding, findingCodes } from './types.ts'

/** The maximum number of teams that are judged. */
export const maxTeams = 500

interface Around {
  readonly teams: readonly Team[]
  readonly findings: Findings
  /** Whether the viewer may know of sheets, and of what was sent to the chat. (additions: Availability; D33) */
  readonly seesAll: boolean
  readonly now: Date
}

export interface Health {
  readonly findings: readonly Finding[]
  /** The users whose properties decided. */
  readonly players: readonly string[]
}

/** Reads everything that can be wrong by a fixed number of statements. A tournament that is over has no findings. */
export async function readHealth(db: Db, tournament: Tournament, around: Around): Promise<Health> {
  const { teams, findings, seesAll, now } = around
  const { guid, status } = tournament
  if (status === 'completed' || status === 'cancelled') return { findings: [], players: [] }
  const most = maxOfCode + 1
  const { registered } = await readCounts(db, guid)
  const [horizon, judged, divisions, matches, qualifier, sheets, deliveries, announcements] = await Promise.all([
    tournament.spoilerMode === 'held' ? findHorizon(db, guid) : null,
    judgeTeams(
      db,
      teams.map((team) => ({ team, tournament, registered })),
      findings,
      now,
    ),
    readDivisions(db, guid, most),
    listFaultyMatches(db, guid, most, now),
    findQualifierFacts(db, guid),
    seesAll ? listOverdueSheets(db, guid, most, now) : [],
    seesAll ? listFailedDeliveries(db, guid, most) : [],
    seesAll ? listFailedAnnouncements(db, guid) : [],
  ])
  const all = [
    ...findingsOfTournament(tournament, now),
    ...findingsOfHorizon(tournament, horizon),
    // Registration refuses every team of a tournament that is not active, whatever the team is.
    ...(isActive(tournament) ? judged.flatMap(findingsOfTeam) : []),
    ...findingsOfDivisions(tournament, registered, divisions, now),
    ...(qualifier === null ? [] : findingsOfQualifier(qualifier)),
    ...matches.map(findingOfMatch),
    ...sheets.map(findingOfSheet),
    ...deliveries.map(findingOfDelivery),
    ...announcements.map((failed) => findingOfAnnouncement(tournament, failed)),
  ]
  return {
    findings: arrange(tournament, all, (code) => findingCodes[code].severity),
    players: judged.flatMap(({ members }) => members.map(({ userGuid }) => userGuid)),
  }
}
