import type { SignedIn } from '../../../core/actor.ts'
import type { TournamentRole } from '../../../core/roles.ts'
import { quarter } from '../../../engine/availability.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { isOrganiserOrStaff } from '../../tournaments/access/policy.ts'
import { listRoleHolders } from '../../tournaments/access/store.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { isEligible, manageableRoles, maySeeSheet, readableRoles } from './policy.ts'
import { findCaptained } from './resolve.ts'
import {
  chooseTargets,
  type Person,
  type Suggestion,
  startOf,
  statusesOf,
  suggestionsOf,
  type Target,
  targetsOf,
} from './rules/overlap.ts'
import { slotLengthOf } from './rules/sheet.ts'
import {
  type AskedTeam,
  countStaffAnswers,
  listRegisteredTeams,
  listStaffAnswers,
  listTeamAnswers,
  listTeamSubmissions,
  type TeamAnswersFacts,
  type TeamSubmissionFacts,
} from './store/answers.ts'
import { listSheetMatches } from './store/matches.ts'
import { listSheets } from './store/sheets.ts'
import type { Audience, Sheet, StaffAnswers } from './types.ts'
import type { ChosenSlots } from './views/calendar.ts'
import type { SharedFacts, SheetFacts } from './views/sheets.ts'

/** The number of best slots, unless the caller gives another one. */
export const defaultChoice = 10

/**
 * Reads the slots or matches of a sheet with the answers that the viewer may read: the organiser, admins and staff read
 * all answers, heads those of the roles that they manage. (additions: F; G13)
 * @param top the number of best ones to return; all by default
 * @throws Problem `availability.overlap_too_large`
 */
export async function readOverlap(db: Db, sheet: Sheet, viewer: SignedIn, top?: number): Promise<Suggestion[]> {
  const { targets, people } = await readAsked(db, sheet, viewer)
  return suggestionsOf(targets, people, top)
}

/**
 * Reads slots for a calendar: the named ones, or the best of those in which anybody is available.
 * @param slots a comma-separated list of starts of slots, or of GUIDs of matches
 * @throws Problem `availability.slot_unknown`, `availability.overlap_too_large`
 */
export async function readChosenSlots(
  db: Db,
  sheet: Sheet,
  viewer: SignedIn,
  { slots, top }: { readonly slots: string | undefined; readonly top: number | undefined },
): Promise<Omit<ChosenSlots, 'host'>> {
  const { targets, people, names, changedAt } = await readAsked(db, sheet, viewer)
  const chosen =
    slots === undefined ? targets.filter((target) => startOf(target) !== null) : chooseTargets(targets, slots)
  const isChosen = new Set(chosen)
  const picked = people.map((person) => ({
    ...person,
    statuses: person.statuses.filter((_, index) => isChosen.has(targets[index] as Target)),
  }))
  const found = suggestionsOf(chosen, picked, slots === undefined ? (top ?? defaultChoice) : undefined)
  const suggestions = slots === undefined ? found.filter(({ covered }) => covered > 0) : found
  return { sheet, suggestions, names: await names(), changedAt }
}

interface Asked {
  readonly targets: readonly Target[]
  readonly people: readonly Person[]
  /** Reads the names of all people, by GUID. */
  readonly names: () => Promise<ReadonlyMap<string, string>>
  /** When the sheet or an answer last changed. */
  readonly changedAt: Date
}

async function readAsked(db: Db, sheet: Sheet, viewer: SignedIn): Promise<Asked> {
  const targets = targetsOf(sheet, sheet.mode === 'matches' ? await listSheetMatches(db, [sheet.guid]) : [])
  return sheet.audience === 'teams' ? readTeams(db, sheet, targets) : readStaff(db, sheet, targets, viewer)
}

async function readTeams(db: Db, sheet: Sheet, targets: readonly Target[]): Promise<Asked> {
  const [registered, answers] = await Promise.all([
    listRegisteredTeams(db, sheet.tournamentGuid),
    listTeamAnswers(db, [sheet.guid]),
  ])
  const runs = new Map(answers.map((each) => [each.teamGuid, each.runs]))
  const teams = registered.filter(({ status }) => isEligible(sheet, status))
  const people = teams.map(({ guid }) => ({
    guid,
    role: null,
    covers: guid,
    statuses: statusesOf(targets, { runs: runs.get(guid) ?? [] }),
  }))
  const names = async () => new Map(teams.map(({ guid, name }) => [guid, name]))
  return { targets, people, names, changedAt: lastChange(sheet, answers) }
}

