import type { SceneDocument } from '../../src/engine/scenes/document.ts'
import type { PlayerScore } from '../../src/engine/scenes/live.ts'
import type { ControlState, DataTree } from '../../src/engine/scenes/tree.ts'
import type { Listener, Source } from './source.ts'

/**
 * The data of an overlay from the page of the website that has this one in a frame. That page reads it with the rights of
 * its reader, so there is no token that an address, a log or a history could hold. (OV15, OV16)
 */

export const previewAddress = '/overlay/preview'

/** What this page says when it is ready to show something. */
export const previewReady = 'overlay.ready'

/** What the page around tells: everything once this page is ready, then what has changed. */
export interface PreviewData {
  /** By how many milliseconds the time of the service is ahead of this machine's. */
  readonly aheadMs: number
  readonly document?: SceneDocument
  readonly control?: ControlState
  readonly data?: DataTree
  readonly live?: Readonly<Record<string, PlayerScore>>
}

export class PreviewSource implements Source {
  #aheadMs = 0

  now(): number {
    return Date.now() + this.#aheadMs
  }

  listen(listener: Listener): () => void {
    const hear = ({ origin, source, data: told }: MessageEvent<PreviewData | string>) => {
      if (origin !== location.origin || source !== parent || typeof told === 'string') return
      const { aheadMs, document, control, data, live } = told
      if (typeof aheadMs !== 'number') return
      this.#aheadMs = aheadMs
      if (document !== undefined) listener.document(document)
      if (control !== undefined) listener.control(control)
      if (data !== undefined) listener.data(data)
      if (live !== undefined) listener.live(live)
    }
    addEventListener('message', hear)
    parent.postMessage(previewReady, location.origin)
    return () => removeEventListener('message', hear)
  }
}
