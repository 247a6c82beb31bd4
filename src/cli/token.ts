import type { Config } from '../config.ts'
import { type GlobalRole, globalRoles, isGlobalRole } from '../core/roles.ts'
import { isScope, type Scope, scopes } from '../core/scopes.ts'
import { grantGlobalRoles } from '../features/people/users/commands/users.ts'
import { findUser, insertUser } from '../features/people/users/store/users.ts'
import type { User } from '../features/people/users/types.ts'
import type { Tx } from '../infra/db/database.ts'
import { createLogs } from '../infra/log.ts'
import { openRuntime } from '../runtime.ts'

export interface TokenOptions {
  readonly name?: string
  readonly scope: string
  readonly role?: readonly string[]
}

/** Prints an access token, and nothing else, on standard output. */
export async function token(config: Config, identifier: string, options: TokenOptions): Promise<void> {
  console.log(await mintToken(config, identifier, options))
}

/**
 * Returns an access token for a user. A missing user is created, and gets the roles. Only in the local environment,
 * because the token belongs to no sign-in and no application: its user can neither see nor revoke it.
 */
export async function mintToken(config: Config, identifier: string, options: TokenOptions): Promise<string> {
  if (config.environment !== 'local') {
    throw new Error(
      `tokens are minted in the local environment alone; where ENVIRONMENT is ${config.environment}, sign in, or let an application act for you`,
    )
  }
  const granted = readScopes(options.scope)
  const roles = readRoles(options.role ?? [])
  const { database, tokens, cleanups } = await openRuntime(config, createLogs('error').log)
  try {
    const now = new Date()
    return await database.transaction(async (tx) => {
      const user = (await findUser(tx, identifier)) ?? (await makeUser(tx, config, identifier, options.name))
      if (user.bannedAt !== null) throw new Error('this user is banned')
      if (roles.length > 0) await grantGlobalRoles(tx, user, roles, null, now)
      return tokens.issue(tx, user, { scopes: granted, sessionGuid: null }, now)
    })
  } finally {
    await cleanups.run()
  }
}

async function makeUser(tx: Tx, config: Config, identifier: string, name: string | undefined): Promise<User> {
  if (!/^\d{1,20}$/.test(identifier)) throw new Error(`there is no user ${identifier}`)
  const username = name ?? `user${identifier}`
  const { user } = await insertUser(tx, {
    chatPlatformId: identifier,
    username,
    preferredName: username,
    avatarUrl: `${config.chat.cdnUrl}/embed/avatars/0.png`,
    email: null,
    emailVerifiedAt: null,
    isBot: false,
  })
  return user
}

function readScopes(text: string): Scope[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const wrong = words.find((word) => !isScope(word))
  if (wrong !== undefined || words.length === 0) throw new Error(`--scope takes ${scopes.join(', ')}`)
  return words.filter(isScope)
}

function readRoles(words: readonly string[]): GlobalRole[] {
  const wrong = words.find((word) => !isGlobalRole(word))
  if (wrong !== undefined) throw new Error(`--role takes ${globalRoles.join(', ')}, not ${wrong}`)
  return words.filter(isGlobalRole)
}
