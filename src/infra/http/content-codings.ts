/**
 * Chooses the coding of an answer by the caller's `Accept-Encoding`, and names it in entity tags. (RFC 9110 §8.4,
 * §8.8.3, §12.5.3)
 */

/** The supported codings; the first one is used where a caller accepts both alike. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

export interface Accepted {
  /** null for uncompressed bytes. */
  readonly coding: Coding | null
  /** Whether the caller refuses uncompressed bytes, however few they are. */
  readonly refusesPlain: boolean
}

const plain: Accepted = { coding: null, refusesPlain: false }

/** Clients send few different headers, so each is parsed once and cached. */
const known = new Map<string, Accepted>()
const mostKnown = 200
const maxKnownLength = 200

/** Parses an `Accept-Encoding` header. */
export function acceptedCoding(header: string | string[] | undefined): Accepted {
  if (header === undefined) return plain
  const text = String(header)
  const found = known.get(text)
  if (found !== undefined) return found
  const accepted = read(text)
  if (known.size >= mostKnown) known.clear()
  if (text.length <= maxKnownLength) known.set(text, accepted)
  return accepted
}

function read(header: string): Accepted {
  const qualities = new Map<string, number>()
  for (const part of header.toLowerCase().split(',', 32)) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    if (name !== '') qualities.set(name === 'x-gzip' ? 'gzip' : name, qualityIn(parameters))
  }
  const others = qualities.get('*')
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? others ?? 0
  const best = codings.reduce((one, other) => (qualityOf(other) > qualityOf(one) ? other : one))
  // If the header does not mention them, uncompressed bytes are accepted with the lowest preference. (RFC 9110 §12.5.3)
  const ofPlain = qualities.get('identity') ?? (others === 0 ? 0 : null)
  const isWanted = qualityOf(best) > 0 && (ofPlain === null || qualityOf(best) >= ofPlain)
  return { coding: isWanted ? best : null, refusesPlain: ofPlain === 0 }
}

/** An invalid quality counts as 0. */
function qualityIn(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  if (given === undefined) return 1
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given.slice(2)) ? Number(given.slice(2)) : 0
}

/** The tag of the same answer in a coding: the bytes differ, so the strong tag must differ, too. */
export function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}-${coding}"`
}
