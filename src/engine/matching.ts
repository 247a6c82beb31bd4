const none = -1

/**
 * A maximum matching of a general graph, built in the constructor, with methods that fix parts of it without making it
 * smaller. (Edmonds 1965, "Paths, trees, and flowers")
 *
 * Every answer depends on the graph alone, never on the matching currently held, so the same questions in the same
 * order get the same answers. One search costs at most about `size²` steps.
 */
export class Matching {
  readonly #size: number
  /** The adjacency matrix, by `one * size + other`: 1 where the two may be matched. */
  readonly #joined: Uint8Array
  readonly #mate: Int32Array
  /** Result of the last search: 1 for each vertex that could stay unmatched in place of the root. */
  readonly #outer: Uint8Array
  readonly #parent: Int32Array
  /** The base of the contracted odd cycle (blossom) around a vertex, or the vertex itself. */
  readonly #base: Int32Array
  readonly #marked: Uint8Array

  /** Vertices are 0 to `size - 1`; `mayMeet` is called with the smaller one first. */
  constructor(size: number, mayMeet: (one: number, other: number) => boolean) {
    this.#size = size
    this.#joined = new Uint8Array(size * size)
    this.#mate = new Int32Array(size).fill(none)
    this.#outer = new Uint8Array(size)
    this.#parent = new Int32Array(size)
    this.#base = new Int32Array(size)
    this.#marked = new Uint8Array(size)
    for (let one = 0; one < size; one++) {
      for (let other = one + 1; other < size; other++) if (mayMeet(one, other)) this.#join(one, other, 1)
    }
    for (let root = 0; root < size; root++) this.#augment(root)
  }

