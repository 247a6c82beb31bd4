import { enableCompileCache } from 'node:module'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import type { Posted } from './one-off-process.ts'

/** The start of a thread, or of a process: it calls one exported function and posts its result. */

export interface Work {
  /** The folder of compiled modules. */
  readonly cache: string | undefined
  /** The address of the module. */
  readonly module: string
  /** The name of the function. */
  readonly name: string
  readonly input: unknown
}

async function resultOf({ cache, module, name, input }: Work): Promise<unknown> {
  if (cache !== undefined) enableCompileCache(cache)
  const exported = (await import(module)) as Readonly<Record<string, (input: unknown) => unknown>>
  const work = exported[name]
  if (work === undefined) throw new Error(`${module} does not export ${name}`)
  return await work(input)
}

if (isMainThread) {
  // A channel that closes before the result is there means that the service has ended.
  process.once('disconnect', () => process.exit())
  process.once('message', async (work: Work) => {
    const posted = await resultOf(work).then(
      (result): Posted => ({ result }),
      (error: unknown): Posted => ({ error: error instanceof Error ? error.message : String(error) }),
    )
    process.send?.(posted)
  })
} else {
  parentPort?.postMessage(await resultOf(workerData as Work))
}
