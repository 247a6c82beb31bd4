import { type Flow, isEach, isStep, type Part, type Step } from './flow.ts'

/** The position of a session in its flow. A cursor points at a step; after the last step it is empty. */
export type Cursor = readonly Frame[]

interface Frame {
  /** Index of the part in its list, from 0. */
  readonly index: number
  /** Number of finished rounds of the block around the list. */
  readonly taken: number
  /** For an `each` block: its seats, in the order they had when the block began. The seat at index `taken` is `it`. */
  readonly order?: readonly number[]
  /** In the last frame: how often the step was taken already. 0 in all other frames. */
  readonly times: number
}

/** The facts about the session that blocks depend on. */
export interface Around {
  /** The order of the seats for an `each` block that begins now. */
  readonly orderOf: (each: string) => readonly number[]
  readonly isDecided: boolean
}

export function start(flow: Flow, around: Around): Cursor {
  return descend(flow, [{ index: 0, taken: 0, times: 0 }], around)
}

/** The step at the cursor; null after the last step. */
export function stepAt(flow: Flow, cursor: Cursor): Step | null {
  const part = partAt(flow, cursor)
  return part !== undefined && isStep(part) ? part : null
}

/** The path of the step, counted from 1, such as `3.2.1`. */
export function pathOf(cursor: Cursor): string {
  return cursor.map(({ index }) => index + 1).join('.')
}

/** The seat that is `it` in the innermost `each` block around the cursor; null outside such a block. */
export function itAt(cursor: Cursor): number | null {
  const frame = cursor.findLast(({ order }) => order !== undefined)
  return frame?.order?.[frame.taken] ?? null
}

/** The cursor after the step at `cursor` was taken or passed. */
export function next(flow: Flow, cursor: Cursor, around: Around): Cursor {
  const step = stepAt(flow, cursor)
  const last = cursor.at(-1)
  if (step === null || last === undefined) return []
  if (last.times + 1 < step.times) return [...cursor.slice(0, -1), { ...last, times: last.times + 1 }]
  return behind(flow, cursor, around)
}

/** The cursor after the step, without its remaining repetitions. */
function behind(flow: Flow, cursor: Cursor, around: Around): Cursor {
  const last = cursor.at(-1)
  if (last === undefined) return []
  return descend(flow, [...cursor.slice(0, -1), { ...last, index: last.index + 1, times: 0 }], around)
}

/**
 * A cursor at the step with this path, with all blocks around it in their first round; null if there is no such step.
 */
export function jump(flow: Flow, path: string, around: Around): Cursor | null {
  const numbers = path.split('.').map(Number)
  let parts: readonly Part[] = flow.steps
  let order: readonly number[] | undefined
  const cursor: Frame[] = []
  for (const number of numbers) {
    const part = parts[number - 1]
    if (part === undefined) return null
    cursor.push({ index: number - 1, taken: 0, times: 0, ...(order === undefined ? {} : { order }) })
    order = !isStep(part) && isEach(part) ? around.orderOf(part.each) : undefined
    parts = isStep(part) ? [] : part.steps
  }
  return stepAt(flow, cursor) === null ? null : cursor
}

/** The list that the last frame points into, and the block around it; null for the top level. */
function listAt(flow: Flow, cursor: Cursor): { readonly parts: readonly Part[]; readonly block: Part | null } {
  let parts = flow.steps
  let block: Part | null = null
  for (const { index } of cursor.slice(0, -1)) {
    const part = parts[index]
    if (part === undefined || isStep(part)) throw new Error('a cursor goes through blocks')
    block = part
    parts = part.steps
  }
  return { parts, block }
}

function partAt(flow: Flow, cursor: Cursor): Part | undefined {
  const last = cursor.at(-1)
  return last === undefined ? undefined : listAt(flow, cursor).parts[last.index]
}

const maxPassed = 1_000

/** Moves a cursor that points at a block, or at the end of a list, on to the next step. */
function descend(flow: Flow, from: Cursor, around: Around): Cursor {
  let cursor = from
  // An `until_decided` block that contains only empty blocks would loop for ever, so the number of moves is limited.
  for (let passed = 0; passed < maxPassed; passed += 1) {
    const last = cursor.at(-1)
    if (last === undefined) return []
    const { parts, block } = listAt(flow, cursor)
    const part = parts[last.index]
    if (part === undefined) {
      if (block === null) return []
      cursor = again(block, last, around)
        ? [...cursor.slice(0, -1), { ...last, index: 0, taken: last.taken + 1, times: 0 }]
        : leave(cursor)
      continue
    }
    if (isStep(part)) return cursor
    const order = isEach(part) ? around.orderOf(part.each) : undefined
    // A block without steps, or an `each` block without seats, is passed.
    const isEmpty = part.steps.length === 0 || order?.length === 0
    cursor = isEmpty
      ? [...cursor.slice(0, -1), { ...last, index: last.index + 1 }]
      : [...cursor, { index: 0, taken: 0, times: 0, ...(order === undefined ? {} : { order }) }]
  }
  return []
}

function again(block: Part, { taken, order }: Frame, { isDecided }: Around): boolean {
  if (isStep(block)) return false
  if (isEach(block)) return taken + 1 < (order?.length ?? 0)
  return block.repeat === 'until_decided' ? !isDecided : taken + 1 < block.repeat
}

function leave(cursor: Cursor): Cursor {
  const outer = cursor.slice(0, -1)
  const last = outer.at(-1)
  return last === undefined ? [] : [...outer.slice(0, -1), { ...last, index: last.index + 1, times: 0 }]
}