async function readStaff(db: Db, sheet: Sheet, targets: readonly Target[], viewer: SignedIn): Promise<Asked> {
  const roles = readableRoles(viewer, sheet)
  const [holders, answers] = await Promise.all([
    listRoleHolders(db, sheet.tournamentGuid),
    listStaffAnswers(db, [sheet.guid], { roles }),
  ])
  const given = new Map(answers.map((each) => [`${each.userGuid} ${each.role}`, each]))
  const people = holders
    .filter(({ role }) => roles.includes(role))
    .map(({ userGuid, role }) => ({
      guid: userGuid,
      role,
      covers: role,
      statuses: statusesOf(targets, given.get(`${userGuid} ${role}`) ?? { runs: [] }),
    }))
  const names = async () => {
    const users = await listUserFacts(
      db,
      people.map(({ guid }) => guid),
    )
    return new Map([...users].map(([guid, { preferredName }]) => [guid, preferredName]))
  }
  return { targets, people, names, changedAt: lastChange(sheet, answers) }
}

function lastChange({ updatedAt }: Sheet, answers: readonly { readonly submittedAt: Date }[]): Date {
  return new Date(Math.max(updatedAt.getTime(), ...answers.map(({ submittedAt }) => submittedAt.getTime())))
}

/**
 * The maximum number of answers in one response: two weeks of evenings for a large staff, or six weeks for a usual one.
 * (D8)
 */
export const maxShown = 50_000

export interface SheetsRead {
  readonly sheets: readonly SheetFacts[]
  readonly shared: SharedFacts
  readonly canManageTeams: boolean
  /** Registered and qualified teams: all of them for users who manage them, only their own for captains. */
  readonly teams: readonly AskedTeam[]
}

/**
 * Reads all sheets of the tournament that the viewer may see, with the answers that they may read. (additions: F; G12)
 */
export async function readSheets(db: Db, tournament: Tournament, viewer: SignedIn): Promise<SheetsRead> {
  const [sheets, teams] = await Promise.all([
    listSheets(db, tournament.guid),
    listOwnTeams(db, tournament.guid, viewer),
  ])
  const captained = isOrganiserOrStaff(viewer) ? null : (teams[0] ?? null)
  const visible = sheets.filter((sheet) => maySeeSheet(viewer, sheet, captained))
  return readFacts(db, tournament, visible, teams, viewer)
}

/** Reads one sheet that the viewer may see. */
export async function readSheet(
  db: Db,
  tournament: Tournament,
  sheet: Sheet,
  viewer: SignedIn,
): Promise<{ readonly facts: SheetFacts; readonly shared: SharedFacts }> {
  const teams = sheet.audience === 'teams' ? await listOwnTeams(db, tournament.guid, viewer) : []
  const { sheets, shared } = await readFacts(db, tournament, [sheet], teams, viewer)
  const [facts] = sheets
  if (facts === undefined) throw new Error('a sheet has no facts')
  return { facts, shared }
}

async function listOwnTeams(db: Db, tournamentGuid: string, viewer: SignedIn): Promise<readonly AskedTeam[]> {
  if (isOrganiserOrStaff(viewer)) return listRegisteredTeams(db, tournamentGuid)
  const captained = await findCaptained(db, tournamentGuid, viewer)
  return captained === null || captained.status === 'unregistered' ? [] : [captained]
}

