import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Scope } from '../core/scopes.ts'
import { users } from '../features/people/users/tables.ts'
import { addressKey, bytea, createdAt, guid, instant } from '../infra/db/columns.ts'
import type { ApplicationType } from './types.ts'

const user = () =>
  uuid()
    .notNull()
    .references(() => users.guid)

const scopes = () => text().array().$type<Scope[]>().notNull()

/** OAuth applications, which act for users with their consent. (D23) */
export const applications = pgTable(
  'applications',
  {
    clientId: guid(),
    ownerGuid: user(),
    name: text().notNull(),
    imageUrl: text(),
    type: text().$type<ApplicationType>().notNull(),
    /** The scopes that it may request. */
    scopes: scopes(),
    redirectUris: text().array().notNull(),
    /** SHA-256; null for public applications, which have no secret. */
    secretHash: bytea(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('applications_of_owner').on(table.ownerGuid, table.createdAt, table.clientId),
    index('applications_image').on(addressKey(table.imageUrl)).where(sql`${table.imageUrl} is not null`),
    check('applications_type_known', sql`${table.type} in ('confidential', 'public')`),
    check('applications_secret_by_type', sql`(${table.type} = 'public') = (${table.secretHash} is null)`),
  ],
)

/** Deleting an application deletes all rows that refer to it. */
const application = () =>
  uuid()
    .notNull()
    .references(() => applications.clientId, { onDelete: 'cascade' })

/** The scopes that a user has granted, so that they are not asked for the same again. */
export const consents = pgTable(
  'consents',
  {
    userGuid: user(),
    clientId: application(),
    scopes: scopes(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userGuid, table.clientId] }),
    index('consents_of_application').on(table.clientId),
  ],
)

/** One grant to an application: a family of tokens that end together. Its GUID is that of its code. */
export const grants = pgTable(
  'grants',
  {
    guid: uuid().primaryKey(),
    userGuid: user(),
    clientId: application(),
    scopes: scopes(),
    createdAt: createdAt(),
    /** When it was last issued an access token. */
    usedAt: createdAt(),
    revokedAt: instant(),
  },
  (table) => [
    index('grants_of_user').on(table.userGuid, table.clientId),
    index('grants_of_application').on(table.clientId),
    index('grants_last_use').on(table.usedAt),
  ],
)

/** Authorization codes that are not yet redeemed, or were redeemed recently. */
export const authorizationCodes = pgTable(
  'authorization_codes',
  {
    guid: guid(),
    codeHash: bytea().notNull().unique('authorization_codes_hash'),
    userGuid: user(),
    clientId: application(),
    redirectUri: text().notNull(),
    /** S256; null where a confidential application sent none. */
    challenge: text(),
    scopes: scopes(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [
    index('authorization_codes_of_user').on(table.userGuid, table.clientId),
    index('authorization_codes_of_application').on(table.clientId),
    index('authorization_codes_expiry').on(table.expiresAt),
  ],
)

/** Used tokens are kept until their expiry: a second use shows a theft. (D22) */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    tokenHash: bytea().primaryKey(),
    grantGuid: uuid()
      .notNull()
      .references(() => grants.guid, { onDelete: 'cascade' }),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [index('refresh_tokens_of_grant').on(table.grantGuid), index('refresh_tokens_expiry').on(table.expiresAt)],
)

/** Requests of clients without a browser, until a user decides on them elsewhere. (RFC 8628) */
export const deviceRequests = pgTable(
  'device_requests',
  {
    guid: guid(),
    deviceCodeHash: bytea().notNull().unique('device_requests_device_code'),
    /** Keyed digest of the user code: the code is short, so a plain hash would not hide it. */
    userCodeSeal: text().notNull().unique('device_requests_user_code'),
    clientId: application(),
    scopes: scopes(),
    expiresAt: instant().notNull(),
    /** Minimum seconds between two polls of the client. */
    interval: integer().notNull(),
    askedAt: instant(),
    /** The user who decided; null before the decision. */
    userGuid: uuid().references(() => users.guid),
    decision: text({ enum: ['approved', 'denied'] }),
    usedAt: instant(),
  },
  (table) => [
    index('device_requests_of_user').on(table.userGuid).where(sql`${table.userGuid} is not null`),
    index('device_requests_of_application').on(table.clientId),
    index('device_requests_expiry').on(table.expiresAt),
    check('device_requests_decided_by_somebody', sql`(${table.decision} is null) = (${table.userGuid} is null)`),
  ],
)

/** Every unexpired access token. A token without a row here is refused. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    jti: guid(),
    userGuid: user(),
    /** The grant that it was issued for; null for first-party tokens. (D40) */
    grantGuid: uuid().references(() => grants.guid, { onDelete: 'cascade' }),
    /** The session that it was issued for: ending the session ends the token. */
    sessionGuid: uuid(),
    scopes: scopes(),
    issuedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [
    index('access_tokens_of_user').on(table.userGuid),
    index('access_tokens_of_session').on(table.sessionGuid).where(sql`${table.sessionGuid} is not null`),
    index('access_tokens_of_grant').on(table.grantGuid).where(sql`${table.grantGuid} is not null`),
    index('access_tokens_expiry').on(table.expiresAt),
  ],
)
