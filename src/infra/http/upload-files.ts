import { rm } from 'node:fs/promises'

/** What uploads are written to. */

/** Bytes that wait to be written, and are written at once, while more of them come. */
export const writtenAhead = 256 * 1024

/** The files of one upload. */
export class UploadFiles {
  readonly #base: string
  readonly #made = new Set<string>()

  constructor(base: string) {
    this.#base = base
  }

  beside = (name: string): string => {
    const made = `${this.#base}.${name}`
    this.#made.add(made)
    return made
  }

  async discard(): Promise<void> {
    await Promise.all([...this.#made].map((file) => rm(file, { force: true }).catch(() => {})))
  }
}
