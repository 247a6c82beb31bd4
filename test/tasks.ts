/** Functions that tests run in threads. */

export function double(n: number): number {
  return 2 * n
}

export function busyFor(ms: number): number {
  const end = performance.now() + ms
  while (performance.now() < end);
  return ms
}

export function fail(message: string): never {
  throw new RangeError(message)
}

export function failLater(message: string): void {
  setImmediate(() => fail(message))
  busyFor(1)
}

export function leave(): never {
  process.exit(3)
}

export function hoard(): number {
  const held: number[][] = []
  for (;;) held.push(new Array(1_000_000).fill(held.length))
}

export function unclonable(): () => void {
  return () => {}
}

export function members(input: { readonly map: ReadonlyMap<string, readonly number[]> }): ReadonlyMap<string, number> {
  return new Map([...input.map].map(([name, list]) => [name, list.length]))
}
