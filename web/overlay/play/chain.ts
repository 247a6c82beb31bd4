import type { TreeStream } from '../../../src/engine/scenes/tree.ts'

/** By which ways a stream is played, one after the other. (OV19) */

export const ways = ['whep', 'llhls', 'hls', 'embed'] as const
export type Way = (typeof ways)[number]

export interface Step {
  readonly way: Way
  readonly address: string
}

/**
 * The preferred way first, then the others in their order; those alone that there is an address for. Who does not publish here may
 * be seen elsewhere: in a frame. (OV19)
 */
export function stepsOf(stream: TreeStream | null, prefer: Way): readonly Step[] {
  if (stream === null) return []
  return [prefer, ...ways.filter((way) => way !== prefer)].flatMap((way) => {
    const address = stream.live || way === 'embed' ? stream[way] : null
    return typeof address === 'string' && /^https?:\/\//.test(address) ? [{ way, address }] : []
  })
}

/** Milliseconds after each try that failed. (OV19) */
export const waits = [1_000, 2_000, 4_000] as const
/** Until all ways are tried again. (OV19) */
export const pauseMs = 30_000

export interface Playing {
  /** Resolves, once a picture is there, with what resolves when it is gone again. */
  open(step: Step, signal: AbortSignal): Promise<{ readonly lost: Promise<void> }>
  /** No way leads to a picture now. */
  onNothing(): void
  wait(ms: number): Promise<void>
}

/** Three tries by each way, then the next; when none is left, the fallback, and after a while all of them again. (OV19) */
export async function playThrough(steps: readonly Step[], playing: Playing, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (let at = 0; at < steps.length && !signal.aborted; at++) {
      const step = steps[at] as Step
      for (let failures = 0; failures < waits.length && !signal.aborted; ) {
        try {
          const { lost } = await playing.open(step, signal)
          failures = 0
          // What is found again is tried from the best way on.
          await lost
          if (signal.aborted) return
          at = -1
          await playing.wait(waits[0])
          break
        } catch {
          await playing.wait(waits[failures++] ?? 0)
        }
      }
    }
    if (signal.aborted) return
    playing.onNothing()
    await playing.wait(pauseMs)
  }
}
