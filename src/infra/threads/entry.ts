import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

/** Where a thread begins: it calls the function that it was made for, and answers with what that gives. */

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
