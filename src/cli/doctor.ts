import { followers } from '../app.ts'
import { createClients } from '../clients.ts'
import type { Config } from '../config.ts'
import { configurationChecks, outsideChecks, websiteCheck } from '../health.ts'
import { listFollowerStates } from '../infra/events/positions.ts'
import { databaseChecks, followerCheck, roomCheck } from '../infra/health/checks.ts'
import { readDatabaseState, readRoom } from '../infra/health/measures.ts'
import type { Check } from '../infra/health/types.ts'
import { createLogs } from '../infra/log.ts'
import { Cleanups, openRuntime } from '../runtime.ts'

/** Prints one line for each check; the exit code says whether all required checks passed. */
export async function doctor(config: Config): Promise<void> {
  for (const check of configurationChecks(config)) report(check)
  report(await websiteCheck())
  const cleanups = new Cleanups()
  try {
    report(roomCheck(config.dataDir, await readRoom(config.dataDir)))
    const runtime = await openRuntime(config, createLogs('silent').log).catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error)
      report({ verdict: 'FAIL', what: 'database', detail })
      return null
    })
    if (runtime !== null) {
      cleanups.add(() => runtime.cleanups.run())
      for (const check of databaseChecks(await readDatabaseState(runtime.database))) report(check)
      for (const state of await listFollowerStates(runtime.database.db, followers)) report(followerCheck(state))
    }
    for (const check of await outsideChecks(config, createClients(config, cleanups, timeouts))) report(check)
  } finally {
    await cleanups.run()
  }
}

const timeouts = { answerMs: 3_000, mailMs: 6_000, catalogueMs: 3_000 }

function report({ verdict, what, detail }: Omit<Check, 'advice'>): void {
  console.log(`${verdict.padEnd(4)}  ${what}: ${detail}`)
  if (verdict === 'FAIL') process.exitCode = 1
}
