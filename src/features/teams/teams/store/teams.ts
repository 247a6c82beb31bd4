import { and, asc, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import { parseIdentifier } from '../../../../core/ids.ts'
import { nameKeysOf } from '../../../../core/names.ts'
import type { MakingPosition } from '../../../../core/page.ts'
import { formatInstant } from '../../../../core/time.ts'
import { madeAfter } from '../../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { teamMembers, teams } from '../tables.ts'
import type { Team, TeamMember, TeamStatus } from '../types.ts'
import { byTeam } from './grouping.ts'

/** The columns of a team without its name keys, which only the database uses, and without what only the desk shows. */
const { nameKey: _key, nameLook: _look, changedAt: _changed, ...columns } = getTableColumns(teams)
export const teamColumns = columns
const tournamentGuid = sql.placeholder('tournamentGuid')

const byGuid = statement('teams.by_guid', (orm) =>
  orm
    .select(columns)
    .from(teams)
    .where(eq(teams.guid, sql.placeholder('guid'))),
)

const byId = statement('teams.by_id', (orm) =>
  orm
    .select(columns)
    .from(teams)
    .where(and(eq(teams.tournamentGuid, tournamentGuid), eq(teams.id, sql.placeholder('id')))),
)

const byMember = statement('teams.by_member', (orm) =>
  orm
    .select(columns)
    .from(teamMembers)
    .innerJoin(teams, eq(teams.guid, teamMembers.teamGuid))
    .where(and(eq(teamMembers.tournamentGuid, tournamentGuid), eq(teamMembers.userGuid, sql.placeholder('userGuid')))),
)

/** Finds a team by GUID or short id within one tournament. (D6) */
export async function findTeam(db: Db, tournamentGuid: string, identifier: string): Promise<Team | undefined> {
  const parsed = parseIdentifier(identifier)
  if (parsed === null) return undefined
  if ('id' in parsed) return (await byId(db, { tournamentGuid, id: parsed.id }))[0]
  const team = await findTeamByGuid(db, parsed.guid)
  return team?.tournamentGuid === tournamentGuid ? team : undefined
}

export async function findTeamByGuid(db: Db, guid: string): Promise<Team | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const lockedForShare = statement('teams.share', (orm) =>
  orm
    .select({ guid: teams.guid })
    .from(teams)
    .where(eq(teams.guid, sql.placeholder('guid')))
    .for('share'),
)

/**
 * Reads a team with a share lock, so that its captain and status stay until the transaction ends. Call it after locking
 * the account.
 */
export async function lockTeamForShare(tx: Tx, guid: string): Promise<Team | undefined> {
  await lockedForShare(tx, { guid })
  return findTeamByGuid(tx, guid)
}

/** Finds the team that the user is in, as captain or member; there is at most one per tournament. (D30) */
export async function findTeamOfUser(db: Db, tournamentGuid: string, userGuid: string): Promise<Team | undefined> {
  return (await byMember(db, { tournamentGuid, userGuid }))[0]
}

export interface TeamFilter {
  readonly statuses?: readonly TeamStatus[] | undefined
  /** The beginning of the name, ignoring case, or a complete short id. */
  readonly q?: string | undefined
  /** Where the previous page ended. */
  readonly after?: MakingPosition | undefined
  readonly limit: number
}

const page = statement('teams.page', (orm) =>
  orm
    .select(columns)
    .from(teams)
    .where(
      and(
        eq(teams.tournamentGuid, tournamentGuid),
        sql`(${teams.createdAt}, ${teams.guid}) > (${sql.placeholder('madeAt')}::timestamptz, ${sql.placeholder('guid')}::uuid)`,
      ),
    )
    .orderBy(asc(teams.createdAt), asc(teams.guid))
    .limit(sql.placeholder('limit')),
)

/** Before all teams. */
const beginning: MakingPosition = ['-infinity', '00000000-0000-0000-0000-000000000000']

/** Lists one page of a tournament's teams in the order of creation, with one row beyond `limit`. */
export async function listTeams(db: Db, tournamentGuid: string, filter: TeamFilter): Promise<Team[]> {
  const { statuses, q, after, limit } = filter
  if (statuses === undefined && q === undefined) {
    const [madeAt, guid] = after ?? beginning
    return page(db, { tournamentGuid, madeAt, guid, limit: limit + 1 })
  }
  return db.session.orm
    .select(columns)
    .from(teams)
    .where(
      and(
        eq(teams.tournamentGuid, tournamentGuid),
        statuses === undefined ? undefined : inArray(teams.status, [...statuses]),
        q === undefined ? undefined : matching(q),
        madeAfter(teams, after),
      ),
    )
    .orderBy(asc(teams.createdAt), asc(teams.guid))
    .limit(limit + 1)
}

function matching(q: string): SQL | undefined {
  const prefix = `${q.replace(/[\\%_]/g, '\\$&')}%`
  return or(sql`lower(${teams.name}) like lower(${prefix})`, eq(teams.id, q.toLowerCase()))
}

const membersOf = statement('teams.members', (orm) =>
  orm
    .select({
      teamGuid: teamMembers.teamGuid,
      userGuid: teamMembers.userGuid,
      isActive: teamMembers.isActive,
      joinedAt: teamMembers.joinedAt,
    })
    .from(teamMembers)
    .where(sql`${teamMembers.teamGuid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(teamMembers.joinedAt), asc(teamMembers.userGuid)),
)

/** Lists members by team, in the order in which they joined. Every given team has an entry. */
export async function listMembers(
  db: Db,
  teamGuids: readonly string[],
): Promise<ReadonlyMap<string, readonly TeamMember[]>> {
  return byTeam(teamGuids, teamGuids.length === 0 ? [] : await membersOf(db, { guids: teamGuids }))
}

export async function hasMember(db: Db, teamGuid: string, userGuid: string): Promise<boolean> {
  const rows = await db.session.orm
    .select({ userGuid: teamMembers.userGuid })
    .from(teamMembers)
    .where(isMember(teamGuid, userGuid))
  return rows.length > 0
}

const takenIds = statement('teams.taken_ids', (orm) =>
  orm
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.tournamentGuid, tournamentGuid), sql`${teams.id} = any(${sql.placeholder('ids')}::text[])`)),
)

/** Returns which of the short ids, in lower case, other teams of the tournament have. */
export async function listTakenIds(
  db: Db,
  tournamentGuid: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await takenIds(db, { tournamentGuid, ids })).map(({ id }) => id))
}

export type NewTeam = Pick<Team, 'tournamentGuid' | 'id' | 'name' | 'captainGuid' | 'pronunciation'>

const insert = statement('teams.insert', (orm) =>
  orm
    .insert(teams)
    .values({
      tournamentGuid,
      id: sql.placeholder('id'),
      name: sql.placeholder('name'),
      nameKey: sql.placeholder('nameKey'),
      nameLook: sql.placeholder('nameLook'),
      captainGuid: sql.placeholder('captainGuid'),
      pronunciation: sql.placeholder('pronunciation'),
    })
    .returning(columns),
)

/** Inserts an unregistered team with its captain as a member. */
export async function insertTeam(tx: Tx, team: NewTeam): Promise<Team> {
  const [row] = await insert(tx, { ...team, ...nameKeysOf(team.name) })
  if (row === undefined) throw new Error('an inserted team was not returned')
  await insertMember(tx, { teamGuid: row.guid, tournamentGuid: row.tournamentGuid, userGuid: row.captainGuid })
  return row
}

export type TeamChanges = Partial<Omit<Team, 'guid' | 'tournamentGuid' | 'createdAt' | 'updatedAt'>>

export async function updateTeam(tx: Tx, guid: string, changes: TeamChanges, now: Date): Promise<Team> {
  const keys = changes.name === undefined ? {} : nameKeysOf(changes.name)
  const isRegistered = sql`${teams.status} <> 'unregistered'`
  const changedAt = sql`case when ${isRegistered} then ${now}::timestamptz else ${teams.changedAt} end`
  const [row] = await tx.session.orm
    .update(teams)
    // A team that withdraws or returns is not another team than the one that was registered.
    .set({ ...changes, ...keys, ...(changes.status === undefined ? { changedAt } : {}), updatedAt: now })
    .where(eq(teams.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated team was not returned')
  return row
}

/** Deletes the team with its members, invitations and answers. */
export async function deleteTeam(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(teams).where(eq(teams.guid, guid))
}

export interface NewMember {
  readonly teamGuid: string
  readonly tournamentGuid: string
  readonly userGuid: string
  /** The default is true. */
  readonly isActive?: boolean
}

const insertOneMember = statement('teams.insert_member', (orm) =>
  orm.insert(teamMembers).values({
    teamGuid: sql.placeholder('teamGuid'),
    tournamentGuid,
    userGuid: sql.placeholder('userGuid'),
    isActive: sql.placeholder('isActive'),
  }),
)

export async function insertMember(tx: Tx, member: NewMember): Promise<void> {
  await insertOneMember(tx, { isActive: true, ...member })
}

export async function updateMember(tx: Tx, teamGuid: string, userGuid: string, isActive: boolean): Promise<void> {
  await tx.session.orm.update(teamMembers).set({ isActive }).where(isMember(teamGuid, userGuid))
}

export async function deleteMember(tx: Tx, teamGuid: string, userGuid: string): Promise<void> {
  await tx.session.orm.delete(teamMembers).where(isMember(teamGuid, userGuid))
}

function isMember(teamGuid: string, userGuid: string): SQL | undefined {
  return and(eq(teamMembers.teamGuid, teamGuid), eq(teamMembers.userGuid, userGuid))
}

const setActive = statement('teams.set_active_members', (orm) =>
  orm
    .update(teamMembers)
    .set({ isActive: sql`${teamMembers.userGuid} = any(${sql.placeholder('userGuids')}::uuid[])` })
    .where(eq(teamMembers.teamGuid, sql.placeholder('teamGuid'))),
)

/** Makes these members active and every other member of the team a substitute. */
export async function setActiveMembers(tx: Tx, teamGuid: string, userGuids: readonly string[]): Promise<void> {
  await setActive(tx, { teamGuid, userGuids })
}

const setRegistration = statement('teams.set_registration', (orm) =>
  orm
    .update(teams)
    .set({
      status: sql`${sql.placeholder('status')}`,
      seed: sql`${sql.placeholder('seed')}`,
      rosterLocked: sql`${sql.placeholder('rosterLocked')}`,
      registeredAt: sql`${sql.placeholder('registeredAt')}`,
      withdrawnAt: sql`${sql.placeholder('withdrawnAt')}`,
      withdrawnReason: sql`${sql.placeholder('withdrawnReason')}`,
      // The row still has its earlier status: a team that is registered now has not changed since.
      changedAt: sql`case when ${teams.status} = 'unregistered' then null else ${teams.changedAt} end`,
      updatedAt: sql`${sql.placeholder('updatedAt')}`,
    })
    .where(eq(teams.guid, sql.placeholder('guid'))),
)

/** Saves the registration fields of a team. The caller has read the team under the lock. */
export async function updateRegistration(tx: Tx, team: Team): Promise<void> {
  const { guid, status, seed, rosterLocked, registeredAt, withdrawnAt, withdrawnReason, updatedAt } = team
  await setRegistration(tx, { guid, status, seed, rosterLocked, registeredAt, withdrawnAt, withdrawnReason, updatedAt })
}

/** Saves status, seed and roster lock of several teams in one statement. */
export async function updateRegistrations(tx: Tx, changed: readonly Team[]): Promise<void> {
  const rows = changed.map(({ guid, status, seed, rosterLocked, updatedAt }) => ({
    guid,
    status,
    seed,
    rosterLocked,
    updatedAt: formatInstant(updatedAt),
  }))
  await tx.session.orm.execute(sql`
    update ${teams} t set status = n.status, seed = n.seed, roster_locked = n."rosterLocked", updated_at = n."updatedAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n (guid uuid, status text, seed int, "rosterLocked" boolean, "updatedAt" timestamptz)
    where t.guid = n.guid`)
}
