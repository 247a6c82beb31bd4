/** Lengths of time as clocks show them. */

const two = (value: number) => String(value).padStart(2, '0')

/** Minutes and seconds of a countdown, rounded up: "0:52". */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`
}

/** Hours and minutes: "1:17". */
export function hoursOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}`
}
