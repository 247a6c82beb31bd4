import type { Flow } from '../flow.ts'
import { checkForm, checkSize } from './form.ts'
import { type Instruction, programOf } from './program.ts'
import { longestWithVoids } from './turns.ts'
import { Findings, type FlowProblem, type Setting, type Verdict, type WorstCase } from './types.ts'
import { type Way, walk } from './walk.ts'

/**
 * Finds the problems of a flow and computes its worst case. With any legal acts, lapses and results, a flow without
 * errors is decided within its worst case. (match-flows: Validation)
 */
export function validateFlow(flow: Flow, setting: Setting = {}): Verdict {
  const findings = new Findings()
  if (!checkSize(flow, findings)) return verdict(findings, unknown)
  const program = programOf(flow)
  checkForm(flow, program, setting, findings)
  const ways = waysOf(flow, program, setting)
  findings.addAll(foundByAll(ways))
  const [only, ...others] = ways
  const worstCase =
    only === undefined || others.length > 0 || !only.isDecided ? unknown : worstOf(flow, program, setting, only)
  return verdict(findings, worstCase)
}

export interface GivenFlow {
  readonly flow: Flow
  readonly setting: Setting
}

/** Calls `validateFlow` for a message to a worker thread. */
export function validateGiven({ flow, setting }: GivenFlow): Verdict {
  return validateFlow(flow, setting)
}

const unknown: WorstCase = { maps: null, steps: null, seconds: null }

function verdict(findings: Findings, worstCase: WorstCase): Verdict {
  const problems = findings.sorted
  return { valid: problems.every(({ severity }) => severity === 'warning'), problems, worstCase }
}

/** The values of best of that are tried if a flow fits any. */
const bestsOf = [1, 3, 5, 9]

function waysOf(flow: Flow, program: readonly Instruction[], setting: Setting): readonly Way[] {
  const { pool = null, seedsKnown = true } = setting
  return playsOf(flow, setting).map((plays) => walk({ flow, program, plays, pool, seedsKnown }))
}

/** The number of plays after which the session is decided at the latest; several numbers if the best of is unknown. */
function playsOf({ rules: { play }, seats, bestOf }: Flow, setting: Setting): readonly number[] {
  if (play.mode === 'play_all') return [play.maps]
  const known = setting.bestOf ?? bestOf
  // At the latest, every seat lacks one win, and the next play gives it to one of them.
  return (known === null ? bestsOf : [known]).map((each) => (seats * (each - 1)) / 2 + 1)
}

const strict: ReadonlySet<string> = new Set(['flow.no_decision', 'flow.too_few_maps', 'flow.last_left_drawn'])

/**
 * Problems that exist for every best of that was tried: on every way that reaches their step or, for problems about the
 * number of maps, on every way.
 */
function foundByAll(ways: readonly Way[]): readonly FlowProblem[] {
  const isFound = ({ code, step }: FlowProblem) =>
    ways.every(({ findings, reached }) => {
      const mayBeLeftOut = !strict.has(code) && !reached.has(step ?? 'end')
      return mayBeLeftOut || findings.all.some((other) => other.code === code && other.step === step)
    })
  return ways.flatMap(({ findings }) => findings.all.filter(isFound))
}

function worstOf(flow: Flow, program: readonly Instruction[], setting: Setting, way: Way): WorstCase {
  const { maps, steps, seconds } = way
  const { rules } = flow
  if (rules.play.mode === 'play_all' || !rules.tie.includes('void')) return { maps, steps, seconds }
  const [plays = 1] = playsOf(flow, setting)
  return { maps, ...longestWithVoids(program, plays, voidsOf(setting.pool, plays)) }
}

/** The most void maps: those of the pool that the plays do not need. An unknown pool counts as one void map. */
function voidsOf(pool: Setting['pool'], plays: number): number {
  return pool == null ? 1 : Math.max(pool.length - plays, 0)
}
