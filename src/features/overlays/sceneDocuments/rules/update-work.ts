import * as Y from 'yjs'
import { rootOf } from './shape.ts'
import { Unreadable } from './update-bytes.ts'
import type { Id, ReadUpdate, Struct } from './update-reader.ts'

/**
 * Estimates the cost of an update before it is applied. An item that overwrites the newest value of a member has a
 * constant cost. An item at an older place of a member's history is compared with all items after it; thousands of them
 * take minutes. (OV11)
 */

/** Maximum number of comparisons. A normal update takes one for each struct, and some for simultaneous edits. */
export const maxComparisons = 100_000

/** Maximum depth of nested maps: root, scenes, a scene, its elements, an element, its props. */
const maxMaps = 6

interface Chain {
  /**
   * Of the update's items for one member: their number, the last one, and the number of items that do not follow the
   * item before them.
   */
  items: number
  last: Id | null
  strangers: number
}

interface Placed {
  readonly chain: Chain | null
  readonly depth: number
}

/** @throws Unreadable if the update depends on content that is missing, or would take too long */
export function boundWork(doc: Y.Doc, { structs, deletions }: ReadUpdate): void {
  const placing = new Placing(doc, structs)
  placing.all()
  for (const { client, clock, length } of deletions) {
    if (clock + length > endOf(doc.store, structs, client)) throw new Unreadable('deletes what is not there')
    for (const edge of [clock, clock + length]) placing.split({ client, clock: edge })
  }
}

function endOf(store: Store, structs: ReadUpdate['structs'], client: number): number {
  const last = structs.get(client)?.at(-1)
  return Math.max(Y.getState(store, client), last === undefined ? 0 : last.clock + last.length)
}

type Store = Y.Doc['store']

class Placing {
  readonly #doc: Y.Doc
  readonly #store: Store
  readonly #structs: ReadUpdate['structs']
  readonly #chains = new Map<string, Chain>()
  readonly #placed = new Map<Struct, Placed>()
  #comparisons = 0

  constructor(doc: Y.Doc, structs: ReadUpdate['structs']) {
    this.#doc = doc
    this.#store = doc.store
    this.#structs = structs
  }

