import type { Database } from '../db/database.ts'
import { noteUses } from './store.ts'

/** The maximum of remembered names. Saving a name again after that changes nothing. */
const mostKnown = 20_000
/** How long names are gathered before they are saved together. */
const gatheringMs = 1_000

/**
 * Saves on which day each variant was last requested, after the response and once a day for each. Variants that pages
 * still show are therefore kept, however old they are. (M13)
 */
export class VariantUses {
  readonly #database: Pick<Database, 'transaction'>
  readonly #now: () => Date
  /** The names that are saved or pending for this day. */
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

  /** Names that cannot be saved are noted again at their next request. */
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
