import type { BracketWithMatches, Match } from '../../../../client/generated.ts'

/** How the matches of a bracket lie in the drawing. Everything follows from numbers; nothing is measured. */

export type Section = Match['section']

export interface DrawnRound {
  readonly key: string
  readonly name: string
  readonly number: number
  readonly bestOf: number
  readonly matches: readonly Match[]
}

export interface Part {
  readonly key: string
  readonly section: Section
  /** The group of a round robin, from 0, where there are several. */
  readonly group: number | null
  readonly rounds: readonly DrawnRound[]
  /** The most matches of a round: the height of the drawing. */
  readonly rows: number
}

/** In this order the parts are read. */
const sections: readonly Section[] = ['upper', 'swiss', 'group', 'lower', 'final', 'third_place']

/** Whether the format has a table instead of a tree. */
export const isTableFormat = ({ format }: Pick<BracketWithMatches, 'format'>): boolean =>
  format === 'round_robin' || format === 'swiss'

/** The parts of a bracket; each group of a round robin is one. */
export function partsOf({ rounds, matches }: Pick<BracketWithMatches, 'rounds' | 'matches'>): readonly Part[] {
  const byGuid = new Map(matches.map((match) => [match.guid, match]))
  return sections.flatMap((section) => {
    const drawn = rounds
      .filter((round) => round.section === section)
      .map(({ matchGuids, ...round }) => ({
        ...round,
        matches: matchGuids.map((guid) => byGuid.get(guid)).filter((match) => match !== undefined),
      }))
    const groups = [...new Set(drawn.flatMap((round) => round.matches.map(({ groupIndex }) => groupIndex)))].toSorted(
      (one, other) => (one ?? 0) - (other ?? 0),
    )
    return groups.map((group): Part => {
      const key = groups.length > 1 ? `${section}-${(group ?? 0) + 1}` : section
      const own = drawn
        .map((round) => ({
          key: `${key}-${round.number}`,
          name: round.name,
          number: round.number,
          bestOf: round.bestOf,
          matches: round.matches.filter(({ groupIndex }) => groupIndex === group),
        }))
        .filter((round) => round.matches.length > 0)
      return partOf({ key, section, group: groups.length > 1 ? group : null }, own)
    })
  })
}

const partOf = (of: Pick<Part, 'key' | 'section' | 'group'>, rounds: readonly DrawnRound[]): Part => ({
  ...of,
  rounds,
  rows: Math.max(...rounds.map(({ matches }) => matches.length)),
})

/** A line from a match to the one that its winner goes to, in the same part or from the end of the one before. */
export interface Wire {
  readonly from: Match
  readonly to: Match
  readonly column: number
  /** The middle of the matches as parts of the height of the drawing. */
  readonly start: number
  readonly end: number
  readonly toColumn: number
}

export function wiresOf({ rounds }: Part, before?: Part): readonly Wire[] {
  const places = new Map<string, { readonly column: number; readonly middle: number; readonly match: Match }>()
  const put = ({ matches }: DrawnRound, column: number) =>
    matches.forEach((match, at) => {
      places.set(match.guid, { column, middle: (at + 0.5) / matches.length, match })
    })
  rounds.forEach(put)
  const last = before?.rounds.at(-1)
  if (last !== undefined) put(last, -1)
  return [...places.values()].flatMap(({ column, middle, match }) => {
    const next = match.nextMatchGuid === null ? undefined : places.get(match.nextMatchGuid)
    if (next === undefined || next.column <= column) return []
    return [{ from: match, to: next.match, column, start: middle, end: next.middle, toColumn: next.column }]
  })
}

/** The side on which a team plays; -1 where it does not. */
export const sideOf = ({ sides }: Match, team: string | undefined): number =>
  team === undefined ? -1 : sides.findIndex((side) => side.team?.guid === team)

/** The matches that a team has in the bracket, in their order. */
export const pathOf = (matches: readonly Match[], team: string): readonly Match[] =>
  matches.filter((match) => sideOf(match, team) >= 0).toSorted((one, other) => one.number - other.number)

/** A part of the drawing on one sheet of paper. */
export interface Sheet {
  readonly key: string
  readonly parts: readonly Part[]
}

const rowsOfSheet = 8
/** A full part, and a match for the third place. */
const roomOfSheet = rowsOfSheet + 3
/** More rounds than these would be too narrow to read on a sheet. */
const columnsOfSheet = 10

/**
 * The drawing on sheets: one for every eight matches of the first round, with the way of these matches to the end. The final
 * is drawn behind the upper bracket. Parts that are small share a sheet. (W21)
 */
export function sheetsOf(parts: readonly Part[]): readonly Sheet[] {
  const final = parts.find(({ section }) => section === 'final')
  const hasUpper = parts.some(({ section }) => section === 'upper')
  const pieces = parts
    .filter((part) => part !== final || !hasUpper)
    .flatMap((part) =>
      piecesOf(part, part.section === 'upper' ? [...part.rounds, ...(final?.rounds ?? [])] : part.rounds),
    )
  const sheets: { parts: Part[]; free: number }[] = []
  for (const piece of pieces) {
    const last = sheets.at(-1)
    // The headings of a part take as much room as a match.
    const needed = piece.rows + 1
    if (last !== undefined && last.free >= needed) {
      last.parts.push(piece)
      last.free -= needed
    } else sheets.push({ parts: [piece], free: roomOfSheet - needed })
  }
  return sheets.map((sheet) => ({ key: sheet.parts[0]?.key ?? '', parts: sheet.parts }))
}

function piecesOf(part: Part, rounds: readonly DrawnRound[]): readonly Part[] {
  const first = rounds[0]
  if (first === undefined) return []
  if (first.matches.length <= rowsOfSheet && rounds.length <= columnsOfSheet) return [partOf(part, rounds)]
  const pieces: Part[] = []
  let reached = 0
  for (let at = 0; at < first.matches.length; at += rowsOfSheet) {
    const own = wayOf(rounds, new Set(first.matches.slice(at, at + rowsOfSheet)))
    const isTooLong = own.length > columnsOfSheet
    const single = own.findIndex(({ matches }, column) => column > 0 && matches.length === 1)
    const columns = isTooLong ? (single === -1 ? columnsOfSheet : single + 1) : own.length
    reached = Math.max(reached, columns)
    pieces.push(partOf({ ...part, key: `${part.key}-${at}-${first.key}` }, own.slice(0, columns)))
  }
  return [...pieces, ...piecesOf(part, rounds.slice(reached))]
}

/** The rounds with those matches alone, and with those that their winners come to. */
function wayOf(rounds: readonly DrawnRound[], matches: ReadonlySet<Match>): readonly DrawnRound[] {
  const reached = new Set([...matches].map(({ guid }) => guid))
  return rounds.flatMap((round) => {
    const own = round.matches.filter(({ guid }) => reached.has(guid))
    for (const { nextMatchGuid } of own) if (nextMatchGuid !== null) reached.add(nextMatchGuid)
    return own.length === 0 ? [] : [{ ...round, matches: own }]
  })
}
