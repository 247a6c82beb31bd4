import { type Static, Type } from 'typebox'
import { type SignedIn, signedIn } from '../../../core/actor.ts'
import { Answer, command, query, tournamentPath } from '../../../core/operation.ts'
import { Instant, nullable } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { TournamentRoleName } from '../../tournaments/access/views.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { maxMatches, maxWindows, ResponsesBody, SheetBody, TeamResponsesBody } from './bodies.ts'
import { createSheet, deleteSheet, replaceSheet, respond, respondForTeam } from './commands/sheets.ts'
import { answerReaders, askedCaptain, askedStaff, sheetMakers, sheetManagers } from './policy.ts'
import { defaultChoice, readChosenSlots, readOverlap, readSheet, readSheets } from './queries.ts'
import { maxChosen } from './rules/overlap.ts'
import { maxDays, maxSheets } from './rules/sheet.ts'
import type { Sheet } from './types.ts'
import { OverlapView, overlapView } from './views/overlap.ts'
import {
  SheetView,
  StaffResponse,
  StateView,
  sheetView,
  staffResponses,
  stateView,
  TeamResponse,
  teamResponses,
} from './views/sheets.ts'
import { submissionView, TeamSubmissionView } from './views/submissions.ts'

const path = `${tournamentPath}/availability` as const
const sheetPath = `${path}/sheets/:sheet` as const

const state = query({
  name: 'availability.read',
  method: 'GET',
  path,
  scope: 'rest:read',
  allow: signedIn,
  summary: 'The availability sheets that are for the caller, and what the caller is to them.',
  description:
    'Staff see sheets of their roles and of roles that they manage, captains those for which their team is asked; organiser, admins and staff see all, with all answers. Heads see the answers of the roles that they manage, all others their own.',
  reply: { 200: StateView },
  live: { sends: ['availability.answered'] },
  run: async ({ db, actor, tournament, depends }) => {
    depends(tournament.guid, actor.guid)
    const { sheets, shared, ...managed } = await readSheets(db, tournament, actor)
    depends(...shared.users.keys())
    return stateView(actor, sheets, shared, managed)
  },
})

async function readView(db: Db, tournament: Tournament, sheet: Sheet, actor: SignedIn): Promise<SheetView> {
  const { facts, shared } = await readSheet(db, tournament, sheet, actor)
  return sheetView(facts, shared)
}

const sheetProblems = { 'availability.sheet_invalid': 400, 'availability.match_unknown': 400 }

const create = command({
  name: 'availability.createSheet',
  method: 'POST',
  path: `${path}/sheets`,
  scope: 'rest:write',
  allow: sheetMakers,
  inRehearsals: true,
  summary: 'Ask staff or teams when they can.',
  description: `Heads ask the roles that they manage, and must name them; organiser, admins and staff ask anybody. At most ${maxWindows} windows of ${maxDays} days altogether, or ${maxMatches} matches; at most ${maxSheets} sheets in a tournament.`,
  body: SheetBody,
  reply: { 201: SheetView },
  problems: { ...sheetProblems, 'availability.limit_reached': 409 },
  run: async ({ tx, actor, tournament, body, now }) =>
    readView(tx, tournament, await createSheet(tx, actor, tournament.guid, body, now), actor),
})

const read = query({
  name: 'availability.readSheet',
  method: 'GET',
  path: sheetPath,
  scope: 'rest:read',
  allow: signedIn,
  summary: 'One availability sheet, with the answers that the caller may see.',
  description:
    'Organiser, admins and staff see all answers, heads those of the roles that they manage, everybody else their own. A sheet that is not for the caller is unknown to them.',
  reply: { 200: SheetView },
  live: { sends: ['availability.answered'] },
  run: async ({ db, actor, tournament, sheet, depends }) => {
    depends(tournament.guid, actor.guid)
    const { facts, shared } = await readSheet(db, tournament, sheet, actor)
    depends(...shared.users.keys())
    return sheetView(facts, shared)
  },
})

const Dropped = Type.Object(
  {
    responses: Type.Integer({ description: 'Answers of staff to slots and matches.' }),
    teamResponses: Type.Integer({ description: 'Answers of teams to slots.' }),
    teamSubmissions: Type.Integer({ description: 'Teams of whose answers nothing is left.' }),
  },
  { description: 'How many answers the sheet can no longer be given, and has lost.' },
)

const replace = command({
  name: 'availability.replaceSheet',
  method: 'PUT',
  path: sheetPath,
  scope: 'rest:write',
  allow: sheetManagers,
  inRehearsals: true,
  summary: 'Replace an availability sheet, keeping the answers that still fit.',
  description:
    'Answers outside of the new windows or matches, of those who are no longer asked, and with a status that is no longer accepted are dropped, and counted in the answer. All others stay.',
  body: SheetBody,
  reply: { 200: Type.Object({ ...SheetView.properties, dropped: Dropped }, { title: 'ReplacedAvailabilitySheet' }) },
  problems: sheetProblems,
  run: async ({ tx, actor, tournament, sheet: addressed, body, now }) => {
    const { sheet, dropped } = await replaceSheet(tx, actor, addressed, body, now)
    return { ...(await readView(tx, tournament, sheet, actor)), dropped }
  },
})

