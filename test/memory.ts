import { setTimeout as pause } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'

v8.setFlagsFromString('--expose-gc')
const collectGarbage: NodeJS.GCFunction = vm.runInNewContext('gc')

/**
 * How much memory this process uses for what can still be reached, in bytes. How much else has been collected is up to
 * the engine, and differs from run to run.
 */
export async function memoryInUse(): Promise<number> {
  // From a task of its own, so that nothing is kept for what the stack seems to refer to. What the first collection leaves to
  // another thread or finalises, such as buffers and sockets that were closed, is free after the second one.
  await collectGarbage({ type: 'major', execution: 'async' })
  collectGarbage({ type: 'major', execution: 'sync' })
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** A collection takes a second in a process that has run many tests: most of the time is the work's. */
const shareOfWork = 3
const firstLookMs = 200

/** @returns by how many bytes more than before were in use while `work` ran, in ascending order; at least one figure */
export async function memoryDuring(work: () => Promise<void>): Promise<readonly [number, ...number[]]> {
  const before = await memoryInUse()
  const growths: number[] = []
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  // It may fail during a collection; the failure is thrown at the end.
  working.catch(() => {})
  for (let restMs = firstLookMs; growths.length === 0 || !isOver; ) {
    await pause(restMs)
    const began = performance.now()
    growths.push((await memoryInUse()) - before)
    restMs = (performance.now() - began) * shareOfWork
  }
  await working
  growths.sort((a, b) => a - b)
  return growths as [number, ...number[]]
}
