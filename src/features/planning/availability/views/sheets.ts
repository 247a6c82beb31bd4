import { type Static, Type } from 'typebox'
import type { SignedIn } from '../../../../core/actor.ts'
import { tournamentRoles } from '../../../../core/roles.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { expand, quarter, type Run } from '../../../../engine/availability.ts'
import { matchStatuses } from '../../../../engine/types.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { UserCard, userCard } from '../../../people/users/views.ts'
import { TeamRef } from '../../../teams/teams/views/teams.ts'
import { TournamentRoleName } from '../../../tournaments/access/views.ts'
import { SlotLength, Status } from '../bodies.ts'
import { manageableRoles } from '../policy.ts'
import { slotLengthOf } from '../rules/sheet.ts'
import type { AskedTeam } from '../store/answers.ts'
import {
  audiences,
  eligibilities,
  modes,
  type Sheet,
  type SheetMatch,
  type StaffAnswers,
  type TeamAnswers,
  type TeamSubmission,
} from '../types.ts'
import { StaffSubmissionView, staffSubmissionView, submissionView, TeamSubmissionView } from './submissions.ts'

/** Availability sheets in answers. (rest-interface: AvailabilitySheet, AvailabilityState) */

const Window = Type.Object({ guid: Guid, startsAt: Instant, endsAt: Instant }, { title: 'AvailabilityWindow' })

export const StaffResponse = Type.Object(
  {
    guid: Guid,
    sheetGuid: Guid,
    userGuid: Guid,
    role: TournamentRoleName,
    status: Status,
    otherReason: nullable(Type.String()),
    matchGuid: nullable(Guid, 'Of a sheet that asks for matches.'),
    startsAt: nullable(Instant),
    endsAt: nullable(Instant, 'Fifteen minutes later.'),
    user: Type.Optional(UserCard),
  },
  {
    title: 'AvailabilityResponse',
    description: 'One user’s answer in one role, to a match or to a quarter of an hour.',
  },
)
type StaffResponse = Static<typeof StaffResponse>

export const TeamResponse = Type.Object(
  { teamGuid: Guid, status: Status, startsAt: Instant, endsAt: Instant },
  { title: 'TeamAvailabilityResponse', description: 'A team’s answer to a slot.' },
)

const AvailabilityTeam = Type.Object(
  {
    guid: Guid,
    id: Type.String({ examples: ['the-quavers'] }),
    name: Type.String({ examples: ['The Quavers'] }),
    captain: Guid,
    isSolo: Type.Boolean({ description: 'The tournament is played by teams of one.' }),
    isRegistered: Type.Boolean({ description: 'Qualified teams are registered too.' }),
    isQualified: Type.Boolean(),
  },
  { title: 'AvailabilityTeam' },
)

const MatchOnSheet = Type.Object({
  guid: Guid,
  matchGuid: Guid,
  match: Type.Object({
    guid: Guid,
    number: Type.Integer({ examples: [12] }),
    scheduledAt: nullable(Instant),
    status: oneOf(matchStatuses),
    sides: Type.Array(Type.Object({ team: nullable(TeamRef) }), { minItems: 2, maxItems: 2 }),
  }),
})

