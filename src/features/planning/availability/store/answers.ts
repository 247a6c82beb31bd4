import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { TournamentRole } from '../../../../core/roles.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { teams } from '../../../teams/teams/tables.ts'
import type { Team, TeamStatus } from '../../../teams/teams/types.ts'
import { tournamentRoleHolders as holders } from '../../../tournaments/access/tables.ts'
import {
  availabilityResponses as answers,
  availabilitySheets as sheets,
  availabilityTeamResponses as teamAnswers,
} from '../tables.ts'
import type { StaffAnswers, TeamAnswers, TeamSubmission } from '../types.ts'

/**
 * The answers: one row for each user and role, or for each team, with runs of equal answers in order of time. Users who
 * lost the role and teams that the sheet no longer asks keep their rows; the rows count again once they are asked
 * again.
 */

const ofSheets = sql`any(${sql.placeholder('guids')}::uuid[])`

const answerColumns = {
  guid: answers.guid,
  sheetGuid: answers.sheetGuid,
  userGuid: answers.userGuid,
  role: answers.role,
  runs: answers.runs,
  matches: answers.matches,
  submittedAt: answers.submittedAt,
}

const submissionColumns = {
  sheetGuid: teamAnswers.sheetGuid,
  teamGuid: teamAnswers.teamGuid,
  updatedByGuid: teamAnswers.updatedByGuid,
  submittedAt: teamAnswers.submittedAt,
}

/** The condition that the user still holds the role of the answer. */
const isHolders = and(
  eq(holders.tournamentGuid, sheets.tournamentGuid),
  eq(holders.userGuid, answers.userGuid),
  eq(holders.role, answers.role),
)
const isOwn = sql`${answers.userGuid} = ${sql.placeholder('userGuid')}::uuid`
const isAsked = and(
  sql`${answers.sheetGuid} = ${ofSheets}`,
  sql`(${answers.role} = any(${sql.placeholder('roles')}::text[]) or ${isOwn})`,
)

const staffCounts = statement('availability.staff_answer_counts', (orm) =>
  orm
    .select({
      sheetGuid: answers.sheetGuid,
      all: sql<number>`sum(${answers.count})::int`,
      own: sql<number>`coalesce(sum(${answers.count}) filter (where ${isOwn}), 0)::int`,
    })
    .from(answers)
    .innerJoin(sheets, eq(sheets.guid, answers.sheetGuid))
    .innerJoin(holders, isHolders)
    .where(isAsked)
    .groupBy(answers.sheetGuid),
)

/** Counts, by sheet GUID, the answers that `listStaffAnswers` would return, and how many of them are the user's own. */
export async function countStaffAnswers(
  db: Db,
  sheetGuids: readonly string[],
  of: { readonly roles: readonly TournamentRole[]; readonly userGuid: string },
): Promise<ReadonlyMap<string, { readonly all: number; readonly own: number }>> {
  if (sheetGuids.length === 0) return new Map()
  const rows = await staffCounts(db, { guids: sheetGuids, ...of })
  return new Map(rows.map(({ sheetGuid, ...counts }) => [sheetGuid, counts]))
}

const staffOf = statement('availability.staff_answers', (orm) =>
  orm
    .select(answerColumns)
    .from(answers)
    .innerJoin(sheets, eq(sheets.guid, answers.sheetGuid))
    .innerJoin(holders, isHolders)
    .where(isAsked)
    .orderBy(asc(answers.userGuid), asc(answers.role)),
)

/**
 * Lists the answers in these roles, and all answers of one user. Only answers of users who still hold the role count.
 */
export async function listStaffAnswers(
  db: Db,
  sheetGuids: readonly string[],
  of: { readonly roles: readonly TournamentRole[]; readonly userGuid?: string },
): Promise<StaffAnswers[]> {
  if (sheetGuids.length === 0) return []
  return staffOf(db, { guids: sheetGuids, roles: of.roles, userGuid: of.userGuid ?? null })
}

/** The facts that decide whether the sheet still asks a team. */
interface TeamFacts {
  readonly status: TeamStatus
  readonly captainGuid: string
}
export type TeamAnswersFacts = TeamAnswers & TeamFacts
export type TeamSubmissionFacts = TeamSubmission & TeamFacts & { readonly quarters: number }

