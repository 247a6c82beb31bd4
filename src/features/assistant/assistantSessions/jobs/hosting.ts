import { deleteInBatches } from '../../../../infra/jobs/batches.ts'
import type { Job } from '../../../../infra/jobs/jobs.ts'
import type { LeasedSet } from '../../../../infra/jobs/lease-sets.ts'
import { maxOfProcess } from '../rules/limits.ts'
import { deleteOldCommands } from '../store/commands.ts'
import { listHeld } from '../store/sessions.ts'
import { sessionHint } from './hints.ts'
import { hold } from './holding.ts'

/** The sets of sessions that processes share out among themselves by leases. (AS4) */
export const assistantSessionsHeld: readonly LeasedSet[] = [
  { name: 'assistant_sessions.hold', most: maxOfProcess, hint: sessionHint, list: listHeld, run: hold },
]

const daily: Job = {
  name: 'assistant_commands.sweep',
  cron: '41 4 * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOldCommands),
}

export const assistantSessionsJobs: readonly Job[] = [daily]