const remove = command({
  name: 'availability.deleteSheet',
  method: 'DELETE',
  path: sheetPath,
  scope: 'rest:write',
  allow: sheetManagers,
  inRehearsals: true,
  summary: 'Delete an availability sheet with all its answers.',
  description: 'For good. Proposals that were worked out from it can no longer be applied.',
  reply: { 204: nullable(Type.String()) },
  run: async ({ tx, actor, sheet, now }) => {
    await deleteSheet(tx, actor, sheet, now)
    return new Answer(204)
  },
})

const responseProblems = {
  'availability.response_invalid': 400,
  'availability.unaligned': 400,
  'availability.outside': 400,
  'availability.status_not_accepted': 400,
  'availability.closed': 409,
  'availability.stale': 409,
  'tournament.cancelled': 409,
}

const answer = command({
  name: 'availability.respond',
  method: 'PUT',
  path: `${sheetPath}/responses`,
  scope: 'rest:write',
  socket: true,
  allow: askedStaff,
  summary: 'Say when one can, as the holder of a role.',
  description:
    'Replaces all that the caller has answered in the role, in one step; with `expectedSubmittedAt` only what the caller has read. Times are made of quarters of an hour within the windows of the sheet.',
  body: ResponsesBody,
  reply: {
    200: Type.Object({
      role: TournamentRoleName,
      responses: Type.Array(StaffResponse),
      submittedAt: nullable(Instant, 'Null where no answer is left.'),
    }),
  },
  problems: {
    'user.unknown': 404,
    ...responseProblems,
    'availability.role_needed': 400,
    'availability.role_invalid': 400,
  },
  run: async ({ tx, actor, tournament, sheet, body, now }) => {
    const { role, answers, matches } = await respond(tx, actor, tournament, sheet, body, now)
    const staff = answers === null ? [] : [answers]
    const responses = staffResponses({ matches, staff }, await listUserFacts(tx, [actor.guid]))
    return { role, responses, submittedAt: formatInstant(answers?.submittedAt ?? null) }
  },
})

const answerForTeam = command({
  name: 'availability.respondForTeam',
  method: 'PUT',
  path: `${sheetPath}/teams/:team/responses`,
  scope: 'rest:write',
  socket: true,
  allow: askedCaptain,
  summary: 'Say when a team can, as its captain.',
  description:
    'Replaces all that the team has answered, in one step; with `expectedSubmittedAt` only what the caller has read. Times are made of whole slots of the sheet, counted from the start of a window.',
  body: TeamResponsesBody,
  reply: { 200: Type.Object({ teamResponses: Type.Array(TeamResponse), teamSubmission: TeamSubmissionView }) },
  problems: { ...responseProblems, 'user.unknown': 404 },
  run: async ({ tx, actor, tournament, sheet: addressed, team, body, now }) => {
    const { sheet, answers } = await respondForTeam(tx, actor, tournament, addressed, team.guid, body, now)
    return { teamResponses: teamResponses(sheet, answers), teamSubmission: submissionView(answers) }
  },
})

const rule =
  'Slots in which everybody who is asked is available rank before those in which somebody is not sure, these before those in which somebody would rather not, and these before all others; then those with more roles (or teams) of which somebody can come, then with more who are available, more who are not sure, more who would rather not, then the earlier.'

const overlap = query({
  name: 'availability.overlap',
  method: 'GET',
  path: `${sheetPath}/overlap`,
  scope: 'rest:read',
  allow: answerReaders,
  summary: 'Who can when: answers by slot or match, with the best ranked.',
  description: `Counts and people are those whose answers the caller may read. ${rule}`,
  query: Type.Object({
    top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Only so many of the best; all unless given.' }),
    ),
  }),
  reply: { 200: OverlapView },
  problems: { 'availability.overlap_too_large': 400 },
  run: async ({ db, actor, sheet, query: { top } }): Promise<Static<typeof OverlapView>> =>
    overlapView(await readOverlap(db, sheet, actor, top)),
})

const contentType = 'text/calendar; charset=utf-8'

const overlapCalendar = query({
  name: 'availability.overlapCalendar',
  method: 'GET',
  path: `${sheetPath}/overlap.ics`,
  scope: 'rest:read',
  allow: answerReaders,
  summary: 'Chosen slots of a sheet as a file for calendar programs.',
  description:
    'A file of the form iCalendar (RFC 5545), with all times in UTC, and who can. Matches stand in it as soon as their time is known.',
  query: Type.Object({
    slots: Type.Optional(
      Type.String({
        maxLength: 8_000,
        description: `Comma list of starts of slots, or of GUIDs of matches; at most ${maxChosen}.`,
        examples: ['2026-05-01T18:00:00Z,2026-05-01T18:15:00Z'],
      }),
    ),
    top: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxChosen,
        description: `Where no slots are named: so many of the best in which anybody can come; ${defaultChoice} unless given.`,
      }),
    ),
  }),
  reply: { 200: Type.String() },
  contentType,
  problems: { 'availability.slot_unknown': 400, 'availability.overlap_too_large': 400 },
  run: async ({ db, actor, tournament, sheet, query: { slots, top }, services }) => {
    const chosen = await readChosenSlots(db, sheet, actor, { slots, top })
    // Loaded with the first request, as the library is large.
    const { chosenSlotsText } = await import('./views/calendar.ts')
    return new Answer(200, {
      body: chosenSlotsText({ ...chosen, host: new URL(services.config.publicUrl).hostname }),
      contentType,
      headers: { 'content-disposition': `attachment; filename="${tournament.id}-availability.ics"` },
    })
  },
})

export const availabilityOperations = [
  ...[state, create, read, replace, remove],
  ...[answer, answerForTeam, overlap, overlapCalendar],
]