const teamFacts = { status: teams.status, captainGuid: teams.captainGuid }
const isOfTeam = and(
  sql`${teamAnswers.sheetGuid} = ${ofSheets}`,
  sql`(${sql.placeholder('teamGuid')}::uuid is null or ${teamAnswers.teamGuid} = ${sql.placeholder('teamGuid')}::uuid)`,
)

const submissionsOf = statement('availability.team_submissions', (orm) =>
  orm
    .select({ ...submissionColumns, ...teamFacts, quarters: teamAnswers.quarters })
    .from(teamAnswers)
    .innerJoin(teams, eq(teams.guid, teamAnswers.teamGuid))
    .where(isOfTeam)
    .orderBy(asc(teams.createdAt), asc(teams.guid)),
)

/** Lists what `listTeamAnswers` would return, with the length of the answers instead of the answers. */
export async function listTeamSubmissions(
  db: Db,
  sheetGuids: readonly string[],
  teamGuid: string | null,
): Promise<readonly TeamSubmissionFacts[]> {
  if (sheetGuids.length === 0) return []
  return submissionsOf(db, { guids: sheetGuids, teamGuid })
}

const teamsOf = statement('availability.team_answers', (orm) =>
  orm
    .select({ ...submissionColumns, ...teamFacts, runs: teamAnswers.runs })
    .from(teamAnswers)
    .innerJoin(teams, eq(teams.guid, teamAnswers.teamGuid))
    .where(isOfTeam)
    .orderBy(asc(teams.createdAt), asc(teams.guid)),
)

/** Lists the answers of all teams, or of one, including teams that the sheet no longer asks. */
export async function listTeamAnswers(
  db: Db,
  sheetGuids: readonly string[],
  teamGuid: string | null = null,
): Promise<TeamAnswersFacts[]> {
  if (sheetGuids.length === 0) return []
  return teamsOf(db, { guids: sheetGuids, teamGuid })
}

export type AskedTeam = Pick<Team, 'guid' | 'id' | 'name' | 'captainGuid' | 'status'>

const registeredTeams = statement('availability.teams', (orm) =>
  orm
    .select({
      guid: teams.guid,
      id: teams.id,
      name: teams.name,
      captainGuid: teams.captainGuid,
      status: teams.status,
    })
    .from(teams)
    .where(
      and(
        eq(teams.tournamentGuid, sql.placeholder('tournamentGuid')),
        inArray(teams.status, ['registered', 'qualified']),
      ),
    )
    .orderBy(asc(teams.createdAt), asc(teams.guid)),
)

/** Lists the registered and qualified teams of a tournament, in the order of their creation. */
export async function listRegisteredTeams(db: Db, tournamentGuid: string): Promise<AskedTeam[]> {
  return registeredTeams(db, { tournamentGuid })
}

const replaceStaff = statement('availability.replace_staff_answers', (orm) =>
  orm
    .insert(answers)
    .values({
      sheetGuid: sql.placeholder('sheetGuid'),
      userGuid: sql.placeholder('userGuid'),
      role: sql.placeholder('role'),
      runs: sql`${sql.placeholder('runs')}::jsonb`,
      matches: sql`${sql.placeholder('matches')}::jsonb`,
      submittedAt: sql`${sql.placeholder('submittedAt')}::timestamptz`,
    })
    .onConflictDoUpdate({
      target: [answers.sheetGuid, answers.userGuid, answers.role],
      set: {
        runs: sql`excluded.runs`,
        matches: sql`excluded.matches`,
        submittedAt: sql`excluded.submitted_at`,
      },
    })
    .returning(answerColumns),
)

/** Replaces all answers of the user in this role. */
export async function replaceStaffAnswers(
  tx: Tx,
  { sheetGuid, userGuid, role, runs, matches, submittedAt }: Omit<StaffAnswers, 'guid'>,
): Promise<StaffAnswers> {
  const [row] = await replaceStaff(tx, {
    sheetGuid,
    userGuid,
    role,
    runs: JSON.stringify(runs),
    matches: JSON.stringify(matches),
    submittedAt: submittedAt.toISOString(),
  })
  if (row === undefined) throw new Error('answers that were stored were not returned')
  return row
}

