import { parentPort } from 'node:worker_threads'
import { changeOf } from './change.ts'

/** The thread that compares large bodies. */

interface Asked {
  readonly id: number
  readonly before: string
  readonly after: string
}

parentPort?.on('message', ({ id, before, after }: Asked) => {
  parentPort?.postMessage({ id, change: changeOf(before, after) })
})
