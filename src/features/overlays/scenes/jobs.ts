import { readClock } from '../../../infra/db/clock.ts'
import type { Db, Tx } from '../../../infra/db/database.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { Job, JobContext } from '../../../infra/jobs/jobs.ts'
import { listDraftsToCompact, listDraftsToKeep, listDraftsToRebuild } from '../sceneDocuments/store/states.ts'
import { compactDue, rebuildDue, saveDueVersion } from './commands/due.ts'

function ofDrafts(
  name: string,
  list: (db: Db) => Promise<readonly string[]>,
  act: (tx: Tx, guid: string, now: Date) => Promise<void>,
): (context: JobContext) => Promise<void> {
  return async ({ database, log }) => {
    for (const guid of await list(database.db)) {
      // A draft that fails must not stop the others.
      await database
        .transaction(async (tx) => act(tx, guid, await readClock(tx)))
        .catch((err: unknown) => log.error({ err, overlay: guid, due: name }, 'due work'))
    }
  }
}

/** Drafts are tidied up by the real clock, in rehearsals too. */
function due(name: string, run: (context: JobContext) => Promise<void>): DueWork {
  return { name, inRehearsals: false, run: (context) => run(context).then(() => null) }
}

export const scenesDue: readonly DueWork[] = [
  due('scenes.keepAutomatic', ofDrafts('scenes.keepAutomatic', listDraftsToKeep, saveDueVersion)),
  due('scenes.compact', ofDrafts('scenes.compact', listDraftsToCompact, compactDue)),
]

const rebuild = ofDrafts('scenes.rebuild', listDraftsToRebuild, rebuildDue)

/** Drafts to rebuild have no due time, so the job checks all drafts. */
export const scenesJobs: readonly Job[] = [
  { name: 'scenes.rebuild', cron: '*/5 * * * *', slots: 1, run: (_payload, context) => rebuild(context) },
]
