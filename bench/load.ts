import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  readonly connections?: number
  /** Called for each request in turn; the plain address where it is absent. */
  readonly requests?: readonly {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly headers?: Record<string, string>
  }[]
  readonly headers?: Record<string, string>
  readonly seconds?: number
  /** Stops after so many requests instead. */
  readonly amount?: number
}

/** Answers per second; every answer must be a 2xx, for a benchmark of refusals would flatter. */
export async function load(options: Load): Promise<number> {
  const started = performance.now()
  const result = await autocannon({
    url: options.url,
    connections: options.connections ?? 32,
    ...(options.amount === undefined ? { duration: options.seconds ?? 4 } : { amount: options.amount }),
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    ...(options.requests === undefined ? {} : { requests: [...options.requests] }),
  })
  const seconds = (performance.now() - started) / 1000
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${options.url} failed`)
  return options.amount === undefined ? result.requests.average : result.requests.total / seconds
}

/** Calls per second of `work`, kept under way `concurrency` at a time for so long. */
export async function loop(work: (index: number) => Promise<unknown>, concurrency = 32, seconds = 4): Promise<number> {
  let done = 0
  let next = 0
  const started = performance.now()
  const until = started + seconds * 1000
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < until) {
        await work(next++)
        done++
      }
    }),
  )
  return done / ((performance.now() - started) / 1000)
}

/** Calls per second of `work` for each of `count` indices. */
export async function each(
  work: (index: number) => Promise<unknown>,
  count: number,
  concurrency = 32,
): Promise<number> {
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let index = next++; index < count; index = next++) await work(index)
    }),
  )
  return count / ((performance.now() - started) / 1000)
}

/**
 * Measures two things in turns, so that a noisy machine disturbs both alike, and answers the medians.
 * The first turn of each warms up and does not count.
 */
export async function inTurns(
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
  turns = 3,
): Promise<{ ours: number; baseline: number }> {
  const measured: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] }
  for (let turn = 0; turn <= turns; turn++) {
    const [b, o] = [await baseline(), await ours()]
    if (turn === 0) continue
    measured.baseline.push(b)
    measured.ours.push(o)
  }
  return { ours: median(measured.ours), baseline: median(measured.baseline) }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
