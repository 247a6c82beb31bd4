import type { SignedIn } from '../../../../core/actor.ts'
import { conflict } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { enqueue } from '../../../../infra/jobs/jobs.ts'
import { isHeadPooler } from '../../../tournaments/access/policy.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { checkFlair, checkMapsWritable } from '../../pools/rules/settings.ts'
import { listFlairs } from '../../pools/store/flairs.ts'
import type { Pool } from '../../pools/types.ts'
import { isTooLarge, tooLarge } from '../rules/sources.ts'
import { countRunning, insertImport } from '../store/imports.ts'
import type { ImportJob, ImportRequest } from '../types.ts'

export const runJob = 'imports.run'

const maxRunning = 20

interface Starting {
  readonly actor: SignedIn
  readonly tournament: Tournament
  readonly pool: Pool
  readonly now: Date
}

/**
 * Saves an import and enqueues the job that runs it. The job checks the starter's rights again.
 * (pools: Adding and importing, rule 3)
 * @throws Problem `tournament.cancelled`, the problems of `checkMapsWritable`, `flair.unknown`, `import.too_large`,
 *   `import.too_many`
 */
export async function startImport(
  tx: Tx,
  { actor, tournament, pool, now }: Starting,
  request: ImportRequest,
  dryRun: boolean,
): Promise<ImportJob> {
  const { tournament: locked } = await lockTournament(tx, tournament.guid)
  checkNotCancelled(locked)
  checkMapsWritable(pool, isHeadPooler(actor), request.reason)
  checkFlair(request.flairGuid, await listFlairs(tx, tournament.guid))
  if (isTooLarge(request.content)) throw tooLarge()
  if ((await countRunning(tx, tournament.guid)) >= maxRunning) {
    throw conflict(
      'import.too_many',
      `At most ${maxRunning} imports of a tournament run at once; wait for one of them.`,
    )
  }
  const [tournamentGuid, poolGuid] = [tournament.guid, pool.guid]
  const job = await insertImport(tx, {
    tournamentGuid,
    poolGuid,
    request,
    dryRun,
    startedByGuid: actor.guid,
    createdAt: now,
  })
  await enqueue(tx, runJob, { payload: { guid: job.guid } })
  emit(tx, {
    type: 'import.started',
    subject: job.guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { poolGuid, kind: request.source.kind, dryRun },
  })
  return job
}
