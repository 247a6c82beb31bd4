import type { Job } from '../../../../infra/jobs/jobs.ts'
import type { LeasedSet } from '../../../../infra/jobs/lease-sets.ts'
import { refundJobName } from '../commands/attempts.ts'
import { listWatched } from '../store/assistant.ts'
import { type Refund, refund } from './refunding.ts'
import { watch } from './watching.ts'

/** The maximum of connections in one process. */
const most = 100

/** Each open and linked qualifier is watched by one process, which holds its lease. (AS24) */
export const qualifiersWatched: readonly LeasedSet[] = [
  { name: 'qualifiers.watch', most, hint: 'qualifiers.watch', list: (db) => listWatched(db), run: watch },
]

const refunding: Job = {
  name: refundJobName,
  slots: 4,
  run: (payload, context) => refund(payload as Refund, context),
}

export const qualifiersJobs: readonly Job[] = [refunding]
