import type { Instruction } from './program.ts'

/**
 * How long a flow can take if level maps are void. Each void map adds one play, either before or after all seats are at
 * match point. (match-flows: Rules, tie; Details, 2)
 */

export interface Length {
  readonly steps: number
  readonly seconds: number
}

/** The most turns that are walked through for an exact result. Above it, the length is estimated. */
const maxAtOnce = 3_000_000

/**
 * @param plays until the session is decided, if no map is void
 * @param voids the most void maps
 */
export function longestWithVoids(program: readonly Instruction[], plays: number, voids: number): Length {
  const dependsOnStanding = program.some(
    (each) => each.kind === 'turn' && each.step.action === 'play' && each.step.when !== 'always',
  )
  const late = lengthOf(program, plays - 1, 1 + voids)
  const early = lengthOf(program, plays - 1 + voids, 1)
  const ends = { steps: Math.max(late.steps, early.steps), seconds: Math.max(late.seconds, early.seconds) }
  if (!dependsOnStanding || voids < 2) return ends
  // With void maps both before and after match point, the length is at most a few rounds more than these two.
  if (voids * ends.steps > maxAtOnce) return { ...ends, steps: ends.steps + 4 * program.length }
  let longest = ends
  for (let before = 1; before < voids; before += 1) {
    const { steps, seconds } = lengthOf(program, plays - 1 + before, 1 + voids - before)
    longest = { steps: Math.max(longest.steps, steps), seconds: Math.max(longest.seconds, seconds) }
  }
  return longest
}

/** The length with `before` plays until all seats are at match point, and `then` plays after that. */
function lengthOf(program: readonly Instruction[], before: number, then: number): Length {
  let [at, played, steps, seconds, idle] = [0, 0, 0, 0, 0]
  while (played < before + then && idle <= 2 * program.length) {
    const instruction = program[at]
    if (instruction === undefined) break
    idle += 1
    at = instruction.kind === 'again' ? instruction.to : at + 1
    if (instruction.kind !== 'turn') continue
    const { step } = instruction
    steps += 1
    if (step.when !== 'always' && (step.when === 'all_at_match_point') !== played >= before) continue
    seconds += instruction.seconds
    if (step.action !== 'play') continue
    played += 1
    idle = 0
  }
  return { steps, seconds }
}
