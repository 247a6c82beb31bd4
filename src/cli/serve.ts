import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type App, createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { freshenPages } from '../infra/web/built.ts'

const drainMs = 25_000
/** At most this share of a second is spent on work when there is nothing to do. */
const idleUtilization = 0.05

export async function serve(config: Config): Promise<void> {
  const [app, pages] = await Promise.all([createApp(config), freshenPages()])
  if (pages !== null) app.log.info(pages)
  const isStopping = stopOnSignals(app)
  const address = await app.listen()
  app.log.info({ address, environment: config.environment }, 'listening')
  if (config.environment === 'local') {
    await greet(app).catch((error: unknown) => {
      // The database goes while it is being stopped.
      if (!isStopping()) throw error
    })
  }
  boundGarbage()
  returnMemory()
}

/** Before it listens: whoever has had an answer may tell it to stop. Answers whether it was told to. */
function stopOnSignals(app: App): () => boolean {
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    // A second signal ends it at once; nothing acknowledged can be lost by that.
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
 * Loading leaves some 200 MB of garbage that the collector would only take back under pressure, which an idle service
 * never meets. This takes it back, in some 60 ms; and what beginning leaves behind, in the first second with nothing to do.
 */
function returnMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const everything = { type: 'major', execution: 'sync', flavor: 'last-resort' }
  collect(everything)
  let before = performance.eventLoopUtilization()
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > idleUtilization) return
    clearInterval(looking)
    collect(everything)
  }, 1_000).unref()
}

/** Bytes of the young generation, both halves together. */
const mostYoungBytes = 32 * 1024 ** 2

/**
 * By itself the collector lets garbage grow to four times of what is in use, and the young generation to 128 MB: a busy
 * service would hold 400 MB for the 60 that it needs. This lets it have half as much garbage as it has in use, and a quarter
 * of the young generation, which has no bound that could be set while the process runs, but a growth that can be stopped.
 */
function boundGarbage(): void {
  setFlagsFromString('--heap-growing-percent=50')
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    const mayGrow = young === undefined || young.space_size < mostYoungBytes
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }).observe({ entryTypes: ['gc'] })
}

/** For whoever has just started it on their own machine. */
async function greet({ config, database }: App): Promise<void> {
  const { rows } = await database.pool.query<{ empty: boolean }>('select not exists (select from tournaments) as empty')
  const { publicUrl } = config
  const lines = [
    '',
    `  Downbeat is running at ${publicUrl}`,
    `    API reference   ${publicUrl}/api/docs`,
    `    Tournaments     ${publicUrl}/api/tournaments`,
    ...(config.chat.credentials === null
      ? [`    Sign in         ${publicUrl}/api/auth/chat?return_to=/api/docs/?signed-in`]
      : []),
    ...(rows[0]?.empty
      ? ['', '  There is no tournament yet. To load a real one, run in another terminal:', '    npm run demo']
      : []),
    '',
  ]
  console.log(lines.join('\n'))
}
