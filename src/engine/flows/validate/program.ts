import type { Cursor } from '../cursor.ts'
import { type Flow, isEach, isStep, type Part, type Step } from '../flow.ts'
import { isOfSeats, placeToken, type Token, tokensOf } from './actors.ts'
import { mayForfeit, mayGoToOpponent, mayLapse, secondsOf } from './lapses.ts'

/**
 * A flow with its blocks written out: a list of turns. An `until_decided` block ends with a jump back.
 * (match-flows: Flow)
 */

export const maxWritten = 60
export const maxExpanded = 300
export const maxDepth = 2
/**
 * Limit of a flow as JSON, with all members: it may name many flairs with long names, and a list of flows returns each
 * flow whole.
 */
export const maxBytes = 64 * 1024

export interface Turn {
  readonly kind: 'turn'
  readonly path: string
  readonly step: Step
  readonly actors: readonly Token[]
  /** Equal for turns with the same actors. */
  readonly key: string
  /** Seconds of all its clocks. */
  readonly seconds: number
  readonly mayLapse: boolean
  readonly mayForfeit: boolean
  /** Whether a lapse may pass the turn to the opponent. */
  readonly mayPass: boolean
}

export type Instruction =
  | Turn
  /** An `each` block begins. */
  | { readonly kind: 'each'; readonly path: string; readonly each: string }
  | { readonly kind: 'enter'; readonly path: string }
  /** Jumps back to the index `to`, where the block with this path began. */
  | { readonly kind: 'again'; readonly path: string; readonly to: number }

export interface Size {
  readonly written: number
  readonly expanded: number
  readonly depth: number
}

export function sizeOf(parts: readonly Part[], seats: number): Size {
  let size: Size = { written: 0, expanded: 0, depth: 0 }
  for (const part of parts) {
    const inner = isStep(part) ? { written: 1, expanded: part.times, depth: 0 } : blockSize(part, seats)
    size = {
      written: size.written + inner.written,
      expanded: size.expanded + inner.expanded,
      depth: Math.max(size.depth, inner.depth),
    }
  }
  return size
}

function blockSize(block: Exclude<Part, Step>, seats: number): Size {
  const { written, expanded, depth } = sizeOf(block.steps, seats)
  const rounds = isEach(block) ? seats : block.repeat === 'until_decided' ? 1 : block.repeat
  return { written, expanded: expanded * rounds, depth: depth + 1 }
}

export function programOf(flow: Flow): readonly Instruction[] {
  const program: Instruction[] = []
  write(program, flow, flow.steps, '', null)
  return program
}

function write(program: Instruction[], flow: Flow, parts: readonly Part[], prefix: string, it: Token | null): void {
  for (const [index, part] of parts.entries()) {
    const path = `${prefix}${index + 1}`
    if (isStep(part)) {
      const turn = turnOf(part, path, it)
      for (let time = 0; time < part.times; time += 1) program.push(turn)
    } else if (isEach(part)) {
      program.push({ kind: 'each', path, each: part.each })
      for (let round = 1; round <= flow.seats; round += 1) {
        write(program, flow, part.steps, `${path}.`, placeToken(part.each, round, flow.seats))
      }
    } else if (part.repeat === 'until_decided') {
      const to = program.push({ kind: 'enter', path }) - 1
      write(program, flow, part.steps, `${path}.`, it)
      program.push({ kind: 'again', path, to })
    } else {
      for (let round = 0; round < part.repeat; round += 1) write(program, flow, part.steps, `${path}.`, it)
    }
  }
}

/** Index in the program of the step at a cursor. All rounds of an `until_decided` block have the same index. */
export function placeOf({ seats, steps }: Flow, cursor: Cursor): number {
  let [at, parts] = [0, steps]
  for (const [level, { index, times }] of cursor.entries()) {
    for (const before of parts.slice(0, index)) at += lengthOf(before, seats)
    const part = parts[index]
    if (part === undefined || isStep(part)) return at + times
    const round = lengthOfAll(part.steps, seats)
    const taken = cursor[level + 1]?.taken ?? 0
    if (isEach(part)) at += 1 + taken * round
    else at += part.repeat === 'until_decided' ? 1 : taken * round
    parts = part.steps
  }
  return at
}

function lengthOfAll(parts: readonly Part[], seats: number): number {
  return parts.reduce((sum, part) => sum + lengthOf(part, seats), 0)
}

function lengthOf(part: Part, seats: number): number {
  if (isStep(part)) return part.times
  const round = lengthOfAll(part.steps, seats)
  if (isEach(part)) return 1 + seats * round
  return part.repeat === 'until_decided' ? 2 + round : part.repeat * round
}

function turnOf(step: Step, path: string, it: Token | null): Turn {
  const actors = tokensOf(step.actor, it)
  const key = actors.map(({ name }) => name).join(',')
  // No time runs out for a referee or for a draw.
  const isOfSeat = isOfSeats(actors)
  const lapses = {
    mayLapse: isOfSeat && mayLapse(step),
    mayForfeit: isOfSeat && mayForfeit(step),
    mayPass: isOfSeat && mayGoToOpponent(step),
  }
  return { kind: 'turn', path, step, actors, key, seconds: secondsOf(step), ...lapses }
}
