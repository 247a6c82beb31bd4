import { busy, conflict } from '../../core/problem.ts'

/** How many packages are checked and taken in at a time: each unpacks up to half a gigabyte. (P6) */
const atOnce = 2

export class ImportGate {
  readonly #users = new Set<string>()

  /**
   * Refuses early what `enter` would refuse, before a large file is sent.
   * @throws Problem `import.running`, `service.busy`
   */
  check(userGuid: string): void {
    if (this.#users.has(userGuid)) throw runningImport()
    if (this.#users.size >= atOnce) throw busyWithImports()
  }

  /**
   * @returns what ends the import; it may be called again
   * @throws Problem `import.running`, `service.busy`
   */
  enter(userGuid: string): () => void {
    this.check(userGuid)
    this.#users.add(userGuid)
    let isOver = false
    return () => {
      if (!isOver) this.#users.delete(userGuid)
      isOver = true
    }
  }
}

export const runningImport = () =>
  conflict('import.running', 'Another package of yours is just being imported; wait until that has ended.')

export const busyWithImports = () => busy('Too many packages are being imported; try again in a minute.')
