import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { parseIdentifier } from '../../../core/ids.ts'
import type { PlatformRole } from '../../../core/roles.ts'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { rowsOf } from '../../../infra/db/personal-data.ts'
import type { MediaColumn } from '../../../infra/media/store.ts'
import { listings } from '../../tournaments/tournaments/tables.ts'
import { visibilityRequests as requests } from '../visibility/tables.ts'
import type { PlatformRecord } from './rules.ts'
import { platformMembers as members, platformMembers, platforms, platformSettings as settings } from './tables.ts'
import type { Platform, PlatformMember, PlatformSettings } from './types.ts'

export const imageColumn: MediaColumn = { table: platforms, key: platforms.guid, column: platforms.imageUrl }
export const descriptionColumn: MediaColumn = {
  table: platforms,
  key: platforms.guid,
  column: platforms.description,
  isText: true,
}

export async function listNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: platforms.guid, name: platforms.name })
    .from(platforms)
    .where(sql`${platforms.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}

export async function findRole(db: Db, platformGuid: string, userGuid: string): Promise<PlatformRole | null> {
  const [row] = await db.session.orm
    .select({ role: platformMembers.role })
    .from(platformMembers)
    .where(and(eq(platformMembers.platformGuid, platformGuid), eq(platformMembers.userGuid, userGuid)))
  return row?.role ?? null
}

/** A user's memberships of platforms. */
export const platformsSections = {
  platformMemberships: rowsOf(members, 'userGuid', {
    shows: ['platformGuid', 'role', 'addedAt'],
    order: ['addedAt', asc(members.platformGuid)],
  }),
}

const columns = getTableColumns(platforms)
const contextId = eq(platforms.contextId, sql.placeholder('contextId'))

/** Inserts the system platform if there is none, and locks it. Of several concurrent starts one inserts it. */
export async function insertSystemPlatform(tx: Tx, record: Pick<Platform, 'contextId' | 'name'>): Promise<Platform> {
  const { orm } = tx.session
  await orm
    .insert(platforms)
    .values({ ...record, isSystem: true })
    .onConflictDoNothing()
  const [row] = await orm.select().from(platforms).where(eq(platforms.isSystem, true)).for('no key update')
  if (row === undefined) throw new Error('there is no system platform')
  return row
}

const system = statement('platforms.system', (orm) =>
  orm.select(columns).from(platforms).where(eq(platforms.isSystem, true)),
)

/** The platform that decides on the main listing. It always exists, since each start ensures that. */
export async function loadSystemPlatform(db: Db): Promise<Platform> {
  const [row] = await system(db)
  if (row === undefined) throw new Error('there is no system platform')
  return row
}

const byContextId = statement('platforms.by_context_id', (orm) =>
  orm
    .select({ platform: columns, role: members.role })
    .from(platforms)
    .leftJoin(members, and(eq(members.platformGuid, platforms.guid), eq(members.userGuid, sql.placeholder('viewer'))))
    .where(contextId),
)

/** Finds a platform by context id in any case, with the viewer's role as a member. */
export async function findPlatformFor(
  db: Db,
  id: string,
  viewer: string | null,
): Promise<{ readonly platform: Platform; readonly role: PlatformRole | null } | undefined> {
  const parsed = parseIdentifier(id)
  if (parsed === null || 'guid' in parsed) return undefined
  return (await byContextId(db, { contextId: parsed.id, viewer }))[0]
}

const ordered = [sql`${platforms.isSystem} desc`, sql`lower(${platforms.name})`, asc(platforms.contextId)]

const all = statement('platforms.list', (orm) =>
  orm
    .select(columns)
    .from(platforms)
    .orderBy(...ordered),
)

/** All platforms: the system platform first, then the others by name; at most `maxPlatforms`. */
export async function listPlatforms(db: Db): Promise<Platform[]> {
  return all(db)
}

const nothingSet: PlatformSettings = {
  chatWebhookUrl: null,
  customWebhookUrl: null,
  customWebhookSecret: null,
  webhookEvents: [],
}

const { platformGuid: _, ...settingsColumns } = getTableColumns(settings)

const settingsOf = statement('platforms.settings', (orm) =>
  orm
    .select(settingsColumns)
    .from(settings)
    .where(eq(settings.platformGuid, sql.placeholder('platformGuid'))),
)

/** The settings, including the secret. */
export async function readSettings(db: Db, platformGuid: string): Promise<PlatformSettings> {
  return (await settingsOf(db, { platformGuid }))[0] ?? nothingSet
}

const memberColumns = { userGuid: members.userGuid, role: members.role, addedAt: members.addedAt }

const membersOf = statement('platforms.members', (orm) =>
  orm
    .select(memberColumns)
    .from(members)
    .where(eq(members.platformGuid, sql.placeholder('platformGuid')))
    .orderBy(asc(members.addedAt), asc(members.userGuid)),
)

/** Members in the order in which they were added; at most `maxMembers`. */
export async function listMembers(db: Db, platformGuid: string): Promise<PlatformMember[]> {
  return membersOf(db, { platformGuid })
}

const countsOf = statement('platforms.listed', (orm) =>
  orm
    .select({ platformGuid: listings.platformGuid, tournaments: sql<number>`count(*)::int` })
    .from(listings)
    .where(sql`${listings.platformGuid} = any(${sql.placeholder('guids')}::uuid[])`)
    .groupBy(listings.platformGuid),
)

/** The number of tournaments on the public list of each platform; platforms with none are left out. */
export async function countListed(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (guids.length === 0) return new Map()
  return new Map((await countsOf(db, { guids })).map((row) => [row.platformGuid, row.tournaments]))
}

const waitingOf = statement('platforms.waiting', (orm) =>
  orm
    .select({ platformGuid: requests.platformGuid, waiting: sql<number>`count(*)::int` })
    .from(requests)
    .where(sql`${requests.platformGuid} = any(${sql.placeholder('guids')}::uuid[]) and ${requests.status} = 'pending'`)
    .groupBy(requests.platformGuid),
)

/** The number of requests that wait for a decision on each platform; platforms with none are left out. */
export async function countWaiting(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (guids.length === 0) return new Map()
  return new Map((await waitingOf(db, { guids })).map((row) => [row.platformGuid, row.waiting]))
}

const withRole = statement('platforms.with_role', (orm) =>
  orm
    .select({ platform: columns, role: members.role })
    .from(platforms)
    .leftJoin(members, and(eq(members.platformGuid, platforms.guid), eq(members.userGuid, sql.placeholder('viewer'))))
    .where(sql`${platforms.isSystem} or ${members.role} is not null or ${sql.placeholder('everything')}::boolean`)
    .orderBy(...ordered),
)

/** The system platform and the viewer's platforms, or all platforms, with the viewer's role as a member. */
export async function listPlatformsFor(
  db: Db,
  viewer: string,
  everything: boolean,
): Promise<{ readonly platform: Platform; readonly role: PlatformRole | null }[]> {
  return withRole(db, { viewer, everything })
}

/**
 * Locks the list of platforms against changes until the transaction ends. Call before writing to all platforms, and
 * before tournaments are locked.
 */
export async function lockPlatformListForShare(tx: Tx): Promise<void> {
  await tx.session.orm.select({ guid: platforms.guid }).from(platforms).where(eq(platforms.isSystem, true)).for('share')
}

/**
 * Locks the list of platforms for adding or deleting a platform. Waits for transactions that hold the list and for
 * other changes. Call before tournaments are locked.
 */
export async function lockPlatformList(tx: Tx): Promise<void> {
  await tx.session.orm
    .select({ guid: platforms.guid })
    .from(platforms)
    .where(eq(platforms.isSystem, true))
    .for('no key update')
}

/** Locks the platform for a change of its record, settings or members; undefined if it was deleted. */
export async function lockPlatform(tx: Tx, guid: string): Promise<Platform | undefined> {
  const [row] = await tx.session.orm.select().from(platforms).where(eq(platforms.guid, guid)).for('no key update')
  return row
}

export async function countPlatforms(db: Db): Promise<number> {
  return db.session.orm.$count(platforms)
}

/** Inserts a platform. A constraint rejects a context id that is taken. */
export async function insertPlatform(
  tx: Tx,
  platform: PlatformRecord & Pick<Platform, 'contextId'>,
): Promise<Platform> {
  const [row] = await tx.session.orm.insert(platforms).values(platform).returning()
  if (row === undefined) throw new Error('an inserted platform was not returned')
  return row
}

export async function updatePlatform(tx: Tx, guid: string, record: PlatformRecord, now: Date): Promise<Platform> {
  const [row] = await tx.session.orm
    .update(platforms)
    .set({ ...record, updatedAt: now })
    .where(eq(platforms.guid, guid))
    .returning()
  if (row === undefined) throw new Error('an updated platform was not returned')
  return row
}

/** Deletes the platform with its settings, members, requests, public list and everything that belongs to them. */
export async function deletePlatform(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(platforms).where(eq(platforms.guid, guid))
}

export async function writeSettings(tx: Tx, platformGuid: string, next: PlatformSettings): Promise<void> {
  const values = { ...next, webhookEvents: [...next.webhookEvents] }
  await tx.session.orm
    .insert(settings)
    .values({ platformGuid, ...values })
    .onConflictDoUpdate({ target: settings.platformGuid, set: values })
}

export async function findMember(db: Db, platformGuid: string, userGuid: string): Promise<PlatformMember | undefined> {
  const [row] = await db.session.orm.select(memberColumns).from(members).where(isMember(platformGuid, userGuid))
  return row
}

export async function countMembers(db: Db, platformGuid: string): Promise<number> {
  return db.session.orm.$count(members, eq(members.platformGuid, platformGuid))
}

/** Inserts a member, or updates the role of an existing member. */
export async function writeMember(
  tx: Tx,
  platformGuid: string,
  { userGuid, role }: Pick<PlatformMember, 'userGuid' | 'role'>,
  now: Date,
): Promise<PlatformMember> {
  const [row] = await tx.session.orm
    .insert(members)
    .values({ platformGuid, userGuid, role, addedAt: now })
    .onConflictDoUpdate({ target: [members.platformGuid, members.userGuid], set: { role } })
    .returning(memberColumns)
  if (row === undefined) throw new Error('a written member was not returned')
  return row
}

/** Deletes a member and returns it; undefined if the user was no member. */
export async function deleteMember(
  tx: Tx,
  platformGuid: string,
  userGuid: string,
): Promise<PlatformMember | undefined> {
  const [row] = await tx.session.orm.delete(members).where(isMember(platformGuid, userGuid)).returning(memberColumns)
  return row
}

/** Deletes all memberships of a user and returns them. */
export async function deleteMembershipsOf(
  tx: Tx,
  userGuid: string,
): Promise<{ readonly platformGuid: string; readonly role: PlatformRole }[]> {
  return tx.session.orm
    .delete(members)
    .where(eq(members.userGuid, userGuid))
    .returning({ platformGuid: members.platformGuid, role: members.role })
}

function isMember(platformGuid: string, userGuid: string) {
  return and(eq(members.platformGuid, platformGuid), eq(members.userGuid, userGuid))
}
