import type { SignedIn } from '../../../core/actor.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { holdPool } from '../../maps/pools/store/pools.ts'
import { keepLink } from '../assistantLinks/store/links.ts'
import { writeAssistantPool } from '../assistantLinks/store/pools.ts'
import type { Pushed } from './prepare.ts'

/** Remembers where a pool went, and tells what was done. A run that found nothing to do is no event. (AS25) */
export async function keepPush(tx: Tx, actor: SignedIn, tournamentGuid: string, pushed: Pushed): Promise<void> {
  const { target, assistantPool, dryRun, added, updated, removed, failed } = pushed
  if (dryRun) return
  if (target.kind === 'pool' && assistantPool !== null && assistantPool !== target.known) {
    const isThere =
      (await keepLink(tx, tournamentGuid)) !== undefined && (await holdPool(tx, target.pool)) !== undefined
    if (isThere) await writeAssistantPool(tx, { tournamentGuid, poolGuid: target.pool, assistantPool })
  }
  if (added + updated + removed + failed.length === 0) return
  emit(tx, {
    type: 'assistant.pushed',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: {
      pool: target.kind === 'pool' ? target.pool : null,
      qualifier: target.kind === 'event' ? target.event : null,
      ...{ added, updated, removed, failed: failed.length },
    },
  })
}
