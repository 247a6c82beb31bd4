/** Milliseconds of the monotonic clock that all processes of the machine share, so that their times can be compared. */
export function sharedMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}
