import type { Instruction } from './program.ts'

/**
 * How long a flow can take where level maps are void: each of them is one play more, before everybody is at match point or
 * then. (match-flows: Rules, tie; Details, 2)
 */

export interface Length {
  readonly steps: number
  readonly seconds: number
}

/** Turns of one way are at most these times as many as the plays on it. */
const mostAtOnce = 3_000_000

/**
 * @param plays until it is decided, if no map is void
 * @param voids that there may be
 */
export function longestWithVoids(program: readonly Instruction[], plays: number, voids: number): Length {
  const dependsOnStanding = program.some(
    (each) => each.kind === 'turn' && each.step.action === 'play' && each.step.when !== 'always',
  )
  const late = lengthOf(program, plays - 1, 1 + voids)
  const early = lengthOf(program, plays - 1 + voids, 1)
  const ends = { steps: Math.max(late.steps, early.steps), seconds: Math.max(late.seconds, early.seconds) }
  if (!dependsOnStanding || voids < 2) return ends
  // In between it can be no more than a few rounds longer than at either end.
  if (voids * ends.steps > mostAtOnce) return { ...ends, steps: ends.steps + 4 * program.length }
  let longest = ends
  for (let before = 1; before < voids; before += 1) {
    const { steps, seconds } = lengthOf(program, plays - 1 + before, 1 + voids - before)
    longest = { steps: Math.max(longest.steps, steps), seconds: Math.max(longest.seconds, seconds) }
  }
  return longest
}

/** With so many plays before everybody is at match point, and then. */
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
