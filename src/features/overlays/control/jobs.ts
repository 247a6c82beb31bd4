import type { DueWork } from '../../../infra/jobs/due.ts'
import { advanceDue } from './commands/advancing.ts'
import { findDueAdvances } from './store/advancing.ts'

/** What follows on the result of a map after the delay of an overlay. (OV14) */
const advancing: DueWork = {
  name: 'control.advance',
  run: async ({ database, log }) => {
    const due = await findDueAdvances(database.db)
    for (const overlay of due.overlays) {
      // One that fails must not hold up the others.
      await database
        .transaction((tx) => advanceDue(tx, overlay))
        .catch((err: unknown) => log.error({ err, overlay, due: advancing.name }, 'due work'))
    }
    return due.nextMs
  },
}

export const controlDue: readonly DueWork[] = [advancing]
