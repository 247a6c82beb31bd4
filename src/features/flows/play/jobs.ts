import type { Tx } from '../../../infra/db/database.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { JobContext } from '../../../infra/jobs/jobs.ts'
import { type DueSessions, findDueSessions } from '../flowSessions/store/clocks.ts'
import { deleteExpired, lapseDue, markOverdue, showDue } from './commands/due.ts'

const works: readonly (readonly [Exclude<keyof DueSessions, 'nextMs'>, (tx: Tx, guid: string) => Promise<void>])[] = [
  ['lapsed', lapseDue],
  ['overdue', markOverdue],
  ['shown', showDue],
  ['expired', deleteExpired],
]

/**
 * The maximum of concurrent transactions: many clocks may end at the same time, and one session should not wait for all
 * others.
 */
const atOnce = 6

async function work({ database, log }: JobContext): Promise<number | null> {
  const due = await findDueSessions(database.db)
  for (const [name, act] of works) {
    const waiting = [...due[name]]
    const next = async () => {
      for (let guid = waiting.shift(); guid !== undefined; guid = waiting.shift()) {
        const session = guid
        // A failed session must not stop the others.
        await database
          .transaction((tx) => act(tx, session))
          .catch((err: unknown) => log.error({ err, session, due: name }, 'due work'))
      }
    }
    await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, next))
  }
  return due.nextMs
}

export const playDue: readonly DueWork[] = [{ name: 'play.clocks', inRehearsals: true, run: work }]
