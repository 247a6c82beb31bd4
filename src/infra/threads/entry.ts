import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

/** The start of a thread: it calls one exported function and posts its result. */

const { cache, module, name, input } = workerData as {
  readonly cache: string | undefined
  readonly module: string
  readonly name: string
  readonly input: unknown
}
if (cache !== undefined) enableCompileCache(cache)
const exported = (await import(module)) as Readonly<Record<string, (input: unknown) => unknown>>
const work = exported[name]
if (work === undefined) throw new Error(`${module} does not export ${name}`)
parentPort?.postMessage(await work(input))
