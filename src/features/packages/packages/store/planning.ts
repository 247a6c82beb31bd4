import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Milliseconds, Word } from '../../../../core/packages/marks.ts'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import {
  availabilityMatches,
  availabilityResponses,
  availabilitySheets,
  availabilityTeamResponses,
} from '../../../planning/availability/tables.ts'
import { scheduleProposals } from '../../../planning/schedules/tables.ts'
import {
  anyJson,
  columnsOf,
  drawn,
  follows,
  json,
  kind,
  member,
  ofTournament,
  person,
  personal,
  plain,
  text,
  word,
} from './kind.ts'

const Window = Type.Object({ guid: Guid, start: Milliseconds, end: Milliseconds })

export const sheets = kind(
  'sheets',
  columnsOf(availabilitySheets, {
    ...{ guid: plain, tournamentGuid: ofTournament, createdByGuid: person, audience: word, teamEligibility: word },
    ...{ slotMinutes: plain, acceptedStatuses: word, title: text, description: text, mode: word, roles: word },
    timezone: member({ personal: 'place' }),
    windows: json(Type.Array(Window)),
    ...{ closesAt: plain, createdAt: plain, updatedAt: plain },
  }),
)

const inSheetsOf = (tournament: string) =>
  sql`(select s.guid from ${availabilitySheets} s where s.tournament_guid = ${tournament})`

export const sheetMatches = kind(
  'sheetMatches',
  columnsOf(availabilityMatches, { guid: plain, sheetGuid: plain, matchGuid: plain, position: plain }),
  { of: (tournament) => sql`${availabilityMatches.sheetGuid} in ${inSheetsOf(tournament)}` },
)

/** Reasons are for the staff. */
const hides = ['reason']
const Reason = Type.Optional(nullable(personal('text')))
const Run = Type.Object({ start: Milliseconds, end: Milliseconds, status: Word, reason: Reason })
const MatchAnswer = Type.Object({ matchGuid: Guid, status: Word, reason: Reason })

export const availability = kind(
  'availability',
  columnsOf(availabilityResponses, {
    ...{ guid: plain, sheetGuid: plain, userGuid: person, role: word },
    runs: json(Type.Array(Run), { hides }),
    matches: json(Type.Array(MatchAnswer), { hides }),
    count: follows('availability.runs and availability.matches'),
    submittedAt: plain,
  }),
  { of: (tournament) => sql`${availabilityResponses.sheetGuid} in ${inSheetsOf(tournament)}` },
)

export const teamAvailability = kind(
  'teamAvailability',
  columnsOf(availabilityTeamResponses, {
    ...{ sheetGuid: plain, teamGuid: plain },
    runs: json(Type.Array(Run), { hides }),
    quarters: follows('teamAvailability.runs'),
    ...{ updatedByGuid: person, submittedAt: plain },
  }),
  {
    of: (tournament) => sql`${availabilityTeamResponses.sheetGuid} in ${inSheetsOf(tournament)}`,
    order: ['sheetGuid', 'teamGuid'],
  },
)

const Wish = Type.Object({
  ...{ matchGuids: Type.Array(Guid), sheetGuids: Type.Array(Guid) },
  ...{ minutesPerMatch: Type.Number(), minRestMinutes: Type.Number(), streams: Type.Array(personal('text')) },
  ...{ officialsPerMatch: Type.Record(Type.String(), Type.Integer()), earliest: Instant, latest: Instant },
})

export const proposals = kind(
  'proposals',
  columnsOf(scheduleProposals, {
    ...{ guid: plain, tournamentGuid: ofTournament, createdByGuid: person, wish: json(Wish) },
    schedule: anyJson({ people: '$.officials[*].id' }),
    ...{ digest: drawn, createdAt: plain, appliedAt: plain },
  }),
  // Times and officials that were computed, and were not decided.
  { nameless: 'none' },
)
