import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { anonymous } from '../../../core/actor.ts'
import { withImpliedRoles } from '../../../core/roles.ts'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { clear, declarePersonalData, deleteRows, rowsOf } from '../../../infra/db/personal-data.ts'
import { users } from '../../people/users/tables.ts'
import type { User } from '../../people/users/types.ts'
import { isOrganiser } from '../../tournaments/access/policy.ts'
import { tournamentRoleHolders as holders } from '../../tournaments/access/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { assistantSessions } from '../assistantSessions/tables.ts'
import {
  assistantLinks,
  assistantPools,
  assistantTokenDays as days,
  assistantDeliveries as deliveries,
} from './tables.ts'
import type { AssistantLink, LinkError } from './types.ts'

/** How long a delivery is remembered, so that a repeated one counts once. (AS26; assistant: Details, 7) */
const rememberedFor = sql`interval '10 minutes'`

/** Remembers a delivery. Returns whether it was new. */
export async function noteDelivery(tx: Tx, tournamentGuid: string, id: string): Promise<boolean> {
  const rows = await tx.session.orm
    .insert(deliveries)
    .values({ tournamentGuid, id, at: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: [deliveries.tournamentGuid, deliveries.id],
      set: { at: sql`excluded.at` },
      setWhere: sql`${deliveries.at} < clock_timestamp() - ${rememberedFor}`,
    })
    .returning({ id: deliveries.id })
  return rows.length > 0
}

/** Returns the ids that are remembered. */
export async function listDelivered(
  db: Db,
  tournamentGuid: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.session.orm
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.tournamentGuid, tournamentGuid), inArray(deliveries.id, [...ids])))
  return new Set(rows.map(({ id }) => id))
}

/** Returns the number of deleted rows. */
export async function deleteOldDeliveries(tx: Tx, limit: number): Promise<number> {
  const { rowCount } = await tx.session.orm.execute(sql`
    delete from ${deliveries} where ctid in (
      select ctid from ${deliveries} where ${deliveries.at} < clock_timestamp() - ${rememberedFor}
      order by ${deliveries.at} limit ${limit} for update skip locked)`)
  return rowCount ?? 0
}

const ofTournament = statement('assistant_links.of_tournament', (orm) =>
  orm
    .select()
    .from(assistantLinks)
    .where(eq(assistantLinks.tournamentGuid, sql.placeholder('tournamentGuid'))),
)

export async function findLink(db: Db, tournamentGuid: string): Promise<AssistantLink | undefined> {
  return (await ofTournament(db, { tournamentGuid }))[0]
}

const bannedOf = statement('assistant_links.banned_mods', (orm) =>
  orm
    .select({ bannedMods: assistantLinks.bannedMods })
    .from(assistantLinks)
    .where(eq(assistantLinks.tournamentGuid, sql.placeholder('tournamentGuid'))),
)

/** The banned mods of a tournament. They come from the link, even if it is disabled; empty if there is no link. */
export async function listBannedMods(db: Db, tournamentGuid: string): Promise<readonly string[]> {
  return (await bannedOf(db, { tournamentGuid }))[0]?.bannedMods ?? []
}

/** Locks the link until the transaction ends, for an update or a deletion. */
export async function lockLink(tx: Tx, tournamentGuid: string): Promise<AssistantLink | undefined> {
  const [row] = await tx.session.orm
    .select()
    .from(assistantLinks)
    .where(eq(assistantLinks.tournamentGuid, tournamentGuid))
    .for('update')
  return row
}

/**
 * Locks the link in share mode until the transaction ends: it cannot be changed or deleted, for example while a session
 * is opened.
 */
export async function lockLinkForShare(tx: Tx, tournamentGuid: string): Promise<AssistantLink | undefined> {
  const [row] = await tx.session.orm
    .select()
    .from(assistantLinks)
    .where(eq(assistantLinks.tournamentGuid, tournamentGuid))
    .for('share')
  return row
}

export type StoredLink = Omit<AssistantLink, 'updatedAt'>

/** Inserts a tournament's link, or replaces the present one. */
export async function writeLink(tx: Tx, link: StoredLink, now: Date): Promise<AssistantLink> {
  const { qualifierEvents, bannedMods, permissions, ...rest } = link
  const lists = {
    qualifierEvents: [...qualifierEvents],
    bannedMods: [...bannedMods],
    permissions: [...permissions],
  }
  const values = { ...rest, ...lists, updatedAt: now }
  const [row] = await tx.session.orm
    .insert(assistantLinks)
    .values(values)
    .onConflictDoUpdate({ target: assistantLinks.tournamentGuid, set: values })
    .returning()
  if (row === undefined) throw new Error('a written link was not returned')
  return row
}

export async function deleteLink(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm.delete(assistantLinks).where(eq(assistantLinks.tournamentGuid, tournamentGuid))
}

export interface LinkStatus {
  readonly state: AssistantLink['state']
  readonly lastConnectedAt: Date | null
  readonly serverVersion: number | null
  readonly permissions: readonly string[]
  readonly lastError: LinkError | null
}

