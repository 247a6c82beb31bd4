import { setTimeout } from 'node:timers/promises'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import type { LeasedWork } from '../../../infra/jobs/leases.ts'
import { askToCut, type CutOrder } from './commands/cutting.ts'
import { cutJobName } from './commands/ending.ts'
import { endDue } from './commands/judging.ts'
import { reconcileAll } from './commands/reconciling.ts'
import { forgetAddresses, forgetHealth, listDue, msUntilDue } from './store/sessions.ts'

const cut: Job = {
  name: cutJobName,
  slots: 8,
  run: (payload, context) => askToCut(context, payload as CutOrder),
}

const daily: Job = {
  name: 'stream_sessions.sweep',
  cron: '23 4 * * *',
  async run(_payload, { database }) {
    await deleteInBatches(database, forgetAddresses)
    await deleteInBatches(database, forgetHealth)
  },
}

export const streamSessionsJobs: readonly Job[] = [cut, daily]

/** Ends streams whose assignment, test time or key has ended. */
const ending: DueWork = {
  // Nothing is streamed in a rehearsal.
  inRehearsals: false,
  name: 'stream_sessions.end',
  async run({ database, log }) {
    for (const guid of await listDue(database.db)) {
      // A failure for one stream must not stop the others.
      await database
        .transaction((tx) => endDue(tx, guid))
        .catch((err: unknown) => log.error({ err, session: guid, due: ending.name }, 'due work'))
    }
    return msUntilDue(database.db)
  },
}

export const streamSessionsDue: readonly DueWork[] = [ending]

/** The interval between two requests to the servers for their streams, in milliseconds. (S8) */
const lookMs = 15_000

const reconciling: LeasedWork = {
  name: 'stream_sessions.reconcile',
  async run(context, signal) {
    while (!signal.aborted) {
      const beganAt = performance.now()
      await reconcileAll(context, signal).catch((err: unknown) => context.log.error({ err }, 'reconciling streams'))
      const leftMs = Math.max(0, lookMs - (performance.now() - beganAt))
      await setTimeout(leftMs, undefined, { signal, ref: false }).catch(() => {})
    }
  },
}

export const streamSessionsLeased: readonly LeasedWork[] = [reconciling]
