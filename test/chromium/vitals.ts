import type { CDPSession, Page } from 'playwright-core'

/** What readers feel of a page: when it is painted, what moves, how long it keeps its thread and answers. (website: Budgets) */

/** A phone of the middle class on a slow network. */
export const slow = { cpu: 4, bytesPerSecond: 1_600_000 / 8, latencyMs: 150 }

export async function throttle(page: Page, { cpu, bytesPerSecond, latencyMs } = slow): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond / 2,
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  return cdp
}

export interface Vitals {
  /** Milliseconds from the start of the navigation to the largest paint. */
  readonly lcp: number
  /** The sum of the layout shifts in the worst window of 5 s, the same as browsers report it. */
  readonly cls: number
  /** What was shifted, the most first. */
  readonly shifted: readonly string[]
  /** Milliseconds of tasks of more than 50. */
  readonly longTasks: readonly number[]
  /** Milliseconds from each press of the reader to the paint after it. */
  readonly interactions: readonly number[]
}

/** Has the page note them from its start on. */
export const watchVitals = (page: Page): Promise<unknown> => page.addInitScript({ content: watching })

export const vitalsOf = (page: Page): Promise<Vitals> => page.evaluate('vitals()')

/** Begins anew with everything but the largest paint, which is one of a navigation. */
export const forgetVitals = (page: Page): Promise<unknown> => page.evaluate('forgetVitals()')

/** What the scripts of the page keep, once everything else is collected. `Performance` must be enabled. */
export async function heapMb(cdp: CDPSession): Promise<number> {
  for (let turn = 0; turn < 3; turn++) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1e6
}

const watching = `{
  let noted
  globalThis.forgetVitals = () => { noted = { shifts: [], longTasks: [], interactions: {} } }
  forgetVitals()
  let lcp = 0
  const watch = (type, each, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more })
  const nameOf = ({ node }) => node ? (node.outerHTML ?? node.textContent ?? '').slice(0, 120) : 'what is gone'
  watch('largest-contentful-paint', ({ startTime }) => { lcp = startTime })
  watch('layout-shift', ({ value, startTime, hadRecentInput, sources = [] }) => {
    if (!hadRecentInput) noted.shifts.push({ value, startTime, of: sources.map(nameOf) })
  })
  watch('longtask', ({ duration }) => { noted.longTasks.push(duration) })
  watch('event', ({ name, startTime, interactionId, duration }) => {
    // What is dragged is no interaction of browsers; taking it up and dropping it are presses all the same.
    if (name === 'dragstart' || name === 'drop') noted.interactions[name + startTime] = duration
    else if (interactionId) noted.interactions[interactionId] = Math.max(duration, noted.interactions[interactionId] ?? 0)
  }, { durationThreshold: 16 })
  globalThis.vitals = () => {
    let [cls, sum, first, last] = [0, 0, 0, 0]
    for (const { value, startTime } of noted.shifts) {
      const isNew = startTime - last > 1000 || startTime - first > 5000
      if (isNew) [sum, first] = [0, startTime]
      last = startTime
      sum += value
      cls = Math.max(cls, sum)
    }
    const shifted = noted.shifts.toSorted((one, other) => other.value - one.value).slice(0, 5)
      .map(({ value, of }) => value.toFixed(4) + ' ' + of.join(' and '))
    return { lcp, cls, shifted, longTasks: noted.longTasks, interactions: Object.values(noted.interactions) }
  }
}`
