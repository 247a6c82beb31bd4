import { hash } from 'node:crypto'
import { invalid } from '../../../core/problem.ts'
import type { Flow } from '../../../engine/flows/flow.ts'
import { type GivenFlow, validateFlow } from '../../../engine/flows/validate/flow.ts'
import { maxExpanded, sizeOf } from '../../../engine/flows/validate/program.ts'
import type { FlowProblem, Setting, Verdict } from '../../../engine/flows/validate/types.ts'
import { LruCache } from '../../../infra/lru-cache.ts'
import type { Task, Threads } from '../../../infra/threads/threads.ts'
import { type FlowWish, readFlow, type WrittenFlow } from './rules.ts'

/**
 * Validates flows. Long flows, and flows for large pools, are validated in a thread, since the longest would block the
 * other requests.
 */

/** Expanded steps; no flow of a usual event has more. */
const maxStepsHere = 80
/** Maps; no pool of a usual match has more. The validator looks at every kind of map in every step. */
const maxHere = 100

const validator: Task = {
  module: new URL('../../../engine/flows/validate/flow.ts', import.meta.url),
  name: 'validateGiven',
}

/** @throws Problem `service.busy` */
export async function judgeFlow(threads: Threads, flow: Flow, setting: Setting = {}): Promise<Verdict> {
  const { expanded } = sizeOf(flow.steps, flow.seats)
  const isShort = expanded <= maxStepsHere && (setting.pool?.length ?? 0) <= maxHere
  // A flow above the maximum length is rejected for its length alone, which is fast.
  if (isShort || expanded > maxExpanded) return validateFlow(flow, setting)
  return threads.run<GivenFlow, Verdict>(validator, { flow, setting })
}

const maxKnownBytes = 1024 * 1024

/**
 * A cache of problems by a digest of the flow. It is limited, and each entry is small, also for rejected flows: users
 * who write flows can send as many long ones as they like.
 */
export const knownProblems = new LruCache<readonly FlowProblem[]>(maxKnownBytes)

/** The problems of a flow that do not depend on a match and its pool. Equal flows are validated once. */
export async function problemsOf(threads: Threads, flow: Flow): Promise<readonly FlowProblem[]> {
  const digest = hash('sha256', JSON.stringify(flow), 'base64url')
  const known = knownProblems.get(digest)
  if (known !== undefined) return known
  const { problems } = await judgeFlow(threads, flow)
  // Two bytes for each character, and as much again for the objects.
  knownProblems.keep(digest, problems, 4 * JSON.stringify(problems).length)
  return problems
}

export interface JudgedFlow extends WrittenFlow {
  readonly problems: readonly FlowProblem[]
}

/**
 * Validates a flow in a request. A flow with errors is rejected; a flow with warnings is saved. (match-flows:
 * Validation)
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