export const SheetView = Type.Object(
  {
    guid: Guid,
    tournamentGuid: Guid,
    createdByGuid: Guid,
    audience: oneOf(audiences),
    teamEligibility: oneOf(eligibilities),
    slotMinutes: SlotLength,
    acceptedStatuses: Type.Array(Status),
    title: Type.String({ examples: ['Casting the playoffs'] }),
    description: nullable(Type.String(), 'In Markdown.'),
    mode: oneOf(modes),
    roles: Type.Array(TournamentRoleName, { description: 'Empty on a sheet for staff: every role.' }),
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    startsAt: nullable(Instant, 'In the mode `range` alone.'),
    endsAt: nullable(Instant, 'In the mode `range` alone.'),
    closesAt: nullable(Instant),
    matches: Type.Array(MatchOnSheet),
    windows: Type.Array(Window, { description: 'What may be answered, in order; the span of a `range` is one.' }),
    responses: Type.Array(StaffResponse, {
      description:
        'What staff answered: as far as the caller may see it, their own or that of roles which they manage.',
    }),
    responsesLimited: Type.Optional(
      Type.Boolean({
        description:
          'True where there are more answers than one reply holds: then at most the caller’s own are here, and the overlap tells the rest.',
      }),
    ),
    submissions: Type.Array(StaffSubmissionView, { description: 'Of those whose `responses` are here.' }),
    teamResponses: Type.Array(TeamResponse),
    teamSubmissions: Type.Array(TeamSubmissionView),
    eligibleTeams: Type.Array(AvailabilityTeam, {
      description: 'Teams that are asked, of which the caller may answer or read.',
    }),
    createdBy: Type.Optional(UserCard),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'AvailabilitySheet' },
)
export type SheetView = Static<typeof SheetView>

export const StateView = Type.Object(
  {
    sheets: Type.Array(SheetView, { description: 'Those that are for the caller, newest first.' }),
    applicantRoles: Type.Array(TournamentRoleName, { description: 'The caller’s own.' }),
    manageableRoles: Type.Array(TournamentRoleName, { description: 'For which the caller may make sheets.' }),
    userGuid: Guid,
    canManageTeams: Type.Boolean({
      description: 'Whether the caller may make sheets for teams, and read all answers.',
    }),
    teams: Type.Array(AvailabilityTeam, {
      description: 'Registered and qualified teams: all for those who manage them, for captains their own.',
    }),
  },
  { title: 'AvailabilityState' },
)

/** A sheet with the data that the viewer may see. */
export interface SheetFacts {
  readonly sheet: Sheet
  readonly matches: readonly SheetMatch[]
  readonly staff: readonly StaffAnswers[]
  readonly teamAnswers: readonly TeamAnswers[]
  /** Whether some answers were left out. */
  readonly isLimited: boolean
  readonly submissions: readonly TeamSubmission[]
  readonly teams: readonly AskedTeam[]
}

export interface SharedFacts {
  readonly users: ReadonlyMap<string, UserFacts>
  /** Whether the tournament's teams have only one player. */
  readonly isSolo: boolean
}

export function sheetView(facts: SheetFacts, shared: SharedFacts): SheetView {
  const { sheet, isLimited } = facts
  const [range] = sheet.mode === 'range' ? sheet.windows : []
  const creator = shared.users.get(sheet.createdByGuid)
  return {
    guid: sheet.guid,
    tournamentGuid: sheet.tournamentGuid,
    createdByGuid: sheet.createdByGuid,
    audience: sheet.audience,
    teamEligibility: sheet.teamEligibility,
    slotMinutes: sheet.slotMinutes,
    acceptedStatuses: [...sheet.acceptedStatuses],
    title: sheet.title,
    description: sheet.description,
    mode: sheet.mode,
    roles: [...sheet.roles],
    timezone: sheet.timezone,
    startsAt: range === undefined ? null : instantOf(range.start),
    endsAt: range === undefined ? null : instantOf(range.end),
    closesAt: formatInstant(sheet.closesAt),
    matches: facts.matches.map(matchView),
    windows: sheet.windows.map(({ guid, start, end }) => ({
      guid,
      startsAt: instantOf(start),
      endsAt: instantOf(end),
    })),
    responses: staffResponses(facts, shared.users),
    ...(isLimited ? { responsesLimited: true } : {}),
    submissions: facts.staff.map(staffSubmissionView),
    teamResponses: facts.teamAnswers.flatMap((answers) => teamResponses(sheet, answers)),
    teamSubmissions: facts.submissions.map(submissionView),
    eligibleTeams: facts.teams.map((team) => teamView(team, shared.isSolo)),
    ...(creator === undefined ? {} : { createdBy: userCard(creator) }),
    createdAt: formatInstant(sheet.createdAt),
    updatedAt: formatInstant(sheet.updatedAt),
  }
}

