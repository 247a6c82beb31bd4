/** Where something stands among others, so that whoever moves it changes nothing else. (OV6) */

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const [lowest = '0'] = digits
const mostLetters = 64

/** By `order`, then by id: the same everywhere, also where two were put into the same place at once. */
export function inOrder<T extends { readonly order: string }>(
  elements: Readonly<Record<string, T>>,
): (readonly [id: string, T])[] {
  return Object.entries(elements).sort(([one, { order }], [other, { order: than }]) =>
    order === than ? (one < other ? -1 : 1) : order < than ? -1 : 1,
  )
}

/**
 * An order between two; null for an end. As short as it can be, and never ending with the lowest digit, so that there always is one
 * in front of it.
 * @throws RangeError where the first is not before the second, or nothing fits between them: all must be put in order anew
 */
export function orderBetween(before: string | null, after: string | null): string {
  if (before !== null && after !== null && before >= after) throw new RangeError('there is no order between these')
  let made = ''
  for (let index = 0; made !== after && index < mostLetters; index++) {
    const low = digits.indexOf(before?.[index] ?? lowest)
    // Once what is made is below `after`, nothing binds it from above.
    const next = after?.startsWith(made) ? after[index] : undefined
    const high = next === undefined ? digits.length : digits.indexOf(next)
    if (high - low > 1) return made + digits[Math.floor((low + high) / 2)]
    made += digits[low]
  }
  throw new RangeError('there is no room between these')
}

/**
 * As many orders between two, in their order and about evenly apart, so that they stay short.
 * @throws RangeError as `orderBetween`
 */
export function ordersBetween(before: string | null, after: string | null, count: number): string[] {
  if (count <= 0) return []
  const middle = Math.floor(count / 2)
  const own = orderBetween(before, after)
  return [...ordersBetween(before, own, middle), own, ...ordersBetween(own, after, count - middle - 1)]
}
