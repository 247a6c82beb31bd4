/**
 * What has to come within a time, on a machine that has other things to do: one try may have to wait for them, so that it is
 * begun again where it took too long, twice at most.
 * @param attempt does all of it anew, and answers how many milliseconds it took
 * @returns the milliseconds of the last try
 */
export async function timely(mostMs: number, attempt: () => Promise<number>): Promise<number> {
  let took = Number.POSITIVE_INFINITY
  for (let left = 3; left > 0 && took >= mostMs; left--) took = await attempt()
  return took
}
