import type { DueWork } from '../../../infra/jobs/due.ts'
import { advanceDue } from './commands/advancing.ts'
import { findDueAdvances } from './store/advancing.ts'

/** Shows the scene that follows a map result after the overlay's delay. (OV14) */
const advancing: DueWork = {
  name: 'control.advance',
  inRehearsals: true,
  run: async ({ database, log }) => {
    const due = await findDueAdvances(database.db)
    for (const overlay of due.overlays) {
      // An overlay that fails must not stop the others.
      await database
        .transaction((tx) => advanceDue(tx, overlay))
        .catch((err: unknown) => log.error({ err, overlay, due: advancing.name }, 'due work'))
    }
    return due.nextMs
  },
}

export const controlDue: readonly DueWork[] = [advancing]
