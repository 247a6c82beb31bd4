/** Milliseconds of the one clock that all processes of the machine share; times of several are compared by it. */
export function sharedMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}
