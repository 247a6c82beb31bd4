import { conflict } from '../../../core/problem.ts'
import type { Flow } from '../../../engine/flows/flow.ts'
import type { Setting } from '../../../engine/flows/validate/types.ts'
import type { Threads } from '../../../infra/threads/threads.ts'
import { judgeFlow } from '../flows/prepare.ts'

/**
 * A session begins only by a flow that comes to its end whatever happens, with this pool, for this match. (match-flows:
 * Validation)
 * @throws Problem `flow.invalid` with what is wrong
 */
export async function checkFlow(threads: Threads, flow: Flow, setting: Setting): Promise<void> {
  const { valid, problems } = await judgeFlow(threads, flow, setting)
  if (valid) return
  const errors = problems.filter(({ severity }) => severity === 'error')
  throw conflict('flow.invalid', errors[0]?.message ?? 'The flow cannot be played here.', { problems })
}