function matchView({ guid, matchGuid, number, scheduledAt, status, teams }: SheetMatch): SheetView['matches'][number] {
  const sides = teams.map((team) => ({ team }))
  const match = { number, status, sides, scheduledAt: formatInstant(scheduledAt) }
  return { guid, matchGuid, match: { guid: matchGuid, ...match } }
}

/** Returns one answer for each quarter of an hour, or for each match. */
export function staffResponses(
  { matches, staff }: Pick<SheetFacts, 'matches' | 'staff'>,
  users: ReadonlyMap<string, UserFacts>,
): StaffResponse[] {
  const entries = new Map(matches.map(({ guid, matchGuid }) => [matchGuid, guid]))
  const instants = new Map<number, string>()
  const instant = (time: number) => {
    const known = instants.get(time) ?? instantOf(time)
    instants.set(time, known)
    return known
  }
  return staff.flatMap((answers) => {
    const user = users.get(answers.userGuid)
    const { sheetGuid, userGuid, role } = answers
    const common = { sheetGuid, userGuid, role, ...(user === undefined ? {} : { user: userCard(user) }) }
    const ofSlots = expand(answers.runs, quarter).map(({ start, end, status, reason = null }) => ({
      ...common,
      guid: guidWithin(answers.guid, start / quarter),
      status,
      otherReason: reason,
      matchGuid: null,
      startsAt: instant(start),
      endsAt: instant(end),
    }))
    const ofMatches = answers.matches.flatMap(({ matchGuid, status, reason = null }) => {
      const entry = entries.get(matchGuid)
      // A deleted match is no longer on any sheet.
      if (entry === undefined) return []
      const guid = guidWithin(answers.guid, Number.parseInt(entry.slice(24), 16))
      return { ...common, guid, status, otherReason: reason, matchGuid, startsAt: null, endsAt: null }
    })
    return [...ofSlots, ...ofMatches]
  })
}

/**
 * One row has many answers. The GUID of an answer is the row's GUID with the number added to its last digits, so it
 * stays the same as long as the row exists.
 */
function guidWithin(row: string, number: number): string {
  const last = (Number.parseInt(row.slice(24), 16) + number) % 2 ** 48
  return row.slice(0, 24) + last.toString(16).padStart(12, '0')
}

/** Returns one answer for each slot of the sheet. */
export function teamResponses(sheet: Sheet, { teamGuid, runs }: Pick<TeamAnswers, 'teamGuid' | 'runs'>) {
  return expand(runs, slotLengthOf(sheet)).map(({ start, end, status }: Run) => ({
    teamGuid,
    status,
    startsAt: instantOf(start),
    endsAt: instantOf(end),
  }))
}

function teamView(
  { guid, id, name, captainGuid, status }: AskedTeam,
  isSolo: boolean,
): Static<typeof AvailabilityTeam> {
  const isQualified = status === 'qualified'
  return {
    guid,
    id,
    name,
    captain: captainGuid,
    isSolo,
    isRegistered: isQualified || status === 'registered',
    isQualified,
  }
}

export function stateView(
  actor: SignedIn,
  sheets: readonly SheetFacts[],
  shared: SharedFacts,
  managed: { readonly canManageTeams: boolean; readonly teams: readonly AskedTeam[] },
): Static<typeof StateView> {
  return {
    sheets: sheets.map((facts) => sheetView(facts, shared)),
    applicantRoles: tournamentRoles.filter((role) => actor.roles.has(role)),
    manageableRoles: manageableRoles(actor),
    userGuid: actor.guid,
    canManageTeams: managed.canManageTeams,
    teams: managed.teams.map((team) => teamView(team, shared.isSolo)),
  }
}

function instantOf(time: number): string {
  return new Date(time).toISOString()
}
