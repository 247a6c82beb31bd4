import type { Database } from '../db/database.ts'
import { noteUses } from './store.ts'

/** Whoever is noted again, since there were too many, writes nothing that is there already. */
const mostKnown = 20_000
/** Those of this time are written together. */
const gatheringMs = 1_000

/**
 * Which variants were asked for, to the day: written behind the answer, and once a day for each, so that those that pages show are
 * kept however long ago they were made. (M13)
 */
export class VariantUses {
  readonly #database: Pick<Database, 'transaction'>
  readonly #now: () => Date
  /** Of this day. */
  readonly #known = new Set<string>()
  #day = ''
  #pending: string[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(database: Pick<Database, 'transaction'>, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  note(name: string): void {
    const day = this.#now().toISOString().slice(0, 10)
    if (day !== this.#day || this.#known.size >= mostKnown) this.#known.clear()
    this.#day = day
    if (this.#known.has(name)) return
    this.#known.add(name)
    this.#pending.push(name)
    this.#timer ??= setTimeout(() => void this.write(), gatheringMs).unref()
  }

  /** What cannot be written is noted again when it is asked for again. */
  async write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const [names, day] = [this.#pending.toSorted(), this.#day]
    this.#pending = []
    if (names.length === 0) return
    await this.#database
      .transaction((tx) => noteUses(tx, names, day), { mayBeLost: true })
      .catch(() => {
        for (const name of names) this.#known.delete(name)
      })
  }
}
