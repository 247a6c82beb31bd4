/** Order keys of elements. To move an element, only its own key must change. (OV6) */

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const [lowest = '0'] = digits
const maxLetters = 64

/**
 * Sorts by `order`, then by id. So the result is the same everywhere, even if two elements were put into the same place
 * concurrently.
 */
export function inOrder<T extends { readonly order: string }>(
  elements: Readonly<Record<string, T>>,
): (readonly [id: string, T])[] {
  return Object.entries(elements).sort(([one, { order }], [other, { order: than }]) =>
    order === than ? (one < other ? -1 : 1) : order < than ? -1 : 1,
  )
}

/**
 * A key between two keys; null stands for an end. It is as short as possible and never ends with the lowest digit, so
 * that there is always a key before it.
 * @throws RangeError if the first is not before the second, or if no key fits between them; then all keys must be
 * assigned again
 */
export function orderBetween(before: string | null, after: string | null): string {
  if (before !== null && after !== null && before >= after) throw new RangeError('there is no order between these')
  let made = ''
  for (let index = 0; made !== after && index < maxLetters; index++) {
    const low = digits.indexOf(before?.[index] ?? lowest)
    // Once the new key is below `after`, its further digits are not limited.
    const next = after?.startsWith(made) ? after[index] : undefined
    const high = next === undefined ? digits.length : digits.indexOf(next)
    if (high - low > 1) return made + digits[Math.floor((low + high) / 2)]
    made += digits[low]
  }
  throw new RangeError('there is no room between these')
}

/**
 * Returns `count` keys between two keys, sorted and about evenly spaced, so that they stay short.
 * @throws RangeError as `orderBetween`
 */
export function ordersBetween(before: string | null, after: string | null, count: number): string[] {
  if (count <= 0) return []
  const middle = Math.floor(count / 2)
  const own = orderBetween(before, after)
  return [...ordersBetween(before, own, middle), own, ...ordersBetween(own, after, count - middle - 1)]
}
