import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './infra/db/database.ts'
import { startEmbeddedDatabase } from './infra/db/embedded.ts'
import { migrateDatabase } from './infra/db/migrate.ts'
import { Head } from './infra/events/head.ts'
import { Held } from './infra/held/held.ts'
import { isTimed, noteStatement } from './infra/http/timing.ts'
import type { Logger } from './infra/log.ts'
import { type KeyRing, openKeyRing, openSeal } from './oauth/keys.ts'
import { checkNoReplacement } from './oauth/replacing.ts'
import { accessTokenLifetime, createTokens, type Tokens } from './oauth/tokens.ts'

/** What both the service and the command line need: a migrated database and the keys. */
export interface Runtime {
  /** For connections in addition to those of `database`. */
  readonly connection: pg.ClientConfig
  readonly database: Database
  readonly head: Head
  readonly held: Held
  readonly keys: KeyRing
  readonly tokens: Tokens
  readonly seal: (text: string) => string
  readonly cleanups: Cleanups
}

/** Clean-up steps, run in reverse order. */
export class Cleanups {
  readonly #pending: (() => Promise<unknown>)[] = []

  add(cleanup: () => Promise<unknown>): void {
    this.#pending.push(cleanup)
  }

  async run(): Promise<void> {
    for (const cleanup of this.#pending.splice(0).reverse()) await cleanup()
  }
}

/** Opens the runtime. On failure everything already opened is closed again. */
export async function openRuntime(config: Config, log: Logger): Promise<Runtime> {
  const cleanups = new Cleanups()
  try {
    const connection = await connect(config, log, cleanups)
    await migrateDatabase(connection)
    const database = await openDatabase({
      connection,
      onError: (error) => log.error({ err: error }, 'database connection'),
      onStatement: isTimed(config.environment) ? noteStatement : undefined,
    })
    cleanups.add(() => database.close())
    const head = await Head.open(database.headDb)
    database.onLost(() => head.lost())
    const directory = keyDirectory(config)
    // After the connections of this process can be seen by others. (cli/replace-key.ts)
    checkNoReplacement(await readdir(directory).catch(() => []))
    const keys = await openKeyRing(directory, accessTokenLifetime, new Date())
    const tokens = createTokens({ db: database.db, head, keys, issuer: config.publicUrl })
    const held = new Held(database.db, head)
    return { connection, database, head, held, keys, tokens, seal: await openSeal(directory), cleanups }
  } catch (error) {
    await cleanups.run()
    throw error
  }
}

export function keyDirectory(config: Pick<Config, 'dataDir'>): string {
  return path.join(config.dataDir, 'keys')
}

/** The connection settings of the database; an embedded one is running when this resolves. */
export async function connect(config: Config, log: Logger, cleanups: Cleanups): Promise<pg.ClientConfig> {
  if (config.databaseUrl !== null) return { connectionString: config.databaseUrl }
  const embedded = await startEmbeddedDatabase({ dataDir: config.dataDir, log: (line) => log.info(line) })
  cleanups.add(() => embedded.stop())
  return embedded.connection
}
