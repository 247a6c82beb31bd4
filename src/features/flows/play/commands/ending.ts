import type { SignedIn } from '../../../../core/actor.ts'
import type { Refusal } from '../../../../core/operation.ts'
import { conflict } from '../../../../core/problem.ts'
import { isOver } from '../../../../engine/flows/acts.ts'
import { finalGames } from '../../../../engine/flows/machine.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { retireSession, writeRows } from '../../flowSessions/commands/log.ts'
import type { StateView } from '../../flowSessions/views/state.ts'
import { beginningOf, storeSession } from './beginning.ts'
import { answer, changeSession, checkPosition, openBoth, type Target, withState } from './changing.ts'

interface Ending {
  readonly expect?: number | undefined
  readonly reason: string
}

/**
 * Ends a session without a result: a free one, or that of a match whose maps are told by hand from then on.
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
      ...{ expect, mayEndMap: false },
      judge: ({ machine }) => {
        if (isOver(machine)) throw conflict('flow.over', 'The session is over.')
        return [{ kind: 'finish', data: { winner: null, reason } }]
      },
    },
    now,
  )
}

/**
 * Begins a session anew, from its own copies of flow, pool and teams; nothing of the old one shows in the new one.
 * @throws Problem `flow.over`, `flow.map_final`
 */
export async function restartSession(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { expect }: Ending,
  now: Date,
): Promise<StateView> {
  const { open } = await openBoth(tx, actor, target, true, now)
  return withState(tx, actor, open, async () => {
    checkPosition(open.machine, expect)
    if (isOver(open.machine)) throw conflict('flow.over', 'The session is over.')
    if (finalGames(open.machine).length > 0) {
      throw conflict('flow.map_final', 'A map has ended already; take it back first.')
    }
    const ended = await writeRows(tx, open, [{ kind: 'void', data: { why: 'restart' } }], actor.guid)
    await retireSession(tx, ended.record)
    const begun = await storeSession(tx, actor, beginningOf(open.record, open.machine.start))
    return answer(tx, actor, begun)
  })
}
