import type { SignedIn } from '../../../../core/actor.ts'
import type { Refusal } from '../../../../core/operation.ts'
import { conflict } from '../../../../core/problem.ts'
import { finalGames } from '../../../../engine/flows/machine.ts'
import { isOver } from '../../../../engine/flows/seat-actions.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import { type OpenSession, openSession, retireSession, writeRows } from '../../flowSessions/commands/log.ts'
import type { StateView } from '../../flowSessions/views/state.ts'
import { beginningOf, storeSession } from './beginning.ts'
import { answer, changeSession, checkPosition, openBoth, type Target, withState } from './changing.ts'

interface Ending {
  readonly expect?: number | undefined
  readonly reason: string
}

/**
 * Ends a session without a result: a free session, or one whose match continues with games reported by hand.
 * @throws Problem `flow.over`
 */
export async function finishSession(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { expect, reason }: Ending,
  now: Date,
): Promise<StateView | Refusal> {
  return changeSession(
    tx,
    actor,
    target,
    {
      expect,
      mayEndMap: false,
      judge: ({ machine }) => {
        if (isOver(machine)) throw conflict('flow.over', 'The session is over.')
        return [{ kind: 'finish', data: { winner: null, reason } }]
      },
    },
    now,
  )
}

/**
 * Begins a session again from its own copies of flow, pool and teams. The old log names the new session; the new one
 * contains nothing of the old. A repeated request returns the new session's state.
 * @throws Problem `flow.over`, `flow.map_final`, `flow.too_many_live`, `flow.limit_reached`
 */
export async function restartSession(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { expect, reason }: Ending,
  now: Date,
): Promise<StateView> {
  const { open } = await openBoth(tx, actor, target, true, now)
  const successor = await begunBefore(tx, open, actor, { expect, reason })
  if (successor !== undefined) return answer(tx, actor, successor)
  return withState(tx, actor, open, async () => {
    checkPosition(open.machine, expect)
    if (isOver(open.machine)) throw conflict('flow.over', 'The session is over.')
    if (finalGames(open.machine).length > 0) {
      throw conflict('flow.map_final', 'A map has ended already; take it back first.')
    }
    const [session = ''] = await newGuids(tx, 1)
    const ended = await writeRows(tx, open, [{ kind: 'void', data: { why: 'restart', reason, session } }], actor.guid)
    await retireSession(tx, ended.record)
    const begun = await storeSession(tx, actor, beginningOf(open.record, open.machine.start), session)
    return answer(tx, actor, begun)
  })
}

/** The session that the same restart of the same caller has begun already. (match-flows: Operations) */
async function begunBefore(
  tx: Tx,
  { machine }: OpenSession,
  actor: SignedIn,
  { expect, reason }: Ending,
): Promise<OpenSession | undefined> {
  const row = expect === undefined ? undefined : machine.rows[expect]
  if (row?.kind !== 'void' || row.by !== actor.guid || row.data.reason !== reason) return undefined
  return row.data.session === undefined ? undefined : openSession(tx, row.data.session)
}