/** Deletes all answers of the user in this role. */
export async function deleteStaffAnswers(
  tx: Tx,
  { sheetGuid, userGuid, role }: Pick<StaffAnswers, 'sheetGuid' | 'userGuid' | 'role'>,
): Promise<void> {
  await tx.session.orm
    .delete(answers)
    .where(and(eq(answers.sheetGuid, sheetGuid), eq(answers.userGuid, userGuid), eq(answers.role, role)))
}

const replaceTeam = statement('availability.replace_team_answers', (orm) =>
  orm
    .insert(teamAnswers)
    .values({
      sheetGuid: sql.placeholder('sheetGuid'),
      teamGuid: sql.placeholder('teamGuid'),
      runs: sql`${sql.placeholder('runs')}::jsonb`,
      updatedByGuid: sql.placeholder('updatedByGuid'),
      submittedAt: sql`${sql.placeholder('submittedAt')}::timestamptz`,
    })
    .onConflictDoUpdate({
      target: [teamAnswers.sheetGuid, teamAnswers.teamGuid],
      set: {
        runs: sql`excluded.runs`,
        updatedByGuid: sql`excluded.updated_by_guid`,
        submittedAt: sql`excluded.submitted_at`,
      },
    }),
)

/** Replaces all answers of the team; the list may be empty. */
export async function replaceTeamAnswers(
  tx: Tx,
  { sheetGuid, teamGuid, runs, updatedByGuid, submittedAt }: TeamAnswers,
): Promise<void> {
  await replaceTeam(tx, {
    sheetGuid,
    teamGuid,
    updatedByGuid,
    runs: JSON.stringify(runs),
    submittedAt: submittedAt.toISOString(),
  })
}

/** Lists all answers to a sheet, including those of users and teams it no longer asks. Call it under `lockSheet`. */
export async function listAllAnswers(
  tx: Tx,
  sheetGuid: string,
): Promise<{ staff: StaffAnswers[]; teams: TeamAnswersFacts[] }> {
  const staff = tx.session.orm.select(answerColumns).from(answers).where(eq(answers.sheetGuid, sheetGuid))
  return { staff: await staff, teams: await listTeamAnswers(tx, [sheetGuid]) }
}

/** Saves the remaining answers and deletes rows without any. Call it under `lockSheet`. */
export async function shrinkAnswers(
  tx: Tx,
  sheetGuid: string,
  kept: {
    readonly staff: readonly StaffAnswers[]
    readonly teams: readonly TeamAnswers[]
    readonly goneStaff: readonly string[]
    readonly goneTeams: readonly string[]
  },
): Promise<void> {
  const { orm } = tx.session
  const change = async (isNeeded: boolean, text: SQL) => {
    if (isNeeded) await orm.execute(text)
  }
  await change(
    kept.goneStaff.length > 0,
    sql`delete from ${answers} where ${answers.guid} = any(${sql.param(kept.goneStaff)}::uuid[])`,
  )
  await change(
    kept.goneTeams.length > 0,
    sql`delete from ${teamAnswers} where ${teamAnswers.sheetGuid} = ${sheetGuid}
      and ${teamAnswers.teamGuid} = any(${sql.param(kept.goneTeams)}::uuid[])`,
  )
  await change(
    kept.staff.length > 0,
    sql`update ${answers} a set runs = k.runs, matches = k.matches
      from jsonb_to_recordset(${JSON.stringify(kept.staff)}::jsonb) as k (guid uuid, runs jsonb, matches jsonb)
      where a.guid = k.guid`,
  )
  await change(
    kept.teams.length > 0,
    sql`update ${teamAnswers} a set runs = k.runs
      from jsonb_to_recordset(${JSON.stringify(kept.teams)}::jsonb) as k ("teamGuid" uuid, runs jsonb)
      where a.sheet_guid = ${sheetGuid} and a.team_guid = k."teamGuid"`,
  )
}
