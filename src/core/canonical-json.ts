/**
 * The canonical JSON of a value: no spaces, members ordered by the UTF-16 code units of their names. Equal values have
 * equal texts. Members that are undefined are left out. (RFC 8785)
 *
 * @throws RangeError for numbers that JSON cannot hold, and for text with half of a surrogate pair
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1))
    return `{${sorted.map(([name, member]) => `${textOf(name)}:${canonicalJson(member)}`).join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('JSON holds finite numbers only.')
  return typeof value === 'string' ? textOf(value) : JSON.stringify(value)
}

function textOf(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('JSON holds well-formed text only.')
  return JSON.stringify(text)
}
