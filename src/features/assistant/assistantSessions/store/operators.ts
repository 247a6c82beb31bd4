import { and, count, eq, gt, isNull, sql } from 'drizzle-orm'
import { anonymous } from '../../../../core/actor.ts'
import { type GlobalRole, type TournamentRole, withImpliedRoles } from '../../../../core/roles.ts'
import { type Db, type Orm, statement } from '../../../../infra/db/database.ts'
import { accessTokens, grants } from '../../../../oauth/tables.ts'
import { users } from '../../../people/users/tables.ts'
import { tournamentRoleHolders as holders } from '../../../tournaments/access/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { isOperator } from '../../assistantLinks/policy.ts'
import { assistantSessions } from '../tables.ts'

/** Whether a user is still an operator of the tournament. (AS5) */
export async function isStillOperator(db: Db, tournamentGuid: string, userGuid: string): Promise<boolean> {
  const [row] = await db.session.orm
    .select({
      globalRoles: users.globalRoles,
      organiserGuid: tournaments.organiserGuid,
      roles: sql<string[]>`array(select ${holders.role} from ${holders}
        where ${holders.tournamentGuid} = ${tournaments.guid} and ${holders.userGuid} = ${users.guid})`,
    })
    .from(users)
    .innerJoin(tournaments, eq(tournaments.guid, tournamentGuid))
    .where(and(eq(users.guid, userGuid), isNull(users.bannedAt), isNull(users.anonymisedAt)))
  return row !== undefined && mayOperate({ ...row, userGuid })
}

/** The recorded controller of a session, and whether the right by which they took control still exists. (D76) */
export interface Control {
  readonly session: string
  readonly stands: boolean
  /** Tags of the events that end the token: those of the token, its sign-in, its grant and its application. */
  readonly tags: readonly string[]
}

const controls = (orm: Orm) =>
  orm
    .select({
      session: assistantSessions.guid,
      userGuid: users.guid,
      globalRoles: users.globalRoles,
      isGone: sql<boolean>`${users.bannedAt} is not null or ${users.anonymisedAt} is not null`,
      organiserGuid: tournaments.organiserGuid,
      roles: sql<string[]>`array(select ${holders.role} from ${holders}
        where ${holders.tournamentGuid} = ${tournaments.guid} and ${holders.userGuid} = ${users.guid})`,
      isTokenOver: sql<boolean>`${assistantSessions.controllerToken} is not null and (${accessTokens.jti} is null
        or ${accessTokens.revokedAt} is not null or ${grants.revokedAt} is not null
        or ${accessTokens.issuedAt} < ${users.credentialsValidFrom})`,
      token: assistantSessions.controllerToken,
      signIn: accessTokens.sessionGuid,
      grant: accessTokens.grantGuid,
      application: grants.clientId,
    })
    .from(assistantSessions)
    .innerJoin(users, eq(users.guid, assistantSessions.controllerGuid))
    .innerJoin(tournaments, eq(tournaments.guid, assistantSessions.tournamentGuid))
    .leftJoin(accessTokens, eq(accessTokens.jti, assistantSessions.controllerToken))
    .leftJoin(grants, eq(grants.guid, accessTokens.grantGuid))

const controlsOf = statement('assistant_sessions.controls', (orm) =>
  controls(orm).where(sql`${assistantSessions.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

const controlsHeld = statement('assistant_sessions.controls_held', (orm) =>
  controls(orm)
    .where(and(isNull(assistantSessions.closedAt), gt(assistantSessions.controllerUntil, sql.placeholder('now'))))
    .orderBy(assistantSessions.guid),
)

/** The controls by the GUID of their session. */
export async function listControls(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, Control>> {
  if (guids.length === 0) return new Map()
  return new Map((await controlsOf(db, { guids })).map((row) => [row.session, controlOf(row)]))
}

/** GUIDs of the sessions whose controller lost the right, in the order in which they are locked. */
export async function listLostControls(db: Db, now: Date): Promise<readonly string[]> {
  const held = (await controlsHeld(db, { now })).map(controlOf)
  return held.flatMap(({ session, stands }) => (stands ? [] : [session]))
}

/** The number of open sessions that a user controls. */
export async function countControlled(db: Db, userGuid: string, now: Date): Promise<number> {
  const isHeld = and(
    eq(assistantSessions.controllerGuid, userGuid),
    isNull(assistantSessions.closedAt),
    gt(assistantSessions.controllerUntil, now),
  )
  const [row] = await db.session.orm.select({ sessions: count() }).from(assistantSessions).where(isHeld)
  return row?.sessions ?? 0
}

export async function isStillController(db: Db, { guid }: { readonly guid: string }): Promise<boolean> {
  return (await listControls(db, [guid])).get(guid)?.stands ?? false
}

function controlOf(row: Awaited<ReturnType<typeof controlsOf>>[number]): Control {
  const { session, isGone, isTokenOver, token, signIn, grant, application } = row
  return {
    session,
    stands: !isGone && !isTokenOver && mayOperate(row),
    tags: [token, signIn, grant, application].filter((tag) => tag !== null),
  }
}

function mayOperate(row: {
  readonly userGuid: string
  readonly globalRoles: readonly GlobalRole[]
  readonly organiserGuid: string
  readonly roles: readonly string[]
}): boolean {
  return isOperator({
    ...anonymous,
    guid: row.userGuid,
    globalRoles: withImpliedRoles(row.globalRoles),
    isOrganiser: row.organiserGuid === row.userGuid,
    roles: new Set(row.roles as TournamentRole[]),
  })
}

export async function isCancelled(db: Db, tournamentGuid: string): Promise<boolean> {
  const [row] = await db.session.orm
    .select({ status: tournaments.status })
    .from(tournaments)
    .where(eq(tournaments.guid, tournamentGuid))
  return row?.status === 'cancelled'
}