  all(): void {
    for (const [client, own] of this.#structs) {
      const state = Y.getState(this.#store, client)
      if ((own[0]?.clock ?? 0) > state) throw new Unreadable('leaves a gap')
      // Structs that the document has already are skipped.
      for (const struct of own) if (struct.clock + struct.length > state) this.#place(struct)
    }
    for (const { items, strangers } of this.#chains.values()) this.#compare(strangers * items)
  }

  /** Counts the work for an item of many values that is cut in two, because it is copied. */
  split({ client, clock }: Id): void {
    const own = clock < Y.getState(this.#store, client) ? this.#store.clients.get(client) : null
    if (own === undefined) return
    const found =
      own === null
        ? structAt(this.#structs.get(client) ?? [], clock)
        : structAt(own, clock, ({ id, length, deleted }) => ({ clock: id.clock, length: deleted ? 1 : length }))
    if (found !== null && found.clock < clock) this.#compare(found.length)
  }

  /**
   * Places the structs that this one depends on first. Without recursion, because the path may be as long as the
   * update.
   */
  #place(first: Struct): void {
    const way = new Set<Struct>()
    const waiting = [first]
    for (let struct = waiting.at(-1); struct !== undefined; struct = waiting.at(-1)) {
      const before = this.#placed.has(struct) ? null : this.#before(struct)
      if (before !== null && !this.#placed.has(before)) {
        if (way.has(before)) throw new Unreadable('has items that hang on each other')
        way.add(before)
        waiting.push(before)
        continue
      }
      waiting.pop()
      if (!this.#placed.has(struct)) this.#placed.set(struct, this.#placedAs(struct, before))
    }
  }

  /** Returns the struct of the update that this one depends on; null if the document has it already. */
  #before({ item }: Struct): Struct | null {
    const id = item === null ? null : 'origin' in item ? item.origin : item.parent
    if (id === null || id.clock < Y.getState(this.#store, id.client)) return null
    const found = structAt(this.#structs.get(id.client) ?? [], id.clock)
    if (found === null) throw new Unreadable('hangs on what is not there')
    return found
  }

  #placedAs(struct: Struct, before: Struct | null): Placed {
    const { item } = struct
    if (item === null) return { chain: null, depth: 0 }
    const above = before === null ? null : (this.#placed.get(before) ?? null)
    if ('origin' in item) return this.#behind(struct, item.origin, above)
    const depth = (above?.depth ?? 0) + 1
    if (depth > maxMaps) throw new Unreadable('has maps that are nested too deeply')
    const parent = item.parent
    const chain = this.#chain(`${parent === null ? 'root' : `${parent.client}:${parent.clock}`}/${item.key}`)
    this.#stranger(chain, struct)
    if (above === null) this.#walk(membersOf(this.#doc, parent)?.get(item.key) ?? null, 'left')
    return { chain, depth }
  }

  #behind(struct: Struct, origin: Id, above: Placed | null): Placed {
    if (above !== null) {
      const { chain } = above
      const isNext = chain?.last?.client === origin.client && chain.last.clock === origin.clock
      if (chain !== null && isNext) follow(chain, struct)
      else if (chain !== null) this.#stranger(chain, struct)
      return { chain, depth: above.depth }
    }
    const left = itemAt(this.#store, origin)
    if (left === null) return { chain: null, depth: 0 }
    const parent = (left.parent as Y.AbstractType<unknown> | null)?._item?.id ?? null
    const chain = this.#chain(`${parent === null ? 'root' : `${parent.client}:${parent.clock}`}/${left.parentSub}`)
    if (left.right === null && chain.items === 0) follow(chain, struct)
    else {
      this.#stranger(chain, struct)
      this.#walk(left.right, 'right')
    }
    return { chain, depth: 0 }
  }

  #chain(key: string): Chain {
    const known = this.#chains.get(key)
    if (known !== undefined) return known
    const made = { items: 0, last: null, strangers: 0 }
    this.#chains.set(key, made)
    return made
  }

  #stranger(chain: Chain, struct: Struct): void {
    if (chain.items > 0) chain.strangers++
    follow(chain, struct)
  }

  #walk(item: Y.Item | null, to: 'left' | 'right'): void {
    for (let at = item; at !== null; at = at[to]) this.#compare(1)
  }

  #compare(count: number): void {
    this.#comparisons += count
    if (this.#comparisons > maxComparisons) throw new Unreadable('takes too long to apply')
  }
}

function follow(chain: Chain, { client, clock, length }: Struct): void {
  chain.items++
  chain.last = { client, clock: clock + length - 1 }
}

/** Returns null if there is no map. */
function membersOf(doc: Y.Doc, id: Id | null): ReadonlyMap<string, Y.Item> | null {
  if (id === null) return rootOf(doc)._map
  const item = itemAt(doc.store, id)
  return item?.content instanceof Y.ContentType ? item.content.type._map : null
}

/** Returns null for an item that was deleted with its map. */
function itemAt(store: Store, { client, clock }: Id): Y.Item | null {
  const found: Y.Item | Y.GC = Y.getItem(store as Parameters<typeof Y.getItem>[0], Y.createID(client, clock))
  return found instanceof Y.Item ? found : null
}

interface Run {
  readonly clock: number
  readonly length: number
}

/** Returns the struct that contains a clock; null if there is none. */
function structAt<T extends Run>(own: readonly T[], clock: number): T | null
function structAt<T>(own: readonly T[], clock: number, runOf: (struct: T) => Run): Run | null
function structAt<T>(own: readonly T[], clock: number, runOf?: (struct: T) => Run): T | Run | null {
  let [low, high] = [0, own.length - 1]
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const struct = own[middle] as T
    const run = runOf?.(struct) ?? (struct as Run)
    if (clock < run.clock) high = middle - 1
    else if (clock >= run.clock + run.length) low = middle + 1
    else return runOf === undefined ? struct : run
  }
  return null
}
