import type { SignedIn } from '../../../../core/actor.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { listRoleHolders } from '../../../tournaments/access/store/roles.ts'
import { isEligible, readableRoles } from '../policy.ts'
import {
  chooseTargets,
  type Person,
  type Suggestion,
  startOf,
  statusesOf,
  suggestionsOf,
  type Target,
  targetsOf,
} from '../rules/overlap.ts'
import { listRegisteredTeams, listStaffAnswers, listTeamAnswers } from '../store/answers.ts'
import { listSheetMatches } from '../store/matches.ts'
import type { Sheet } from '../types.ts'
import type { ChosenSlots } from '../views/calendar.ts'

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
