import { sql } from 'drizzle-orm'
import { type TSchema, Type } from 'typebox'
import { Milliseconds } from '../../../../core/packages/marks.ts'
import { tournamentRoles } from '../../../../core/roles.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { maxAddressLength } from '../../../../core/web.ts'
import { availabilityStatuses } from '../../../../engine/availability.ts'
import { obstacles, willing } from '../../../../engine/scheduling/types.ts'
import {
  maxInputs,
  maxMatches,
  maxWindows,
  ResponsesBody,
  SheetBody,
  SlotLength,
} from '../../../planning/availability/bodies.ts'
import { maxDescriptionCharacters } from '../../../planning/availability/rules/sheet.ts'
import {
  availabilityMatches,
  availabilityResponses,
  availabilitySheets,
  availabilityTeamResponses,
} from '../../../planning/availability/tables.ts'
import { audiences, eligibilities, modes } from '../../../planning/availability/types.ts'
import { ProposalBody } from '../../../planning/schedules/bodies.ts'
import { maxOfficials, maxMatches as mostPlanned } from '../../../planning/schedules/rules/wish.ts'
import { scheduleProposals } from '../../../planning/schedules/tables.ts'
import { like, listLike, markdownUpTo, nameLike, someOf, textLike, textUpTo, wholeUpTo } from './bounds.ts'
import { columnsOf, drawn, follows, kind, ofTournament, person, personal, plain, typed } from './kind.ts'

const sheet = SheetBody.properties

const Window = Type.Object({ guid: Guid, start: Milliseconds, end: Milliseconds })

export const sheets = kind(
  'sheets',
  columnsOf(availabilitySheets, {
    ...{ guid: plain, tournamentGuid: ofTournament, createdByGuid: person, audience: typed(oneOf(audiences)) },
    ...{ teamEligibility: typed(oneOf(eligibilities)), slotMinutes: typed(SlotLength) },
    ...{ acceptedStatuses: typed(someOf(availabilityStatuses)), title: typed(nameLike(sheet.title, 'text')) },
    ...{ description: typed(markdownUpTo(maxDescriptionCharacters)), mode: typed(oneOf(modes)) },
    ...{ roles: typed(someOf(tournamentRoles)), timezone: typed(personal('place', like(sheet.timezone))) },
    windows: typed(Type.Array(Window, { maxItems: maxWindows })),
    ...{ closesAt: plain, createdAt: plain, updatedAt: plain },
  }),
  { brings: { lacks: { timezone: () => 'UTC' } } },
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
const Reason = Type.Optional(nullable(textLike(ResponsesBody.properties.responses.items.properties.otherReason)))
const Status = oneOf(availabilityStatuses)
const Run = Type.Object({ start: Milliseconds, end: Milliseconds, status: Status, reason: Reason })
const MatchAnswer = Type.Object({ matchGuid: Guid, status: Status, reason: Reason })

export const availability = kind(
  'availability',
  columnsOf(availabilityResponses, {
    ...{ guid: plain, sheetGuid: plain, userGuid: person, role: typed(oneOf(tournamentRoles)) },
    runs: typed(Type.Array(Run, { maxItems: maxInputs }), { hides }),
    matches: typed(Type.Array(MatchAnswer, { maxItems: maxMatches }), { hides }),
    count: follows('availability.runs and availability.matches'),
    submittedAt: plain,
  }),
  { of: (tournament) => sql`${availabilityResponses.sheetGuid} in ${inSheetsOf(tournament)}` },
)

export const teamAvailability = kind(
  'teamAvailability',
  columnsOf(availabilityTeamResponses, {
    ...{ sheetGuid: plain, teamGuid: plain },
    runs: typed(Type.Array(Run, { maxItems: maxInputs }), { hides }),
    quarters: follows('teamAvailability.runs'),
    ...{ updatedByGuid: person, submittedAt: plain },
  }),
  {
    of: (tournament) => sql`${availabilityTeamResponses.sheetGuid} in ${inSheetsOf(tournament)}`,
    order: ['sheetGuid', 'teamGuid'],
  },
)

const {
  rules: { properties: rules },
} = ProposalBody.properties
const mostStreams = 16

const Wish = Type.Object({
  matchGuids: Type.Array(Guid, { maxItems: mostPlanned }),
  sheetGuids: listLike(ProposalBody.properties.sheets, Guid),
  ...{ minutesPerMatch: like(rules.minutesPerMatch), minRestMinutes: like(rules.minRestMinutes) },
  streams: Type.Array(textUpTo(maxAddressLength), { maxItems: mostStreams }),
  officialsPerMatch: Type.Object(
    Object.fromEntries(
      tournamentRoles.map((role) => [role, Type.Optional(Type.Integer({ minimum: 0, maximum: maxOfficials }))]),
    ),
  ),
  ...{ earliest: Instant, latest: Instant },
})

const Answer = oneOf(willing)
const Burdens = wholeUpTo(mostPlanned)
const mostOfMatch = maxOfficials * tournamentRoles.length
const Burden = (id: TSchema) => Type.Object({ id, matches: Burdens, maybe: Burdens, wouldRatherNot: Burdens })
const Official = personal('id', Guid)
/** Sentences name teams. */
const Sentence = textUpTo(5_000)
const Schedule = Type.Object({
  placements: Type.Array(
    Type.Object({
      ...{ match: Guid, start: Milliseconds, end: Milliseconds, stream: textUpTo(maxAddressLength) },
      teams: Type.Array(nullable(Answer), { maxItems: 2 }),
      officials: Type.Array(Type.Object({ id: Official, role: oneOf(tournamentRoles), status: Answer }), {
        maxItems: mostOfMatch,
      }),
      reason: Sentence,
    }),
    { maxItems: mostPlanned },
  ),
  unplaced: Type.Array(Type.Object({ match: Guid, code: oneOf(obstacles), reason: Sentence }), {
    maxItems: mostPlanned,
  }),
  teams: Type.Array(Burden(Guid), { maxItems: 2 * mostPlanned }),
  officials: Type.Array(Burden(Official), { maxItems: mostPlanned * mostOfMatch }),
})

export const proposals = kind(
  'proposals',
  columnsOf(scheduleProposals, {
    ...{ guid: plain, tournamentGuid: ofTournament, createdByGuid: person, wish: typed(Wish) },
    schedule: typed(Schedule, { people: '$.officials[*].id' }),
    ...{ digest: drawn, createdAt: plain, appliedAt: plain },
  }),
  // Times and officials that were computed, and were not decided.
  { nameless: 'none' },
)
