import { and, asc, desc, eq, getTableColumns, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../core/page.ts'
import { madeBefore } from '../../../infra/db/creation-order.ts'
import { type Db, type Orm, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, deleteRows, rowsOf } from '../../../infra/db/personal-data.ts'
import { applications } from '../../../oauth/tables.ts'
import { platforms } from '../../listing/platforms/tables.ts'
import { maps } from '../../maps/catalogue/tables.ts'
import { poolMaps, pools } from '../../maps/pools/tables.ts'
import { teamInvitations, teamMembers, teams } from '../../teams/teams/tables.ts'
import { tournamentRoleHolders } from '../../tournaments/access/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { users } from '../users/tables.ts'
import { notifications } from './tables.ts'
import type {
  DatedNotification,
  NamedTeam,
  NamedTournament,
  NewNotification,
  Notification,
  Renaming,
  StandingMap,
} from './types.ts'

const { userGuid: _holder, ...columns } = getTableColumns(notifications)

/** Inserts notifications in their order; deleted accounts and placeholders get none. */
export async function insertNotifications(
  tx: Tx,
  messages: readonly (NewNotification & Partial<DatedNotification>)[],
): Promise<void> {
  if (messages.length === 0) return
  const rows = messages.map(({ userGuid, createdAt, type, title, body, data }) => ({
    user_guid: userGuid,
    type,
    title,
    body,
    data,
    created_at: createdAt ?? null,
  }))
  await tx.session.orm.execute(sql`
    insert into ${notifications} (user_guid, type, title, body, data, created_at)
    select u.guid, m.type, m.title, m.body, m.data, coalesce(m.created_at, now())
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as m (user_guid uuid, type text, title text, body text, data jsonb, created_at timestamptz)
    join ${users} u on u.guid = m.user_guid and u.anonymised_at is null and not u.is_placeholder
    for key share of u`)
}

const names = statement('notifications.names', (orm) =>
  orm
    .select({ guid: users.guid, name: users.preferredName })
    .from(users)
    .where(sql`${users.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** The names of users by GUID. */
export async function mapNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await names(db, { guids: [...new Set(guids)] })).map(({ guid, name }) => [guid, name]))
}

/** Lists one page of a user's notifications, newest first, with one row beyond `limit`. */
export async function listNotifications(
  db: Db,
  userGuid: string,
  { after, limit }: { readonly after?: MakingPosition | undefined; readonly limit: number },
): Promise<Notification[]> {
  return db.session.orm
    .select(columns)
    .from(notifications)
    .where(and(eq(notifications.userGuid, userGuid), madeBefore(notifications, after)))
    .orderBy(desc(notifications.createdAt), desc(notifications.guid))
    .limit(limit + 1)
}

/** Marks the named or all notifications of a user as read. Returns how many were unread. */
export async function markRead(tx: Tx, userGuid: string, which: readonly string[] | 'all', now: Date): Promise<number> {
  const result = await tx.session.orm
    .update(notifications)
    .set({ readAt: now })
    .where(
      and(
        eq(notifications.userGuid, userGuid),
        which === 'all' ? undefined : inArray(notifications.guid, [...which]),
        isNull(notifications.readAt),
      ),
    )
  return result.rowCount ?? 0
}

/**
 * Replaces the names of teams in notifications to their members and to users they have invited. Returns the GUIDs of
 * these users.
 */
export async function renameTeams(tx: Tx, renamings: readonly Renaming[]): Promise<string[]> {
  if (renamings.length === 0) return []
  const { rows } = await tx.session.orm.execute<{ guid: string }>(sql`
    with told as (
      update ${notifications} n set title = replace(n.title, r."from", r."to")
      from jsonb_to_recordset(${JSON.stringify(renamings)}::jsonb) as r ("teamGuid" uuid, "from" text, "to" text)
      where n.data ->> 'teamGuid' = r."teamGuid"::text and position(r."from" in n.title) > 0 and n.user_guid in (
        select m.user_guid from ${teamMembers} m where m.team_guid = r."teamGuid"
        union select i.user_guid from ${teamInvitations} i where i.team_guid = r."teamGuid")
      returning n.user_guid
    )
    select distinct user_guid as guid from told`)
  return rows.map(({ guid }) => guid)
}

const teamsByGuid = statement('notifications.teams', (orm) =>
  orm
    .select({
      guid: teams.guid,
      name: teams.name,
      tournament: { guid: tournaments.guid, name: tournaments.name },
      memberGuids: sql<string[]>`array(
        select ${teamMembers.userGuid} from ${teamMembers} where ${teamMembers.teamGuid} = ${teams.guid})`,
    })
    .from(teams)
    .innerJoin(tournaments, eq(tournaments.guid, teams.tournamentGuid))
    .where(sql`${teams.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Returns the teams that still exist, by GUID. */
export async function mapNamedTeams(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, NamedTeam>> {
  if (guids.length === 0) return new Map()
  return new Map((await teamsByGuid(db, { guids: [...new Set(guids)] })).map((team) => [team.guid, team]))
}

const tournamentByGuid = statement('notifications.tournament', (orm) =>
  orm
    .select({ guid: tournaments.guid, name: tournaments.name, organiserGuid: tournaments.organiserGuid })
    .from(tournaments)
    .where(eq(tournaments.guid, sql.placeholder('guid'))),
)

/** Returns undefined if the tournament was deleted. */
export async function findNamedTournament(db: Db, guid: string): Promise<NamedTournament | undefined> {
  return (await tournamentByGuid(db, { guid }))[0]
}

const captainsOf = statement('notifications.captains', (orm) =>
  orm
    .select({ guid: teams.captainGuid })
    .from(teams)
    .where(and(eq(teams.tournamentGuid, sql.placeholder('tournamentGuid')), ne(teams.status, 'unregistered')))
    .orderBy(asc(teams.createdAt), asc(teams.guid)),
)

/** Lists the captains of a tournament's registered and qualified teams; their number is limited. */
export async function listCaptainGuids(db: Db, tournamentGuid: string): Promise<string[]> {
  return (await captainsOf(db, { tournamentGuid })).map(({ guid }) => guid)
}

const platformByGuid = statement('notifications.platform', (orm) =>
  orm
    .select({ name: platforms.name })
    .from(platforms)
    .where(eq(platforms.guid, sql.placeholder('guid'))),
)

/** Returns undefined if the platform was deleted. */
export async function findPlatformName(db: Db, guid: string): Promise<string | undefined> {
  return (await platformByGuid(db, { guid }))[0]?.name
}

const applicationById = statement('notifications.application', (orm) =>
  orm
    .select({ name: applications.name })
    .from(applications)
    .where(eq(applications.clientId, sql.placeholder('clientId'))),
)

/** Returns undefined if the application was deleted. */
export async function findApplicationName(db: Db, clientId: string): Promise<string | undefined> {
  return (await applicationById(db, { clientId }))[0]?.name
}

const standingWhere = (which: SQL) => (orm: Orm) =>
  orm
    .select({
      poolMapGuid: poolMaps.guid,
      isLed: sql<boolean>`${maps.key} is null and ${poolMaps.told}->>'currentHash' is not null`,
      map: { hash: maps.hash, name: sql<string | null>`coalesce(${maps.name}, ${poolMaps.told}->>'name')` },
      pool: { guid: pools.guid, name: pools.name },
      tournament: { guid: tournaments.guid, name: tournaments.name },
      poolerGuids: sql<string[]>`array(
        select ${tournaments.organiserGuid} union
        select h.user_guid from ${tournamentRoleHolders} h
        where h.tournament_guid = ${tournaments.guid} and h.role in ('role:admin', 'role:hpooler', 'role:pooler'))`,
    })
    .from(poolMaps)
    .innerJoin(maps, eq(maps.guid, poolMaps.mapGuid))
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .innerJoin(tournaments, eq(tournaments.guid, pools.tournamentGuid))
    .where(
      and(
        which,
        inArray(pools.status, ['draft', 'published']),
        inArray(tournaments.status, ['draft', 'approved', 'ongoing']),
      ),
    )
    .orderBy(asc(poolMaps.createdAt), asc(poolMaps.guid))
    .limit(maxStanding)

/** The maximum number of pools of one map for which notifications are sent. */
const maxStanding = 500

const standing = statement(
  'notifications.standing_maps',
  standingWhere(eq(poolMaps.mapGuid, sql.placeholder('mapGuid'))),
)

const standingOne = statement('notifications.standing_map', standingWhere(eq(poolMaps.guid, sql.placeholder('guid'))))

/** Lists the pools that contain the map and may still be played. */
export async function listStanding(db: Db, mapGuid: string): Promise<readonly StandingMap[]> {
  return standing(db, { mapGuid })
}

/** Finds a map in a pool that may still be played. */
export async function findStanding(db: Db, poolMapGuid: string): Promise<StandingMap | undefined> {
  return (await standingOne(db, { guid: poolMapGuid }))[0]
}

/** The service's messages to a user. */
export const notificationsPersonalData = declarePersonalData({
  sections: {
    notifications: rowsOf(notifications, 'userGuid', {
      shows: ['guid', 'type', 'title', 'body', 'data', 'readAt', 'createdAt'],
    }),
  },
  forget: [deleteRows(notifications, 'userGuid')],
})
