import { invalid } from '../../../core/problem.ts'
import type { Flow } from '../../../engine/flows/flow.ts'
import { type GivenFlow, validateFlow } from '../../../engine/flows/validate/flow.ts'
import { sizeOf } from '../../../engine/flows/validate/program.ts'
import type { FlowProblem, Setting, Verdict } from '../../../engine/flows/validate/types.ts'
import type { Task, Threads } from '../../../infra/threads/threads.ts'
import { type FlowWish, readFlow, type WrittenFlow } from './rules/flows.ts'

/** How flows are judged: long ones in a thread, since the longest would keep everybody else waiting. */

/** Turns, which a flow of any event stays below. */
const longestHere = 80

const validator: Task = {
  module: new URL('../../../engine/flows/validate/flow.ts', import.meta.url),
  name: 'validateGiven',
}

/** @throws Problem `service.busy` */
export async function judgeFlow(threads: Threads, flow: Flow, setting: Setting = {}): Promise<Verdict> {
  if (sizeOf(flow.steps, flow.seats).expanded <= longestHere) return validateFlow(flow, setting)
  return threads.run<GivenFlow, Verdict>(validator, { flow, setting })
}

const known = new Map<string, readonly FlowProblem[]>()
const mostKnown = 200

/** What can be told without a match and its pool; flows that say the same are gone through once. */
export async function problemsOf(threads: Threads, flow: Flow): Promise<readonly FlowProblem[]> {
  const text = JSON.stringify(flow)
  const problems = known.get(text) ?? (await judgeFlow(threads, flow)).problems
  known.delete(text)
  known.set(text, problems)
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
  return problems
}

export interface JudgedFlow extends WrittenFlow {
  readonly problems: readonly FlowProblem[]
}

/**
 * What somebody writes down; a flow with errors is not kept, one with warnings is. (match-flows: Validation)
 * @throws Problem what `readFlow` refuses, `flow.invalid`, `service.busy`
 */
export async function judgeWritten(threads: Threads, wish: FlowWish): Promise<JudgedFlow> {
  const written = readFlow(wish)
  const problems = await problemsOf(threads, written.definition)
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first === undefined) return { ...written, problems }
  const place = first.step === null ? '' : `Step ${first.step}: `
  const others = errors.length === 1 ? '' : ` There are ${errors.length - 1} more.`
  throw invalid('flow.invalid', `${place}${first.message}${others}`, { problems })
}
