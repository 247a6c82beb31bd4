import type { SignedIn } from '../../../core/actor.ts'
import type { Finished, Told } from '../../../infra/clients/assistant/messages.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { recordReported } from '../../brackets/qualifiers/commands/telling.ts'
import { lockPoolForShare } from '../../maps/pools/store/pools.ts'
import { noteUse } from '../assistantLinks/commands.ts'
import { lockLinkForShare, noteDelivery, writeAssistantPool } from '../assistantLinks/store.ts'
import type { AssistantLink } from '../assistantLinks/types.ts'
import { saveFinish } from '../proposals/commands/plays.ts'
import { propose } from '../proposals/commands/proposing.ts'
import { lockPlay } from '../proposals/store/plays.ts'
import type { Pushed } from './prepare.ts'
import { finishOf, reportedPlay } from './rules/reports.ts'
import { listReportable } from './store.ts'

/**
 * Saves which of the assistant's pools a pool was pushed to, and emits what the push changed. A push that changed
 * nothing emits no event. (AS25)
 */
export async function savePush(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  pushed: Pushed,
  now: Date,
): Promise<void> {
  const { use, target, assistantPool, dryRun, added, updated, removed, failed } = pushed
  await noteUse(tx, actor, use, now)
  if (dryRun) return
  if (target.kind === 'pool' && assistantPool !== null && assistantPool !== target.known) {
    const isThere =
      (await lockLinkForShare(tx, tournamentGuid)) !== undefined &&
      (await lockPoolForShare(tx, target.pool)) !== undefined
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
      added,
      updated,
      removed,
      failed: failed.length,
    },
  })
}

export interface TakenHook {
  readonly tournamentGuid: string
  readonly link: Pick<AssistantLink, 'assistantGuid'>
  readonly report: Told
  /** The time that the hook names. */
  readonly at: Date
  /** Keys that recognise a repeated delivery: the delivery's id and the digest of the body. */
  readonly ids: readonly string[]
  readonly now: Date
}

/** Handles a report that came by hook like one that came over the connection. Each report counts once. (AS26) */
export async function takeHook(tx: Tx, { tournamentGuid, link, report, at, ids, now }: TakenHook): Promise<void> {
  if (report.type !== 'attempt' && report.type !== 'finished') return
  // If the link was deleted in the meantime, the hook is dropped.
  if ((await lockLinkForShare(tx, tournamentGuid)) === undefined) return
  for (const id of ids) if (!(await noteDelivery(tx, tournamentGuid, id))) return
  if (report.type === 'attempt') await recordReported(tx, { tournamentGuid, report, way: 'hook', playedAt: at, now })
  else await saveReport(tx, tournamentGuid, link.assistantGuid, report, now)
}

/**
 * Saves the report before anything is derived from it. The session that plays the song handles the report on its own.
 * (AS16)
 */
async function saveReport(
  tx: Tx,
  tournamentGuid: string,
  assistantTournament: string,
  report: Finished,
  now: Date,
): Promise<void> {
  const plays = await listReportable(tx, tournamentGuid, report.match)
  const found = reportedPlay(report, plays, assistantTournament)
  const play = found === null ? undefined : await lockPlay(tx, found.play.guid)
  if (found === null || play === undefined) return
  // The song may have ended while this transaction waited for the lock.
  const reported = reportedPlay(report, [play], assistantTournament)
  if (reported === null) return
  const { isFirst } = await saveFinish(tx, play.guid, finishOf(reported, report, now), now)
  if (isFirst) await propose(tx, play.guid, { warnings: [], isComplete: play.state === 'uncertain', now })
}
