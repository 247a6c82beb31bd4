/** Times as clocks on a wall show them in a zone. Where clocks are set forward or back, a time is none or two instants. (W13) */

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const two = '2-digit'
  const made = new Intl.DateTimeFormat('sv-SE', {
    ...({ year: 'numeric', month: two, day: two, hour: two, minute: two, timeZone: zone } as const),
  })
  formats.set(zone, made)
  return made
}

/** What a clock shows at an instant, as fields of the browser have it: `2027-03-28T02:30`. */
export const wallOf = (at: string | number, zone: string): string =>
  formatOf(zone).format(new Date(at)).replace(' ', 'T')

const minuteMs = 60_000
const dayMs = 86_400_000

function offsetOf(at: number, zone: string): number {
  return Date.parse(`${wallOf(at, zone)}:00Z`) - Math.floor(at / minuteMs) * minuteMs
}

export interface Instants {
  /** In order; two where there is a choice. */
  readonly options: readonly string[]
  /** Clocks never show the time: the options are that much before and after it. */
  readonly isSkipped: boolean
}

/** The instants at which clocks in a zone show a time. */
export function instantsOf(wall: string, zone: string): Instants {
  const asUtc = Date.parse(`${wall}:00Z`)
  const near = [...new Set([-dayMs, dayMs].map((away) => offsetOf(asUtc + away, zone)))]
    .map((offset) => asUtc - offset)
    .toSorted((one, other) => one - other)
  const exact = near.filter((at) => wallOf(at, zone) === wall)
  const options = (exact.length === 0 ? near : exact).map((at) => new Date(at).toISOString())
  return { options, isSkipped: exact.length === 0 }
}

/** The instant with the same time of clocks in another zone; the first one where there are two. */
export function moved(at: string | null, from: string, to: string): string | null {
  return at === null ? null : (instantsOf(wallOf(at, from), to).options[0] ?? at)
}

export const zones: readonly string[] = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

export function isZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}
