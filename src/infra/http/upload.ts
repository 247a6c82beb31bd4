import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { StoredUpload, UploadTerms } from '../../core/operation.ts'
import { Problem } from '../../core/problem.ts'
import { Turns } from './turns.ts'
import { type AnnouncedFile, storeFile } from './upload-file.ts'
import { UploadFiles } from './upload-files.ts'
import { type AnnouncedUpload, type Judge, type ReceivedUpload, UploadForm, type UploadLimits } from './upload-form.ts'
import { malformed } from './upload-parser.ts'

/**
 * Forms with a file that goes to disk as it comes, while the other parts are read. Of the file nothing is looked at here but
 * how long it is; its digest is taken on the way. (M4, M5, M6)
 */

const usualLimits: UploadLimits = { idleMs: 30_000, wholeMs: 60_000, mostAtOnce: 100 }

/** A file may be as large as a video is, and take as long. (M: Details, 3) */
const filePatience = 5

/** Those that arrive. */
export class Uploads {
  readonly #folder: string
  readonly #limits: UploadLimits
  readonly #turns = new Turns()
  #arriving = 0

  /** @param folder for files that are arriving, and for what is made of them before it has a name of its own */
  constructor(folder: string, limits: Partial<UploadLimits> = {}) {
    this.#folder = folder
    this.#limits = { ...usualLimits, ...limits }
  }

  /** How many are arriving. */
  get arriving(): number {
    return this.#arriving
  }

  /**
   * @param announced null where no form was sent
   * @param known members that stand in the query
   * @throws Problem of `judge`; `media.too_large`, `request.malformed`, `service.busy`. Nothing of it is kept then.
   */
  async receive(
    announced: AnnouncedUpload | null,
    known: ReadonlySet<string>,
    judge: Judge,
  ): Promise<ReceivedUpload & { readonly terms: UploadTerms; readonly discard: () => Promise<void> }> {
    const first = await judge({}, { isWhole: announced === null, hasFile: false })
    if (announced === null) throw malformed('lacks its form')
    return this.#storing(async (files) => {
      const reading = new UploadForm(announced, known, {
        ...{ judge, terms: first, limits: this.#limits },
        ...{ files, turns: this.#turns },
      })
      return { ...(await reading.done), terms: reading.terms, discard: () => files.discard() }
    })
  }

  /**
   * A body that is a file as it stands.
   * @param announced null where nothing was sent
   * @throws Problem `request.too_large`, `request.malformed`, `service.busy`. Nothing of it is kept then.
   */
  async receiveFile(
    announced: AnnouncedFile | null,
    mostBytes: number,
  ): Promise<{ readonly file: StoredUpload; readonly discard: () => Promise<void> }> {
    if (announced === null) throw malformed('is empty')
    return this.#storing(async (files) => {
      const { idleMs, wholeMs } = this.#limits
      const file = await storeFile(announced, files, {
        ...{ mostBytes, idleMs, wholeMs: filePatience * wholeMs },
        turns: this.#turns,
      })
      return { file, discard: () => files.discard() }
    })
  }

  async #storing<T>(store: (files: UploadFiles) => Promise<T>): Promise<T> {
    if (this.#arriving >= this.#limits.mostAtOnce) throw busy()
    this.#arriving++
    const files = new UploadFiles(path.join(this.#folder, randomUUID()))
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o750 })
      return await store(files)
    } catch (error) {
      await files.discard()
      throw error
    } finally {
      this.#arriving--
    }
  }
}

function busy(): Problem {
  return new Problem('unavailable', 'service.busy', 'Too much is being sent to the service; try again in a second.', {
    headers: { 'retry-after': '1' },
  })
}
