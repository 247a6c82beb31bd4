/** Small files, held in memory as long as there is room: what a name stands for never changes. The least recently used goes first. */
export class SmallFiles {
  readonly #mostBytes: number
  readonly #files = new Map<string, Buffer>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(name: string): Buffer | undefined {
    const file = this.#files.get(name)
    if (file === undefined) return undefined
    this.#files.delete(name)
    this.#files.set(name, file)
    return file
  }

  keep(name: string, file: Buffer): void {
    if (this.#files.has(name)) return
    this.#files.set(name, file)
    this.#bytes += file.length
    for (const [oldest, held] of this.#files) {
      if (this.#bytes <= this.#mostBytes) break
      this.#files.delete(oldest)
      this.#bytes -= held.length
    }
  }
}
