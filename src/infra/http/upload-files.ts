import { rm } from 'node:fs/promises'

/** What uploads are written to. */

/** Bytes that wait to be written, and are written at once, while more of them come. */
export const writtenAhead = 256 * 1024

/**
 * Gives back the memory of a piece that has been written. The collector would let 64 MB of such pieces gather, and then go over all
 * that the service remembers. Where this is a part of what came, others may have the rest: it stays.
 */
export function release({ byteLength, buffer }: Buffer): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

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
