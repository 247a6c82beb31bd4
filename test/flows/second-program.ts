import type { Flow, Part, Step } from '../../src/engine/flows/flow.ts'

/** The order of the steps of a flow, implemented a second time. (match-flows: Flow) */

export interface Place {
  readonly step: Step
  readonly path: string
  readonly it: number | null
}

export interface Oracle {
  order(each: string): readonly number[]
  decided(): boolean
}

/** @param from path of the first step, with its blocks in their first round */
export function* program(flow: Flow, oracle: Oracle, from: readonly number[] = []): Generator<Place, void> {
  yield* list(flow.steps, '', null, oracle, from)
}

function* list(
  parts: readonly Part[],
  prefix: string,
  it: number | null,
  oracle: Oracle,
  from: readonly number[],
): Generator<Place, boolean> {
  let any = false
  const first = (from[0] ?? 1) - 1
  for (let index = first; index < parts.length; index += 1) {
    const part = parts[index] as Part
    const path = `${prefix}${index + 1}`
    const inner = index === first ? from.slice(1) : []
    if ('action' in part) {
      any = true
      for (let time = 0; time < part.times; time += 1) yield { step: part, path, it }
    } else if ('each' in part) {
      let begin = inner
      for (const seat of oracle.order(part.each)) {
        if (yield* list(part.steps, `${path}.`, seat, oracle, begin)) any = true
        begin = []
      }
    } else {
      let begin = inner
      let rounds = 0
      for (;;) {
        const had = yield* list(part.steps, `${path}.`, it, oracle, begin)
        begin = []
        rounds += 1
        any ||= had
        if (!had || (part.repeat === 'until_decided' ? oracle.decided() : rounds >= part.repeat)) break
      }
    }
  }
  return any
}