  /** The first candidate that is unmatched in some maximum matching. */
  findSpare(candidates: readonly number[]): number | undefined {
    const possible = new Uint8Array(this.#size)
    for (const root of this.#exposed()) {
      this.#search(root, () => false)
      this.#outer.forEach((outer, vertex) => {
        if (outer === 1) possible[vertex] = 1
      })
    }
    return candidates.find((vertex) => possible[vertex] === 1)
  }

  /** Changes the matching so that the vertices left unmatched are the last possible ones; returns them. */
  leaveLast(): readonly number[] {
    for (let vertex = 0; vertex < this.#size; vertex++) {
      if (this.#mateOf(vertex) !== none) continue
      const later = this.#search(vertex, (candidate) => candidate > vertex)
      if (later !== none) this.#expose(later)
    }
    return this.#exposed()
  }

  /**
   * Forbids matching the vertex with any of the others, unless the matching would become smaller. Returns whether it
   * did.
   */
  avoid(vertex: number, others: readonly number[]): boolean {
    if (others.includes(this.#mateOf(vertex))) {
      const shunned = new Set(others)
      const free = this.#neighbours(vertex).filter((neighbour) => !shunned.has(neighbour))
      if (this.#rematch(vertex, free) === none) return false
    }
    for (const other of others) this.#join(vertex, other, 0)
    return true
  }

  /**
   * Matches the vertex permanently with the first candidate that keeps the matching maximum, and removes both from all
   * later questions. Returns the candidate; undefined where there is none, or where the vertex itself is unmatched.
   */
  settle(vertex: number, candidates: readonly number[]): number | undefined {
    const neighbours = new Set(this.#neighbours(vertex))
    const eligible = candidates.filter((candidate) => neighbours.has(candidate))
    const [best] = eligible
    if (best === undefined || this.#mateOf(vertex) === none) return undefined
    if (best !== this.#mateOf(vertex) && this.#rematch(vertex, [best]) === none) {
      // The search was exhaustive: it has marked every possible mate of the vertex.
      const possible = eligible.filter((candidate) => this.#outer[candidate] === 1)
      return this.settle(vertex, possible)
    }
    this.#isolate(vertex)
    this.#isolate(best)
    return best
  }

  /**
   * Rematches the vertex with one of these neighbours, and its old mate elsewhere; returns the new mate, or `none`
   * where that is impossible.
   */
  #rematch(vertex: number, neighbours: readonly number[]): number {
    const old = this.#mateOf(vertex)
    // In nearly all cases swapping two pairs is enough.
    const swap = neighbours.find((neighbour) => this.#isJoined(old, this.#mateOf(neighbour)))
    if (swap !== undefined) {
      this.#match(old, this.#mateOf(swap))
      this.#match(vertex, swap)
      return swap
    }
    this.#mate[vertex] = none
    this.#mate[old] = none
    const wanted = new Set(neighbours)
    const found = this.#search(old, (candidate) => wanted.has(candidate))
    if (found !== none) this.#expose(found)
    this.#match(vertex, found === none ? old : found)
    return found
  }

  #augment(root: number): void {
    if (this.#mateOf(root) !== none) return
    const end = this.#search(root, (vertex) => this.#freeNeighbour(vertex, root) !== none)
    if (end === none) return
    const free = this.#freeNeighbour(end, root)
    this.#expose(end)
    this.#match(end, free)
  }

  /**
   * Searches alternating paths from an unmatched root for a vertex that could stay unmatched in its place. Returns the
   * first vertex that `willDo` accepts, or `none`. Other unmatched vertices are not entered.
   */
  #search(root: number, willDo: (vertex: number) => boolean): number {
    this.#outer.fill(0)
    this.#parent.fill(none)
    for (let vertex = 0; vertex < this.#size; vertex++) this.#base[vertex] = vertex
    const queue = [root]
    this.#outer[root] = 1
    for (const vertex of queue) {
      if (willDo(vertex)) return vertex
      const row = vertex * this.#size
      for (let other = 0; other < this.#size; other++) {
        if (this.#joined[row + other] !== 1 || this.#base[other] === this.#base[vertex]) continue
        if (this.#outer[other] === 1) {
          this.#contract(vertex, other, queue)
        } else if (this.#parent[other] === none && this.#mateOf(other) !== none) {
          const next = this.#mateOf(other)
          this.#parent[other] = vertex
          this.#outer[next] = 1
          queue.push(next)
        }
      }
    }
    return none
  }

  /** Contracts the odd cycle that an edge between two outer vertices closes. All its vertices become outer. */
  #contract(one: number, other: number, queue: number[]): void {
    const base = this.#commonBase(one, other)
    this.#marked.fill(0)
    this.#markPath(one, base, other)
    this.#markPath(other, base, one)
    for (let vertex = 0; vertex < this.#size; vertex++) {
      if (this.#marked[this.#baseOf(vertex)] !== 1) continue
      this.#base[vertex] = base
      if (this.#outer[vertex] === 1) continue
      this.#outer[vertex] = 1
      queue.push(vertex)
    }
  }

  #commonBase(one: number, other: number): number {
    this.#marked.fill(0)
    let vertex = this.#baseOf(one)
    for (;;) {
      this.#marked[vertex] = 1
      if (this.#mateOf(vertex) === none) break
      vertex = this.#baseOf(this.#parentOf(this.#mateOf(vertex)))
    }
    vertex = this.#baseOf(other)
    while (this.#marked[vertex] !== 1) vertex = this.#baseOf(this.#parentOf(this.#mateOf(vertex)))
    return vertex
  }

  #markPath(from: number, base: number, over: number): void {
    let vertex = from
    let child = over
    while (this.#baseOf(vertex) !== base) {
      const mate = this.#mateOf(vertex)
      this.#marked[this.#baseOf(vertex)] = 1
      this.#marked[this.#baseOf(mate)] = 1
      this.#parent[vertex] = child
      child = mate
      vertex = this.#parentOf(mate)
    }
  }

  /** Unmatches an outer vertex of the last search instead of its root, by swapping along the path between them. */
  #expose(vertex: number): void {
    let inner = this.#mateOf(vertex)
    this.#mate[vertex] = none
    while (inner !== none) {
      const outer = this.#parentOf(inner)
      const next = this.#mateOf(outer)
      this.#match(inner, outer)
      inner = next
    }
  }

  #match(one: number, other: number): void {
    this.#mate[one] = other
    this.#mate[other] = one
  }

  #freeNeighbour(vertex: number, root: number): number {
    for (let other = 0; other < this.#size; other++) {
      if (other !== root && this.#mateOf(other) === none && this.#isJoined(vertex, other)) return other
    }
    return none
  }

  /** The matched vertices that this vertex may be matched with. */
  #neighbours(vertex: number): readonly number[] {
    const neighbours: number[] = []
    for (let other = 0; other < this.#size; other++) {
      if (this.#mateOf(other) !== none && this.#isJoined(vertex, other)) neighbours.push(other)
    }
    return neighbours
  }

  #exposed(): readonly number[] {
    return [...this.#mate.keys()].filter((vertex) => this.#mateOf(vertex) === none)
  }

  #isolate(vertex: number): void {
    for (let other = 0; other < this.#size; other++) this.#join(vertex, other, 0)
  }

  #join(one: number, other: number, value: 0 | 1): void {
    this.#joined[one * this.#size + other] = value
    this.#joined[other * this.#size + one] = value
  }

  #isJoined(one: number, other: number): boolean {
    return this.#joined[one * this.#size + other] === 1
  }

  #mateOf(vertex: number): number {
    return this.#mate[vertex] ?? none
  }

  #parentOf(vertex: number): number {
    return this.#parent[vertex] ?? none
  }

  #baseOf(vertex: number): number {
    return this.#base[vertex] ?? none
  }
}
