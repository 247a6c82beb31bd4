import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import type { SentUpload, UploadTerms } from '../../core/uploads.ts'
import { isSmallJson, noPlace, type PlaceLimits, Places, type Sender } from './fair-shares.ts'
import { type AnnouncedFile, storeFile } from './upload-file.ts'
import { UploadFiles } from './upload-files.ts'
import { type AnnouncedUpload, type Judge, type ReceivedUpload, UploadForm, type UploadLimits } from './upload-form.ts'
import { Turns } from './upload-pace.ts'
import { malformed } from './upload-parser.ts'

/**
 * Receives forms whose file is written to disk as it arrives, while the other parts are parsed. Only the file's length
 * is checked here; its digest is computed on the way. (M4, M5, M6)
 */

const defaultLimits: UploadLimits = { idleMs: 30_000, wholeMs: 60_000 }

/** A file may be as large as a video, and take as long. (media: Details, 3) */
const filePatience = 5

/** The uploads that are arriving. */
export class Uploads {
  readonly #folder: string
  readonly #limits: UploadLimits
  readonly #turns = new Turns()
  /** Places also for uploads that are collected in memory. */
  readonly places: Places

  /** @param folder for arriving files, and for files made from them that have no final name yet */
  constructor(folder: string, limits: Partial<UploadLimits & PlaceLimits> = {}) {
    this.#folder = folder
    this.#limits = { ...defaultLimits, ...limits }
    this.places = new Places(limits)
  }

  /**
   * @param announced null where no form was sent
   * @param sender whose place the upload takes
   * @param known members given in the query
   * @throws Problem of `judge`; `media.too_large`, `request.malformed`, `service.busy`. All its files are deleted then.
   */
  async receive(
    announced: AnnouncedUpload | null,
    sender: Sender,
    known: ReadonlySet<string>,
    judge: Judge,
  ): Promise<ReceivedUpload & { readonly terms: UploadTerms; readonly discard: () => Promise<void> }> {
    const first = await judge({}, { isWhole: announced === null, hasFile: false })
    if (announced === null) throw malformed('lacks its form')
    return this.#storing(announced.payload, sender, async (files, signal) => {
      const reading = new UploadForm(announced, known, {
        judge,
        terms: first,
        limits: this.#limits,
        files,
        signal,
        turns: this.#turns,
      })
      return { ...(await reading.done), terms: reading.terms, discard: () => files.discard() }
    })
  }

  /**
   * Receives a body that is a plain file.
   * @param announced null where nothing was sent
   * @throws Problem `request.too_large`, `request.malformed`, `service.busy`. All its files are deleted then.
   */
  async receiveFile(
    announced: AnnouncedFile | null,
    sender: Sender,
    maxBytes: number,
  ): Promise<{ readonly file: SentUpload; readonly discard: () => Promise<void> }> {
    if (announced === null) throw malformed('is empty')
    return this.#storing(announced.payload, sender, async (files, signal) => {
      const { idleMs, wholeMs } = this.#limits
      const file = await storeFile(announced, files, {
        maxBytes,
        idleMs,
        wholeMs: filePatience * wholeMs,
        signal,
        turns: this.#turns,
      })
      return { file, discard: () => files.discard() }
    })
  }

  async #storing<T>(
    payload: IncomingMessage,
    sender: Sender,
    store: (files: UploadFiles, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { signal, leave } = isSmallJson(payload) ? noPlace() : this.places.take(payload, sender)
    const files = new UploadFiles(path.join(this.#folder, randomUUID()))
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o750 })
      signal.throwIfAborted()
      return await store(files, signal)
    } catch (error) {
      await files.discard()
      throw error
    } finally {
      leave()
    }
  }
}
