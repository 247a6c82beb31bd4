import type { Config } from '../config.ts'
import { migrateDatabase } from '../infra/db/migrate.ts'
import { createLogs } from '../infra/log.ts'
import { Cleanups, connect } from '../runtime.ts'

export async function migrate(config: Config): Promise<void> {
  const cleanups = new Cleanups()
  try {
    await migrateDatabase(await connect(config, createLogs('error').log, cleanups))
    console.log('The database is up to date.')
  } finally {
    await cleanups.run()
  }
}
