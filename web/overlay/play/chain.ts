import type { TreeStream } from '../../../src/engine/scenes/tree.ts'

/** The order of the ways to play a stream. (OV19) */

export const ways = ['whep', 'llhls', 'hls', 'embed'] as const
export type Way = (typeof ways)[number]

export interface Step {
  readonly way: Way
  readonly address: string
}

/**
 * The preferred way first, then the others in order, as far as they have an address. Of a channel on a streaming site the
 * service does not know whether it is live: its player is asked, and covered until it plays. (OV17, OV19)
 */
export function stepsOf(stream: TreeStream | null, prefer: Way): readonly Step[] {
  if (stream === null) return []
  return [prefer, ...ways.filter((way) => way !== prefer)].flatMap((way) => {
    const address = stream.live || way === 'embed' ? stream[way] : null
    return typeof address === 'string' && /^https?:\/\//.test(address) ? [{ way, address }] : []
  })
}

/** The waits after each failed try, in milliseconds. (OV19) */
export const waits = [1_000, 2_000, 4_000] as const
/** The pause before all ways are tried again, in milliseconds. (OV19) */
export const pauseMs = 30_000

export interface Playing {
  /** Resolves when the stream plays; `lost` resolves when it stops playing. */
  open(step: Step, signal: AbortSignal): Promise<{ readonly lost: Promise<void> }>
  /** Called when no way works now. */
  onNothing(): void
  wait(ms: number): Promise<void>
}

/**
 * Tries each way three times; after all have failed it shows the fallback, and tries all again after a pause. (OV19)
 */
export async function playThrough(steps: readonly Step[], playing: Playing, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (let at = 0; at < steps.length && !signal.aborted; at++) {
      const step = steps[at] as Step
      for (let failures = 0; failures < waits.length && !signal.aborted; ) {
        try {
          const { lost } = await playing.open(step, signal)
          failures = 0
          // After a loss, all ways are tried again from the best one.
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
