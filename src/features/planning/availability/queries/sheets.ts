import type { SignedIn } from '../../../../core/actor.ts'
import { countSlots } from '../../../../engine/availability.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { isOrganiserOrStaff } from '../../../tournaments/access/policy.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { isEligible, manageableRoles, maySeeSheet } from '../policy.ts'
import { findCaptained } from '../resolve.ts'
import { slotLengthOf } from '../rules/sheet.ts'
import {
  type AskedTeam,
  listRegisteredTeams,
  listStaffAnswers,
  listTeamAnswers,
  type TeamAnswersFacts,
} from '../store/answers.ts'
import { listSheetMatches } from '../store/matches.ts'
import { listSheets } from '../store/sheets.ts'
import type { Sheet, StaffAnswers } from '../types.ts'
import type { SharedFacts, SheetFacts } from '../views/sheets.ts'

/** Answers to slots and matches in one reply: a fortnight of evenings of a large staff, or six weeks of a usual one. (D8) */
export const maxShown = 50_000

export interface SheetsRead {
  readonly sheets: readonly SheetFacts[]
  readonly shared: SharedFacts
  readonly canManageTeams: boolean
  /** Registered and qualified teams: all for those who manage them, for captains their own. */
  readonly teams: readonly AskedTeam[]
}

/** All sheets of the tournament that are for the viewer, with the answers that they may read. (additions: F, G12) */
export async function readSheets(db: Db, tournament: Tournament, viewer: SignedIn): Promise<SheetsRead> {
  const [sheets, teams] = await Promise.all([
    listSheets(db, tournament.guid),
    listOwnTeams(db, tournament.guid, viewer),
  ])
  const captained = isOrganiserOrStaff(viewer) ? null : (teams[0] ?? null)
  const visible = sheets.filter((sheet) => maySeeSheet(viewer, sheet, captained))
  return readFacts(db, tournament, visible, teams, viewer)
}

/** One sheet that the viewer may see. */
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
  const forTeams = sheets.filter(({ audience }) => audience === 'teams').map(({ guid }) => guid)
  const forStaff = sheets.filter(({ audience }) => audience === 'staff').map(({ guid }) => guid)
  const ownTeam = canManageTeams ? null : (teams[0]?.guid ?? null)
  const [matches, staff, teamAnswers] = await Promise.all([
    listSheetMatches(
      db,
      sheets.filter(({ mode }) => mode === 'matches').map(({ guid }) => guid),
    ),
    listStaffAnswers(db, forStaff, { roles: manageableRoles(viewer), userGuid: viewer.guid }),
    listTeamAnswers(db, canManageTeams || ownTeam !== null ? forTeams : [], ownTeam),
  ])
  let room = maxShown
  const facts = sheets.map((sheet): SheetFacts => {
    const isOf = ({ sheetGuid }: { readonly sheetGuid: string }) => sheetGuid === sheet.guid
    const asked = teamAnswers.filter((answers) => isOf(answers) && isEligible(sheet, answers.status))
    const all: Shown = { staff: staff.filter(isOf), teams: asked }
    const shown = [all, ownOf(all, viewer), nothing].find((some) => countAnswers(sheet, some) <= room) ?? nothing
    room -= countAnswers(sheet, shown)
    return {
      sheet,
      matches: matches.filter(isOf),
      staff: shown.staff,
      teamAnswers: shown.teams,
      submissions: asked,
      isLimited: shown !== all,
      teams: sheet.audience === 'teams' ? teams.filter(({ status }) => isEligible(sheet, status)) : [],
    }
  })
  const answering = facts.flatMap((each) => each.staff.map(({ userGuid }) => userGuid))
  const users = await listUserFacts(db, [...sheets.map(({ createdByGuid }) => createdByGuid), ...answering])
  return { sheets: facts, shared: { users, isSolo: teamSizeMax === 1 }, canManageTeams, teams }
}

interface Shown {
  readonly staff: readonly StaffAnswers[]
  readonly teams: readonly TeamAnswersFacts[]
}

const nothing: Shown = { staff: [], teams: [] }

function ownOf({ staff, teams }: Shown, { guid }: SignedIn): Shown {
  return {
    staff: staff.filter(({ userGuid }) => userGuid === guid),
    teams: teams.filter(({ captainGuid }) => captainGuid === guid),
  }
}

function countAnswers(sheet: Sheet, { staff, teams }: Shown): number {
  const length = slotLengthOf(sheet)
  const slots = [...staff, ...teams].reduce((count, { runs }) => count + countSlots(runs, length), 0)
  return staff.reduce((count, { matches }) => count + matches.length, slots)
}
