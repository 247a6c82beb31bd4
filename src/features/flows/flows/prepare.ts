import { hash } from 'node:crypto'
import { invalid } from '../../../core/problem.ts'
import type { Flow } from '../../../engine/flows/flow.ts'
import { type GivenFlow, validateFlow } from '../../../engine/flows/validate/flow.ts'
import { mostExpanded, sizeOf } from '../../../engine/flows/validate/program.ts'
import type { FlowProblem, Setting, Verdict } from '../../../engine/flows/validate/types.ts'
import { Recent } from '../../../infra/recent.ts'
import type { Task, Threads } from '../../../infra/threads/threads.ts'
import { type FlowWish, readFlow, type WrittenFlow } from './rules/flows.ts'

/** How flows are judged: long ones, and those for large pools, in a thread, since the longest would keep everybody else waiting. */

/** Turns, which a flow of any event stays below. */
const longestHere = 80
/** Maps, which the pool of a match stays below: each turn looks at all kinds of maps that there are. */
const largestHere = 100

const validator: Task = {
  module: new URL('../../../engine/flows/validate/flow.ts', import.meta.url),
  name: 'validateGiven',
}

/** @throws Problem `service.busy` */
export async function judgeFlow(threads: Threads, flow: Flow, setting: Setting = {}): Promise<Verdict> {
  const { expanded } = sizeOf(flow.steps, flow.seats)
  const isShort = expanded <= longestHere && (setting.pool?.length ?? 0) <= largestHere
  // Longer than a flow may be, it is refused for that, and not gone through.
  if (isShort || expanded > mostExpanded) return validateFlow(flow, setting)
  return threads.run<GivenFlow, Verdict>(validator, { flow, setting })
}

const mostKnownBytes = 1024 * 1024

/**
 * By a digest of the flow, since whoever may write flows can send as many long ones as they like: what is held of each is
 * small, refused ones included, and all of it together has a bound.
 */
export const knownProblems = new Recent<readonly FlowProblem[]>(mostKnownBytes)

/** What can be told without a match and its pool; flows that say the same are gone through once. */
export async function problemsOf(threads: Threads, flow: Flow): Promise<readonly FlowProblem[]> {
  const digest = hash('sha256', JSON.stringify(flow), 'base64url')
  const known = knownProblems.get(digest)
  if (known !== undefined) return known
  const { problems } = await judgeFlow(threads, flow)
  // Two bytes a character, and as much again for the objects around them.
  knownProblems.keep(digest, problems, 4 * JSON.stringify(problems).length)
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
