/** The live values of a match as a page shows them, computed from the values of its topic. (overlays: Data tree) */

/** Values of a player in the topic. Unknown members are null or missing. */
export interface PlayerScore {
  readonly score?: number | null
  readonly modifiedScore?: number | null
  readonly accuracy?: number | null
  readonly combo?: number | null
  readonly misses?: number | null
  readonly badCuts?: number | null
  readonly songTime?: number | null
  readonly state?: string | null
}

export interface SideScore {
  readonly score: number
  /** Mean accuracy of its players, 0 to 2; null if none is known. */
  readonly accuracy: number | null
  /** The highest combo of its players. */
  readonly combo: number
  readonly misses: number
  readonly players: readonly (PlayerScore | null)[]
}

export interface Playing {
  /** The sides in the order in which they are shown: the number of each in the match, and the GUIDs of its players. */
  readonly sides: readonly { readonly number: 1 | 2; readonly players: readonly string[] }[]
  /** Seconds; null if unknown. */
  readonly songLength: number | null
  readonly scoreToBeat: number | null
}

interface Lead {
  /** Number of the side in the match. A swap of the sides does not change it. */
  readonly side: number
  /** Position in which the side is shown: 1 for first, 2 for second. */
  readonly place: number
  readonly score: number
  readonly accuracy: number | null
}

export interface LiveTree {
  readonly sides: readonly SideScore[]
  /** null while the scores are level. */
  readonly lead: Lead | null
  /** Share of the first side in the sum of both scores, 0 to 1; 0.5 while both scores are 0. */
  readonly share: number
  readonly progress: number | null
  readonly secondsLeft: number | null
  readonly scoreToBeat: number | null
}

/**
 * Computes the live values; null while no song runs.
 * @param values values of the topic, by keys such as `player:{guid}`
 */
export function liveTree(values: Readonly<Record<string, PlayerScore>>, playing: Playing): LiveTree | null {
  const known = (guid: string) => (Object.hasOwn(values, `player:${guid}`) ? (values[`player:${guid}`] ?? null) : null)
  const sides = playing.sides.map(({ players }) => sideOf(players.map(known)))
  const reporting = sides.flatMap(({ players }) => players.filter((player) => player !== null))
  if (reporting.length === 0) return null
  const [one, other] = sides
  const difference = (one?.score ?? 0) - (other?.score ?? 0)
  const sum = (one?.score ?? 0) + (other?.score ?? 0)
  const time = most(reporting.map(({ songTime }) => songTime))
  const { songLength, scoreToBeat } = playing
  const isTimed = time !== null && songLength !== null && songLength > 0
  return {
    sides,
    lead: difference === 0 ? null : leadOf(sides, playing, difference),
    share: sum === 0 ? 0.5 : (one?.score ?? 0) / sum,
    progress: isTimed ? Math.max(0, Math.min(1, time / songLength)) : null,
    secondsLeft: isTimed ? Math.max(0, songLength - time) : null,
    scoreToBeat,
  }
}

function sideOf(players: readonly (PlayerScore | null)[]): SideScore {
  const reporting = players.filter((player) => player !== null)
  const accuracies = reporting.map(({ accuracy }) => accuracy).filter((accuracy) => accuracy != null)
  const total = (numbers: readonly (number | null | undefined)[]) =>
    numbers.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  return {
    score: total(reporting.map(({ modifiedScore, score }) => modifiedScore ?? score)),
    accuracy: accuracies.length === 0 ? null : total(accuracies) / accuracies.length,
    combo: most(reporting.map(({ combo }) => combo)) ?? 0,
    misses: total(reporting.flatMap(({ misses, badCuts }) => [misses, badCuts])),
    players,
  }
}

function leadOf(sides: readonly SideScore[], playing: Playing, difference: number): Lead {
  const place = difference > 0 ? 1 : 2
  const side = playing.sides[place - 1]?.number ?? place
  return { side, place, score: Math.abs(difference), accuracy: leadIn(sides[0], sides[1], difference) }
}

function leadIn(one: SideScore | undefined, other: SideScore | undefined, difference: number): number | null {
  if (one?.accuracy == null || other?.accuracy == null) return null
  return (one.accuracy - other.accuracy) * Math.sign(difference)
}

function most(numbers: readonly (number | null | undefined)[]): number | null {
  const known = numbers.filter((number) => number != null)
  return known.length === 0 ? null : Math.max(...known)
}
