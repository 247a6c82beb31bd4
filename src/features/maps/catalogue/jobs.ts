import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { enterMaps, questionsAbout, takeDueMaps } from './commands.ts'
import { deleteUnknown } from './store.ts'

/** Kept short, because the service waits for its jobs when it stops. */
const patienceMs = 5_000
const maxRunMs = 20_000
const maxAtOnce = 200

/** Asks the catalogue again about unresolved maps. (pools: The catalogue connector) */
const resolve: Job = {
  name: 'catalogue.resolve',
  cron: '* * * * *',
  run: async (_payload, { database, clients, now }) => {
    const until = now().getTime() + maxRunMs
    for (let goesOn = true; goesOn && now().getTime() < until; ) {
      const due = await database.transaction((tx) => takeDueMaps(tx, now(), maxAtOnce))
      const questions = await questionsAbout(database.db, due)
      const findings = await clients.catalogue.lookUp(
        questions.map(({ reference }) => reference),
        { patienceMs },
      )
      const entries = questions.flatMap(({ identity }, index) => {
        const finding = findings[index]
        return finding === undefined || finding.outcome === 'unreachable' ? [] : [{ identity, finding }]
      })
      await database.transaction((tx) => enterMaps(tx, entries, now()))
      goesOn = due.length === maxAtOnce && entries.length > 0
    }
  },
}

const unknownKeptMs = 30 * 24 * 3_600_000

/**
 * Negative answers are asked again after an hour, so old ones are deleted after a month. Answers with songs are kept.
 */
const sweep: Job = {
  name: 'catalogue.sweep',
  cron: '41 4 * * *',
  run: async (_payload, { database, now }) => {
    const before = new Date(now().getTime() - unknownKeptMs)
    await deleteInBatches(database, (tx, limit) => deleteUnknown(tx, before, limit))
  },
}

export const catalogueJobs: readonly Job[] = [resolve, sweep]