async function readFacts(
  db: Db,
  { teamSizeMax }: Tournament,
  sheets: readonly Sheet[],
  teams: readonly AskedTeam[],
  viewer: SignedIn,
): Promise<SheetsRead> {
  const canManageTeams = isOrganiserOrStaff(viewer)
  const guidsFor = (audience: Audience) => sheets.filter((each) => each.audience === audience).map(({ guid }) => guid)
  const ownTeam = canManageTeams ? null : (teams[0]?.guid ?? null)
  const readable = { roles: manageableRoles(viewer), userGuid: viewer.guid }
  const [matches, staffCounts, submissions] = await Promise.all([
    listSheetMatches(
      db,
      sheets.filter(({ mode }) => mode === 'matches').map(({ guid }) => guid),
    ),
    countStaffAnswers(db, guidsFor('staff'), readable),
    listTeamSubmissions(db, canManageTeams || ownTeam !== null ? guidsFor('teams') : [], ownTeam),
  ])
  let room = maxShown
  const parts = sheets.map((sheet): Part => {
    const asked = submissions.filter(({ sheetGuid, status }) => sheetGuid === sheet.guid && isEligible(sheet, status))
    const counts = countAnswers(sheet, staffCounts.get(sheet.guid), asked, viewer)
    const shown = shares.find((share) => counts[share] <= room) ?? 'none'
    room -= counts[shown]
    return { sheet, asked, shown }
  })
  const { staff, teamAnswers } = await listShown(db, parts, readable, ownTeam)
  const facts = parts.map(({ sheet, asked, shown }): SheetFacts => {
    const isOf = ({ sheetGuid }: { readonly sheetGuid: string }) => sheetGuid === sheet.guid
    return {
      sheet,
      matches: matches.filter(isOf),
      staff: staff.filter(isOf),
      teamAnswers: teamAnswers.filter((answers) => isOf(answers) && isEligible(sheet, answers.status)),
      submissions: asked,
      isLimited: shown !== 'all',
      teams: sheet.audience === 'teams' ? teams.filter(({ status }) => isEligible(sheet, status)) : [],
    }
  })
  const answering = facts.flatMap((each) => each.staff.map(({ userGuid }) => userGuid))
  const users = await listUserFacts(db, [...sheets.map(({ createdByGuid }) => createdByGuid), ...answering])
  return { sheets: facts, shared: { users, isSolo: teamSizeMax === 1 }, canManageTeams, teams }
}

/** Which of a sheet's answers the response includes, as far as there is room: all, the viewer's own, or none. */
const shares = ['all', 'own', 'none'] as const
type Share = (typeof shares)[number]

interface Part {
  readonly sheet: Sheet
  /** The teams that have answered, if the sheet still asks them. */
  readonly asked: readonly TeamSubmissionFacts[]
  readonly shown: Share
}

function countAnswers(
  sheet: Sheet,
  staff: { readonly all: number; readonly own: number } = { all: 0, own: 0 },
  asked: readonly TeamSubmissionFacts[],
  viewer: SignedIn,
): Readonly<Record<Share, number>> {
  const slots = (some: readonly TeamSubmissionFacts[]) =>
    some.reduce((count, { quarters }) => count + (quarters * quarter) / slotLengthOf(sheet), 0)
  const own = asked.filter(({ captainGuid }) => captainGuid === viewer.guid)
  return { all: staff.all + slots(asked), own: staff.own + slots(own), none: 0 }
}

/** Reads only the answers that are shown: there may be a hundred sheets with fifty thousand answers each. */
async function listShown(
  db: Db,
  parts: readonly Part[],
  readable: { readonly roles: readonly TournamentRole[]; readonly userGuid: string },
  ownTeam: string | null,
): Promise<{ readonly staff: readonly StaffAnswers[]; readonly teamAnswers: readonly TeamAnswersFacts[] }> {
  const guidsOf = (share: Share, audience: Audience) =>
    parts.filter(({ sheet, shown }) => shown === share && sheet.audience === audience).map(({ sheet }) => sheet.guid)
  const captained = parts.flatMap(({ asked }) => asked).find(({ captainGuid }) => captainGuid === readable.userGuid)
  const answered = parts.filter(({ asked }) => asked.length > 0).map(({ sheet }) => sheet.guid)
  const [staff, ownStaff, teamAnswers, ownTeamAnswers] = await Promise.all([
    listStaffAnswers(db, guidsOf('all', 'staff'), readable),
    listStaffAnswers(db, guidsOf('own', 'staff'), { ...readable, roles: [] }),
    listTeamAnswers(
      db,
      guidsOf('all', 'teams').filter((guid) => answered.includes(guid)),
      ownTeam,
    ),
    captained === undefined ? [] : listTeamAnswers(db, guidsOf('own', 'teams'), captained.teamGuid),
  ])
  return { staff: [...staff, ...ownStaff], teamAnswers: [...teamAnswers, ...ownTeamAnswers] }
}
