import { and, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { missing } from '../../../../core/problem.ts'
import type { GlobalRole } from '../../../../core/roles.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { appearances } from '../../../teams/registration/tables.ts'
import { listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { rankingProfiles } from '../../rankings/tables.ts'
import { bioOf } from '../rules/settings.ts'
import { identities, isOwner, shownChatIdOf, users } from '../tables.ts'
import type { IdentityPlatform, User, UserFacts } from '../types.ts'

const {
  bio: _bio,
  credentialsValidFrom: _validity,
  anonymisedAt: _mark,
  madeByTournamentGuid: _maker,
  awaitedChatId: _awaited,
  ...tableColumns
} = getTableColumns(users)

const shownChatId = shownChatIdOf(users)
const userColumns = { ...tableColumns, chatPlatformId: shownChatId }

const alive = isNull(users.anonymisedAt)
/** The people of a rehearsal are known nowhere else. (R1) */
export const isOutsideRehearsals = sql`not exists (select from ${tournaments} t where t.guid = ${users.madeByTournamentGuid} and t.rehearsal_of is not null)`

const byGuid = statement('users.by_guid', (orm) =>
  orm
    .select(userColumns)
    .from(users)
    .where(and(eq(users.guid, sql.placeholder('guid')), alive, isOutsideRehearsals)),
)

const byChatPlatformId = statement('users.by_chat_platform_id', (orm) =>
  orm
    .select(userColumns)
    .from(users)
    .where(and(eq(users.chatPlatformId, sql.placeholder('id')), alive)),
)

/** Ranking A takes precedence over ranking B, in the order in which identifiers resolve. (D6) */
const byRankingId = statement('users.by_ranking_id', (orm) =>
  orm
    .select(userColumns)
    .from(identities)
    .innerJoin(users, eq(users.guid, identities.userGuid))
    .where(
      and(
        inArray(identities.platform, ['ranking-a', 'ranking-b']),
        eq(identities.externalId, sql.placeholder('id')),
        sql`${identities.verifiedAt} is not null`,
        alive,
      ),
    )
    .orderBy(identities.platform)
    .limit(1),
)

/** Finds a user by GUID, chat-platform ID, or ranking ID A or B, in that order. (D6) */
export async function findUser(db: Db, identifier: string): Promise<User | undefined> {
  if (isGuid(identifier)) return (await byGuid(db, { guid: normaliseGuid(identifier) }))[0]
  if (!/^\d{1,20}$/.test(identifier)) return undefined
  return (await byChatPlatformId(db, { id: identifier }))[0] ?? (await byRankingId(db, { id: identifier }))[0]
}

export async function findUserByGuid(db: Db, guid: string): Promise<User | undefined> {
  return (await byGuid(db, { guid }))[0]
}

export async function findUserByChatPlatformId(db: Db, id: string): Promise<User | undefined> {
  return (await byChatPlatformId(db, { id }))[0]
}

export async function findUserByRankingId(db: Db, id: string): Promise<User | undefined> {
  return (await byRankingId(db, { id }))[0]
}

const byGuids = statement('users.by_guids', (orm) =>
  orm
    .select(userColumns)
    .from(users)
    .where(and(sql`${users.guid} = any(${sql.placeholder('guids')}::uuid[])`, alive)),
)

/** Returns the users in no particular order. */
export async function listUsersByGuid(db: Db, guids: readonly string[]): Promise<User[]> {
  return guids.length === 0 ? [] : byGuids(db, { guids })
}

const linkA = alias(identities, 'link_a')
const linkB = alias(identities, 'link_b')
const linkStreaming = alias(identities, 'link_streaming')
const profileA = alias(rankingProfiles, 'profile_a')
const profileB = alias(rankingProfiles, 'profile_b')

const factColumns = {
  guid: users.guid,
  chatPlatformId: shownChatId,
  username: users.username,
  preferredName: users.preferredName,
  avatarUrl: users.avatarUrl,
  bio: users.bio,
  pronouns: users.pronouns,
  pronunciation: users.pronunciation,
  country: sql<string | null>`coalesce(${users.country}, ${profileA.country}, ${profileB.country})`,
  emailVerifiedAt: users.emailVerifiedAt,
  isBot: users.isBot,
  isPlaceholder: users.isPlaceholder,
  globalRoles: users.globalRoles,
  createdAt: users.createdAt,
  // Ordered like the index. Otherwise, the planner would read all tournaments if one organiser has most of them.
  isOrganiser: sql<boolean>`exists (select from (select from ${tournaments} where ${tournaments.organiserGuid} = ${users.guid} and ${tournaments.approvedAt} is not null order by ${tournaments.approvedAt} limit 1) approved offset 0)`,
  // `offset 0` makes the planner look up each row by index; without it, the planner would read all listings.
  // What a placeholder plays counts once the person is there.
  tournamentsPlayed: sql<number>`case when ${users.isPlaceholder} then 0 else (select count(*)::int from ${appearances} where ${appearances.userGuid} = ${users.guid} and exists (select from ${listings} where ${listings.tournamentGuid} = ${appearances.tournamentGuid} offset 0)) end`,
  rankingIdA: linkA.externalId,
  rankingIdB: linkB.externalId,
  streamingName: linkStreaming.externalId,
  rankA: profileA.rank,
  rankB: profileB.rank,
}

/** Joins a user's verified link to one platform. */
function linked(link: typeof linkA, platform: IdentityPlatform) {
  return and(eq(link.userGuid, users.guid), eq(link.platform, platform), sql`${link.verifiedAt} is not null`)
}

const factsOf = statement('users.facts', (orm) =>
  orm
    .select(factColumns)
    .from(users)
    .leftJoin(linkA, linked(linkA, 'ranking-a'))
    .leftJoin(linkB, linked(linkB as unknown as typeof linkA, 'ranking-b'))
    .leftJoin(linkStreaming, linked(linkStreaming as unknown as typeof linkA, 'streaming'))
    .leftJoin(profileA, and(eq(profileA.platform, 'ranking-a'), eq(profileA.externalId, linkA.externalId)))
    .leftJoin(profileB, and(eq(profileB.platform, 'ranking-b'), eq(profileB.externalId, linkB.externalId)))
    .where(sql`${users.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Returns what cards show, by GUID, including the anonymous records of deleted accounts. */
export async function listUserFacts(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, UserFacts>> {
  if (guids.length === 0) return new Map()
  const rows = await factsOf(db, { guids: [...new Set(guids)] })
  return new Map(rows.map((row) => [row.guid, row]))
}

export interface NewUser {
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
  readonly chatAvatarUrl?: string | null
  readonly email: string | null
  readonly emailVerifiedAt: Date | null
  readonly isBot: boolean
  readonly globalRoles?: GlobalRole[]
}

/** Inserts the user of a chat account, or locks the existing one. */
export async function insertUser(tx: Tx, user: NewUser): Promise<{ user: User; isNew: boolean }> {
  for (;;) {
    const [inserted] = await tx.session.orm
      .insert(users)
      .values(user)
      .onConflictDoNothing({ target: users.chatPlatformId })
      .returning(userColumns)
    if (inserted !== undefined) return { user: inserted, isNew: true }
    const [found] = await tx.session.orm
      .select(userColumns)
      .from(users)
      .where(eq(users.chatPlatformId, user.chatPlatformId))
      .for('update')
    if (found !== undefined) return { user: found, isNew: false }
    // The previous user has just deleted their account, so the chat account is free for a new user.
  }
}

export type UserChanges = Partial<Omit<typeof users.$inferInsert, 'guid' | 'chatPlatformId' | 'bio' | 'createdAt'>>

/** @throws Problem `user.unknown` for an account that was deleted in the meantime */
export async function updateUser(tx: Tx, guid: string, changes: UserChanges, now: Date): Promise<User> {
  const derived = changes.description === undefined ? {} : { bio: bioOf(changes.description) }
  const [row] = await tx.session.orm
    .update(users)
    .set({ ...changes, ...derived, updatedAt: now })
    .where(and(eq(users.guid, guid), alive))
    .returning(userColumns)
  if (row === undefined) throw missing('user.unknown', 'There is no such user.')
  return row
}

const biosAtOnce = 100

/** Sets the bios of some users whose rows are older than bios. Returns false if there were none. */
export async function setMissingBios(tx: Tx): Promise<boolean> {
  const rows = await tx.session.orm
    .select({ guid: users.guid, description: users.description })
    .from(users)
    .where(isNull(users.bio))
    .orderBy(users.guid)
    .limit(biosAtOnce)
    .for('no key update')
  const bios = rows.map(({ guid, description }) => ({ guid, bio: bioOf(description) }))
  await tx.session.orm.execute(sql`
    update ${users} u set bio = n.bio from jsonb_to_recordset(${JSON.stringify(bios)}::jsonb) as n (guid uuid, bio text)
    where u.guid = n.guid`)
  return rows.length > 0
}

/** Locks the user's row for the rest of the transaction. */
export async function lockUser(tx: Tx, guid: string): Promise<User | undefined> {
  const [row] = await tx.session.orm
    .select(userColumns)
    .from(users)
    .where(and(eq(users.guid, guid), alive))
    .for('update')
  return row
}

const lockedForKeyShare = statement('users.keep', (orm) =>
  orm
    .select({ guid: users.guid })
    .from(users)
    .where(and(sql`${users.guid} = any(${sql.placeholder('guids')}::uuid[])`, alive))
    .orderBy(users.guid)
    .for('key share'),
)

/**
 * Keeps an account from being deleted until the transaction ends, as the transaction gives its user a role or a place.
 * Call it after locking the tournament, if there is one. Returns false if there is no such account.
 */
export async function lockUserForKeyShare(tx: Tx, guid: string): Promise<boolean> {
  return (await lockUsersForKeyShare(tx, [guid])).size > 0
}

/** Does the same for several accounts; returns the GUIDs of those that exist. */
export async function lockUsersForKeyShare(tx: Tx, guids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await lockedForKeyShare(tx, { guids })).map(({ guid }) => guid))
}

/**
 * Locks these users and all owners for the rest of the transaction, always in the same order. If two owners change each
 * other, one waits and then reads the change of the other.
 */
export async function lockWithOwners(tx: Tx, guids: readonly string[]): Promise<User[]> {
  return tx.session.orm
    .select(userColumns)
    .from(users)
    .where(and(or(inArray(users.guid, [...guids]), isOwner(users)), alive))
    .orderBy(users.guid)
    .for('no key update')
}
