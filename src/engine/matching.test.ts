import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Matching } from './matching.ts'

type Edges = (one: number, other: number) => boolean
type Pairs = readonly (readonly [number, number])[]

/** A random graph of up to 9 vertices, sparse or dense. */
const graph = fc
  .record({
    size: fc.integer({ min: 0, max: 9 }),
    density: fc.integer({ min: 1, max: 9 }),
    dice: fc.array(fc.nat(9), { minLength: 36, maxLength: 36 }),
  })
  .map(({ size, density, dice }) => {
    const edges: Edges = (one, other) => {
      const [low, high] = one < other ? [one, other] : [other, one]
      return low !== high && (dice[(high * (high - 1)) / 2 + low] ?? 9) < density
    }
    return { size, edges }
  })

/** All matchings of a graph, by exhaustive search. */
function allMatchings(vertices: readonly number[], edges: Edges): Pairs[] {
  const [first, ...rest] = vertices
  if (first === undefined) return [[]]
  const alone = allMatchings(rest, edges)
  const paired = rest
    .filter((other) => edges(first, other))
    .flatMap((other) =>
      allMatchings(
        rest.filter((vertex) => vertex !== other),
        edges,
      ).map((pairs): Pairs => [[first, other], ...pairs]),
    )
  return [...paired, ...alone]
}

function largest(matchings: readonly Pairs[]): Pairs[] {
  const size = Math.max(...matchings.map(({ length }) => length))
  return matchings.filter(({ length }) => length === size)
}

const range = (size: number) => [...Array(size).keys()]
const spares = (size: number, pairs: Pairs) => range(size).filter((vertex) => !pairs.flat().includes(vertex))
const mateIn = (pairs: Pairs, vertex: number) => {
  const pair = pairs.find((members) => members.includes(vertex))
  return pair?.[0] === vertex ? pair[1] : pair?.[0]
}

test('as few as possible are left over, and the last ones that can be', () => {
  fc.assert(
    fc.property(graph, ({ size, edges }) => {
      const possible = largest(allMatchings(range(size), edges)).map((pairs) => spares(size, pairs))
      const [latest] = possible.toSorted((one, other) => compare(other, one))
      expect(new Matching(size, edges).leaveLast()).toEqual(latest)
    }),
    { numRuns: 500 },
  )
})

/** Compares two lists at the first index where they differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, at) => value !== other[at])
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0)
}

test('the first candidate is found that can be left over without another being so', () => {
  fc.assert(
    fc.property(graph, fc.array(fc.nat(8)), ({ size, edges }, wishes) => {
      const candidates = wishes.filter((vertex) => vertex < size)
      const possible = new Set(largest(allMatchings(range(size), edges)).flatMap((pairs) => spares(size, pairs)))
      const expected = candidates.find((vertex) => possible.has(vertex))
      expect(new Matching(size, edges).findSpare(candidates)).toBe(expected)
    }),
    { numRuns: 500 },
  )
})

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('avoid', 'settle'),
    vertex: fc.nat(8),
    wishes: fc.uniqueArray(fc.nat(8)),
  }),
  { maxLength: 12 },
)

test('after any choices, the next is granted exactly when it leaves nobody over', () => {
  fc.assert(
    fc.property(graph, steps, ({ size, edges }, choices) => {
      const matching = new Matching(size, edges)
      const left = new Set(matching.leaveLast())
      let possible = largest(allMatchings(range(size), edges)).filter((pairs) =>
        spares(size, pairs).every((vertex) => left.has(vertex)),
      )
      const settled = new Set(left)
      for (const { kind, vertex, wishes } of choices) {
        if (vertex >= size || settled.has(vertex)) continue
        const others = wishes.filter((other) => other < size)
        if (kind === 'avoid') {
          const kept = possible.filter((pairs) => !others.includes(mateIn(pairs, vertex) ?? -1))
          expect(matching.avoid(vertex, others)).toBe(kept.length > 0)
          if (kept.length > 0) possible = kept
        } else {
          const mate = others.find((other) => possible.some((pairs) => mateIn(pairs, vertex) === other))
          expect(matching.settle(vertex, others)).toBe(mate)
          if (mate === undefined) continue
          possible = possible.filter((pairs) => mateIn(pairs, vertex) === mate)
          settled.add(vertex).add(mate)
        }
      }
    }),
    { numRuns: 1500 },
  )
})

test('odd cycles within odd cycles are matched around', () => {
  // A triangle with another triangle at each corner, and a tail: the nine corners and the end of the tail make five
  // pairs.
  const edges = [
    [0, 1],
    [1, 2],
    [0, 2],
    [3, 4],
    [4, 5],
    [3, 5],
    [6, 7],
    [7, 8],
    [6, 8],
    [2, 3],
    [5, 6],
    [8, 0],
    [4, 9],
  ]
  const matching = new Matching(10, (one, other) =>
    edges.some(([a, b]) => (a === one && b === other) || (a === other && b === one)),
  )
  expect(matching.leaveLast()).toEqual([])
  expect(matching.settle(9, [4])).toBe(4)
})

test('whoever is left over cannot be settled', () => {
  const matching = new Matching(3, () => true)
  expect(matching.leaveLast()).toEqual([2])
  expect(matching.settle(2, [0, 1])).toBeUndefined()
  expect(matching.settle(0, [2, 1])).toBe(1)
})
