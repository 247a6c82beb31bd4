import { type Flow, isEach, isStep, type Part, type Step } from './flow.ts'

/** Where a session stands in its flow. Every cursor stands at a step, or behind the last one, where it is empty. */
export type Cursor = readonly Frame[]

interface Frame {
  /** Of the part in its list, from 0. */
  readonly index: number
  /** How often the block around the list was run through before, or the step at `index` was taken (in the last frame). */
  readonly taken: number
  /** Seats of an `each`, in the order in which they were when it began; the `taken`-th is `it`. */
  readonly order?: readonly number[]
  /** Of the last frame alone: how often the step was taken. */
  readonly times: number
}

/** What blocks depend on. */
export interface Around {
  /** Of an `each` block that begins now. */
  readonly orderOf: (each: string) => readonly number[]
  readonly isDecided: boolean
}

export function start(flow: Flow, around: Around): Cursor {
  return descend(flow, [{ index: 0, taken: 0, times: 0 }], around)
}

/** The step at the cursor; null behind the last. */
export function stepAt(flow: Flow, cursor: Cursor): Step | null {
  const part = partAt(flow, cursor)
  return part !== undefined && isStep(part) ? part : null
}

/** As it is written, counted from 1: `3.2.1`. */
export function pathOf(cursor: Cursor): string {
  return cursor.map(({ index }) => index + 1).join('.')
}

/** The seat that the innermost `each` around the cursor is at. */
export function itAt(cursor: Cursor): number | null {
  const frame = cursor.findLast(({ order }) => order !== undefined)
  return frame?.order?.[frame.taken] ?? null
}

/** Where the flow goes on once the step at the cursor was taken or passed. */
export function next(flow: Flow, cursor: Cursor, around: Around): Cursor {
  const step = stepAt(flow, cursor)
  const last = cursor.at(-1)
  if (step === null || last === undefined) return []
  if (last.times + 1 < step.times) return [...cursor.slice(0, -1), { ...last, times: last.times + 1 }]
  return behind(flow, cursor, around)
}

/** Past the step at the cursor, however often it was to be taken. */
function behind(flow: Flow, cursor: Cursor, around: Around): Cursor {
  const last = cursor.at(-1)
  if (last === undefined) return []
  return descend(flow, [...cursor.slice(0, -1), { ...last, index: last.index + 1, times: 0 }], around)
}

/** The step with this path, its blocks in their first round. */
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

/** The parts of the list that the last frame is in, and the block around them. */
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

const mostPassed = 1_000

/** From wherever the last frame points at, be it a block or the end of a list, to a step. */
function descend(flow: Flow, from: Cursor, around: Around): Cursor {
  let cursor = from
  // A block that goes on until it is decided may hold nothing but blocks that are passed.
  for (let passed = 0; passed < mostPassed; passed += 1) {
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
    // A block that nothing runs through is passed.
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
