import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { GlobalRole } from '../../../core/roles.ts'
import { addressKey, createdAt, guid, instant } from '../../../infra/db/columns.ts'

export const users = pgTable(
  'users',
  {
    guid: guid(),
    /** `placeholder:` and the GUID for a placeholder whose chat account is not known. */
    chatPlatformId: text().notNull().unique('users_chat_platform_id'),
    /**
     * Of a placeholder in an imported tournament: the chat account of its person, where a user has that ID already. Only
     * that account may take the place over. (P6)
     */
    awaitedChatId: text(),
    username: text().notNull(),
    preferredName: text().notNull(),
    avatarUrl: text().notNull(),
    /** The chat account's picture at the last sign-in; null if that sign-in is older than this column. */
    chatAvatarUrl: text(),
    description: text().notNull().default(''),
    /** The part of the description that cards show; null in rows older than this column, until the next start. */
    bio: text().default(''),
    pronouns: text(),
    /** How the preferred name is spoken. */
    pronunciation: text(),
    headset: text(),
    grip: text(),
    controllers: text(),
    /** Set by an administrator; otherwise, the country comes from the ranking links. */
    country: text(),
    email: text(),
    emailVerifiedAt: instant(),
    isBot: boolean().notNull().default(false),
    /** Whether the record is of a person from an organiser's sheet who has not signed in. (additions: People who are not here yet) */
    isPlaceholder: boolean().notNull().default(false),
    /** The tournament whose import made the placeholder; it stays after the person has signed in. */
    madeByTournamentGuid: uuid(),
    /** The granted roles; implied roles are derived when the user acts. (D24) */
    globalRoles: text().array().$type<GlobalRole[]>().notNull().default(sql`'{}'`),
    bannedAt: instant(),
    banReason: text(),
    /** Sessions and tokens from before this instant are invalid. It is set by bans, their end, and deletion. */
    credentialsValidFrom: instant().notNull().default(sql`'epoch'`),
    /** When the account was deleted; it contains no personal data since then. (D35) */
    anonymisedAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('users_name_search').on(sql`lower(${table.username}) text_pattern_ops`),
    index('users_preferred_name_search').on(sql`lower(${table.preferredName}) text_pattern_ops`),
    // In the order of the names, without deleted accounts, which all have the same names, and placeholders.
    index('users_name_order').on(sql`lower(${table.username}) text_pattern_ops`, table.guid).where(isFindable(table)),
    index('users_preferred_name_order')
      .on(sql`lower(${table.preferredName}) text_pattern_ops`, table.guid)
      .where(isFindable(table)),
    // Finds users by the address of a picture, as pictures from other sites are served through this service only while
    // a record contains their address. (M26)
    index('users_avatar').on(addressKey(table.avatarUrl)),
    index('users_made_by').on(table.madeByTournamentGuid).where(sql`${table.madeByTournamentGuid} is not null`),
    index('users_awaited').on(table.awaitedChatId).where(sql`${table.awaitedChatId} is not null`),
    index('users_newest').on(table.createdAt, table.guid),
    // Very few users have a role.
    index('users_with_roles').on(table.guid).where(sql`${table.globalRoles} <> '{}'`),
    index('users_owners').on(table.guid).where(isOwner(table)),
    index('users_without_bio').on(table.guid).where(sql`${table.bio} is null`),
    check('users_country_form', sql`${table.country} ~ '^[A-Z]{2}$'`),
  ],
)

/** Whether the account was not deleted. Written the same way in queries as in indexes, so that queries use them. */
export function isAlive({ anonymisedAt }: { readonly anonymisedAt: AnyPgColumn }): SQL {
  return sql`${anonymisedAt} is null`
}

/** Whether the user is found by name: placeholders are not. Written the same way in queries as in indexes. (additions: People who are not here yet) */
export function isFindable(table: { readonly anonymisedAt: AnyPgColumn; readonly isPlaceholder: AnyPgColumn }): SQL {
  return sql`${isAlive(table)} and not ${table.isPlaceholder}`
}

/** The ID that is shown: the contract has a text where a placeholder has no chat account. (D85) */
export function shownChatIdOf({ chatPlatformId }: { readonly chatPlatformId: AnyPgColumn }): SQL<string> {
  return sql<string>`case when starts_with(${chatPlatformId}, 'placeholder:') then '' else ${chatPlatformId} end`
}

/** Written the same way in queries as in the index of owners, so that queries use the index. */
export function isOwner({ globalRoles }: { readonly globalRoles: AnyPgColumn }): SQL {
  return sql`${globalRoles} @> '{role:owner}'`
}

/** Accounts on other platforms. Only verified links are shown, resolve, or count. (D50) */
export const identities = pgTable(
  'identities',
  {
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    platform: text({ enum: ['ranking-a', 'ranking-b', 'streaming'] }).notNull(),
    /**
     * The platform's name for the account; names whose case does not matter, such as streaming names, in lower case.
     */
    externalId: text().notNull(),
    verifiedAt: instant(),
    proofCode: text(),
    proofMadeAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userGuid, table.platform] }),
    uniqueIndex('identities_one_owner')
      .on(table.platform, table.externalId)
      .where(sql`${table.verifiedAt} is not null`),
    index('identities_claims').on(table.platform, table.externalId).where(sql`${table.verifiedAt} is null`),
    check('identities_platform_known', sql`${table.platform} in ('ranking-a', 'ranking-b', 'streaming')`),
  ],
)