export async function setStatus(tx: Tx, tournamentGuid: string, status: LinkStatus): Promise<void> {
  await tx.session.orm
    .update(assistantLinks)
    .set({ ...status, permissions: [...status.permissions] })
    .where(eq(assistantLinks.tournamentGuid, tournamentGuid))
}

/** The number of a tournament's open sessions. */
export async function countOpenSessions(db: Db, tournamentGuid: string): Promise<number> {
  return db.session.orm.$count(
    assistantSessions,
    and(eq(assistantSessions.tournamentGuid, tournamentGuid), isNull(assistantSessions.closedAt)),
  )
}

export type Manager = Pick<User, 'guid' | 'chatPlatformId' | 'username' | 'avatarUrl'>

/**
 * The user in whose name a link's token is made. undefined if that user no longer manages the tournament, is banned or
 * is deleted. (AS2)
 */
export async function findManager(db: Db, tournamentGuid: string, userGuid: string): Promise<Manager | undefined> {
  const [row] = await db.session.orm
    .select({
      subject: {
        guid: users.guid,
        chatPlatformId: users.chatPlatformId,
        username: users.username,
        avatarUrl: users.avatarUrl,
      },
      globalRoles: users.globalRoles,
      organiserGuid: tournaments.organiserGuid,
      isAdmin: sql<boolean>`exists (select from ${holders} where ${holders.tournamentGuid} = ${tournaments.guid}
        and ${holders.userGuid} = ${users.guid} and ${holders.role} = 'role:admin')`,
    })
    .from(users)
    .innerJoin(tournaments, eq(tournaments.guid, tournamentGuid))
    .where(and(eq(users.guid, userGuid), isNull(users.bannedAt), isNull(users.anonymisedAt)))
  if (row === undefined) return undefined
  const actor = {
    ...anonymous,
    guid: userGuid,
    globalRoles: withImpliedRoles(row.globalRoles),
    isOrganiser: row.organiserGuid === userGuid,
    roles: new Set(row.isAdmin ? (['role:admin'] as const) : []),
  }
  return isOrganiser(actor) ? row.subject : undefined
}

/** The assistant links that act in a user's name, without secrets, and the number of their tokens. */
export const assistantLinksPersonalData = declarePersonalData({
  sections: {
    assistantLinks: rowsOf(assistantLinks, 'actsAs', {
      shows: ['tournamentGuid', 'host', 'updatedAt'],
      order: ['updatedAt', 'tournamentGuid'],
    }),
    assistantTokens: rowsOf(days, 'userGuid', { shows: ['day', 'issued'], order: ['day'] }),
  },
  // The links that acted in the user's name fail until another manager takes them over. (AS2)
  forget: [clear(assistantLinks, 'actsAs'), deleteRows(days, 'userGuid')],
})

/** GUID of the assistant's pool that this pool was pushed to; null if it was never pushed. (AS25) */
export async function findAssistantPool(db: Db, tournamentGuid: string, poolGuid: string): Promise<string | null> {
  const [row] = await db.session.orm
    .select({ assistantPool: assistantPools.assistantPool })
    .from(assistantPools)
    .where(and(eq(assistantPools.tournamentGuid, tournamentGuid), eq(assistantPools.poolGuid, poolGuid)))
  return row?.assistantPool ?? null
}

export async function writeAssistantPool(
  tx: Tx,
  row: { readonly tournamentGuid: string; readonly poolGuid: string; readonly assistantPool: string },
): Promise<void> {
  await tx.session.orm
    .insert(assistantPools)
    .values(row)
    .onConflictDoUpdate({
      target: [assistantPools.tournamentGuid, assistantPools.poolGuid],
      set: { assistantPool: row.assistantPool },
    })
}

/** Counts a token that a user gets on a day. Returns false, and counts nothing, if the user has reached the limit. */
export async function countToken(tx: Tx, userGuid: string, day: string, most: number): Promise<boolean> {
  const { orm } = tx.session
  await orm.delete(days).where(and(eq(days.userGuid, userGuid), lt(days.day, day)))
  const rows = await orm
    .insert(days)
    .values({ userGuid, day, issued: 1 })
    .onConflictDoUpdate({
      target: [days.userGuid, days.day],
      set: { issued: sql`${days.issued} + 1` },
      setWhere: lt(days.issued, most),
    })
    .returning({ issued: days.issued })
  return rows.length > 0
}

interface Sealed {
  readonly token: string | null
  readonly password: string | null
  readonly hookSecret: string | null
}

/** The secrets of all links as they are encrypted. */
export async function listSealed(db: Db): Promise<(Sealed & Pick<AssistantLink, 'tournamentGuid'>)[]> {
  const { tournamentGuid, sealedToken: token, sealedPassword: password, sealedHookSecret: hookSecret } = assistantLinks
  return db.session.orm.select({ tournamentGuid, token, password, hookSecret }).from(assistantLinks)
}

export async function setSealed(tx: Tx, tournamentGuid: string, sealed: Sealed): Promise<void> {
  const { token: sealedToken, password: sealedPassword, hookSecret: sealedHookSecret } = sealed
  await tx.session.orm
    .update(assistantLinks)
    .set({ sealedToken, sealedPassword, sealedHookSecret })
    .where(eq(assistantLinks.tournamentGuid, tournamentGuid))
}
