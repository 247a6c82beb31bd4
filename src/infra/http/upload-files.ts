import { rm } from 'node:fs/promises'

/** The files that uploads are written to. */

/** Bytes that may wait to be written while more arrive. */
export const writtenAhead = 256 * 1024

/**
 * Frees the memory of a chunk that has been written. The garbage collector would let 64 MB of chunks gather, and then
 * scan the whole heap. A chunk that is a part of a larger buffer stays, because other code may use the rest.
 */
export function release({ byteLength, buffer }: Buffer): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** The files of one upload. */
export class UploadFiles {
  readonly #base: string
  readonly #made = new Set<string>()
  readonly #atEnd: (() => void | Promise<void>)[] = []

  constructor(base: string) {
    this.#base = base
  }

  beside = (name: string): string => {
    const made = `${this.#base}.${name}`
    this.#made.add(made)
    return made
  }

  atEnd = (work: () => void | Promise<void>): void => {
    this.#atEnd.push(work)
  }

  async discard(): Promise<void> {
    for (const work of this.#atEnd.splice(0)) await (async () => work())().catch(() => {})
    await Promise.all([...this.#made].map((file) => rm(file, { force: true }).catch(() => {})))
  }
}
