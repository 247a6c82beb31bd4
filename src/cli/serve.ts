import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type App, createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { freshenPages } from '../infra/web/built.ts'

const drainMs = 25_000
/** An idle service works for at most this share of a second. */
const idleUtilization = 0.05
/** After so many idle seconds in a row, what the next reader would wait for is made. */
const describingSeconds = 10
/**
 * Code that ran only at the start is dropped once so many collections have found it unused; it is compiled anew should it run
 * again.
 */
const collections = 4

export async function serve(config: Config): Promise<void> {
  const [app, pages] = await Promise.all([createApp(config), freshenPages()])
  if (pages !== null) app.log.info(pages)
  const isStopping = stopOnSignals(app)
  const address = await app.listen()
  app.log.info({ address, environment: config.environment }, 'listening')
  if (config.environment === 'local') {
    await greet(app).catch((error: unknown) => {
      // An error because the database was closed by a stop is ignored.
      if (!isStopping()) throw error
    })
  }
  boundGarbage()
  const collect = returnMemory()
  whenIdle(describingSeconds, () => {
    if (isStopping()) return
    app.describe().then(collect, (err: unknown) => {
      if (!isStopping()) app.log.warn({ err }, 'descriptions are not made')
    })
  })
}

/**
 * Must be called before the service listens, since a caller may stop it after the first answer. Returns a function that
 * tells whether a stop has begun.
 */
function stopOnSignals(app: App): () => boolean {
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    // A second signal ends the process immediately; no acknowledged change can be lost by that.
    if (stopping) process.exit(1)
    stopping = true
    app.log.info({ signal }, 'draining')
    setTimeout(() => process.exit(1), drainMs).unref()
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'closing failed')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  return () => stopping
}

/**
 * Loading leaves about 200 MB of garbage, which the collector frees only under pressure, and an idle service never has
 * any. This frees it in about 60 ms, and frees the garbage of the start in the first second without work.
 */
function returnMemory(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const everything = { type: 'major', execution: 'sync', flavor: 'last-resort' }
  const collectIdly = (left: number) =>
    whenIdle(1, () => {
      collect(everything)
      if (left > 1) collectIdly(left - 1)
    })
  collect(everything)
  collectIdly(collections)
  return () => collectIdly(1)
}

/** Does something once, after so many seconds in a row without work. */
function whenIdle(seconds: number, work: () => void): void {
  let before = performance.eventLoopUtilization()
  let idle = 0
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    idle = utilization > idleUtilization ? 0 : idle + 1
    if (idle < seconds) return
    clearInterval(looking)
    work()
  }, 1_000).unref()
}

/** The size of both halves of the young generation together. */
const maxYoungBytes = 32 * 1024 ** 2

/**
 * By default the collector lets garbage grow to four times the used memory, and the young generation to 128 MB: a busy
 * service would hold 400 MB although it needs 60 MB. This allows half as much garbage as used memory, and a quarter of
 * the young generation. Its maximum cannot be set while the process runs, but its growth can be stopped.
 */
function boundGarbage(): void {
  setFlagsFromString('--heap-growing-percent=50')
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    const mayGrow = young === undefined || young.space_size < maxYoungBytes
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }).observe({ entryTypes: ['gc'] })
}

/** A greeting for a developer who has just started the service on their own machine. */
async function greet({ config, database }: App): Promise<void> {
  const { rows } = await database.pool.query<{ empty: boolean }>('select not exists (select from tournaments) as empty')
  const { publicUrl } = config
  const lines = [
    '',
    `  Downbeat is running: ${publicUrl}/`,
    `    Tournaments     ${publicUrl}/tournaments`,
    ...(config.chat.credentials === null ? [`    Sign in         ${publicUrl}/api/auth/chat?return_to=/me`] : []),
    `    API reference   ${publicUrl}/api/docs`,
    ...(rows[0]?.empty
      ? ['', '  There is no tournament yet. To load a real one, run in another terminal:', '    npm run demo']
      : []),
    '',
  ]
  console.log(lines.join('\n'))
}
