import type { Match } from '../../../../client/generated.ts'
import { isOpen } from '../matches.ts'
import { type Answers, type Word, wordOf } from './answers.ts'

/** What is wrong with the time of a match, before it is saved: the same rules by which times are proposed. */

export interface Rules {
  /** How long a match takes. */
  readonly minutes: number
  /** Between two matches of a team. */
  readonly rest: number
}

/** A time and a stream that a match has or could have. */
export interface Spot {
  readonly at: number
  readonly stream: string | null
}

export interface Board {
  readonly matches: readonly Match[]
  readonly byGuid: ReadonlyMap<string, Match>
  readonly answers: Answers
  readonly rules: Rules
  /** When the tournament begins and ends. */
  readonly startsAt: string | null
  readonly endsAt: string | null
}

export type Clash =
  | { readonly kind: 'team' | 'rest'; readonly name: string; readonly other: Match }
  | { readonly kind: 'channel'; readonly other: Match }
  | { readonly kind: 'official'; readonly name: string; readonly other: Match }
  | { readonly kind: 'before' | 'after' | 'unplanned'; readonly other: Match }
  | { readonly kind: 'answers'; readonly name: string; readonly word: Word }
  | { readonly kind: 'starts' | 'ends'; readonly at: string }

/** What may be so, but is worth a look. */
const soft: readonly Clash['kind'][] = ['unplanned']

export const isHard = (clash: Clash): boolean =>
  !soft.includes(clash.kind) && !(clash.kind === 'answers' && (clash.word === 'unanswered' || isGrudging(clash.word)))

const isGrudging = (word: Word) => word === 'maybe' || word === 'would_rather_not'

const minuteMs = 60_000

/** When a match begins, or began; null if that is not known. */
export function beginOf({ status, startedAt, scheduledAt }: Match): number | null {
  const at = (status === 'running' ? startedAt : null) ?? scheduledAt
  return at === null ? null : Date.parse(at)
}

export const spotOf = (match: Match): Spot | null =>
  match.scheduledAt === null ? null : { at: Date.parse(match.scheduledAt), stream: match.streamUrl }

/** All that is wrong with a spot for a match, the worst first. */
export function clashesOf(match: Match, spot: Spot, board: Board): readonly Clash[] {
  const { rules } = board
  const length = rules.minutes * minuteMs
  const rest = rules.rest * minuteMs
  const all: Clash[] = []
  for (const other of board.matches) {
    if (other.guid === match.guid || !(isOpen(other) || other.status === 'running')) continue
    const begin = beginOf(other)
    if (begin !== null) all.push(...meetings(match, spot, other, Math.abs(begin - spot.at), { length, rest }))
  }
  for (const feeder of feedersOf(match, board)) {
    const begin = beginOf(feeder)
    if (begin === null) all.push({ kind: 'unplanned', other: feeder })
    else if (begin + length + rest > spot.at) all.push({ kind: 'before', other: feeder })
  }
  for (const next of nextOf(match, board)) {
    const begin = beginOf(next)
    if (begin !== null && spot.at + length + rest > begin) all.push({ kind: 'after', other: next })
  }
  for (const { team } of match.sides) {
    if (team === null) continue
    const word = wordOf(board.answers, team.guid, spot.at, spot.at + length)
    if (word !== null && word !== 'available') all.push({ kind: 'answers', name: team.name, word })
  }
  if (board.startsAt !== null && spot.at < Date.parse(board.startsAt)) all.push({ kind: 'starts', at: board.startsAt })
  if (board.endsAt !== null && spot.at >= Date.parse(board.endsAt)) all.push({ kind: 'ends', at: board.endsAt })
  return all.toSorted((one, other) => Number(isHard(other)) - Number(isHard(one)))
}

interface Lengths {
  readonly length: number
  readonly rest: number
}

/** What two matches need at once. */
function meetings(match: Match, spot: Spot, other: Match, apart: number, { length, rest }: Lengths): readonly Clash[] {
  const found: Clash[] = []
  if (apart < length + rest) {
    const theirs = new Set(other.sides.map(({ team }) => team?.guid))
    for (const { team } of match.sides)
      if (team !== null && theirs.has(team.guid))
        found.push({ kind: apart < length ? 'team' : 'rest', name: team.name, other })
  }
  if (apart >= length) return found
  if (spot.stream !== null && spot.stream === other.streamUrl) found.push({ kind: 'channel', other })
  const busy = new Set(other.officials.map(({ user }) => user.guid))
  const names = new Map(match.officials.map(({ user }) => [user.guid, user.preferredName]))
  for (const [guid, name] of names) if (busy.has(guid)) found.push({ kind: 'official', name, other })
  return found
}

const hasBye = ({ sides }: Match) => sides.some(({ bye }) => bye)

/** The matches that must be over before; those without an opponent are never played, and what feeds them counts. */
function feedersOf(match: Match, board: Board): readonly Match[] {
  return match.sides.flatMap(({ from }) => {
    const feeder = from === null ? undefined : board.byGuid.get(from.matchGuid)
    if (feeder === undefined) return []
    if (hasBye(feeder)) return feedersOf(feeder, board)
    return isOpen(feeder) || feeder.status === 'running' ? [feeder] : []
  })
}

function nextOf({ nextMatchGuid, loserMatchGuid }: Match, board: Board): readonly Match[] {
  return [nextMatchGuid, loserMatchGuid].flatMap((guid) => {
    const next = guid === null ? undefined : board.byGuid.get(guid)
    if (next === undefined) return []
    return hasBye(next) ? nextOf(next, board) : [next]
  })
}

/** What is wrong with each match that is still to be played, by its GUID. */
export function allClashes(board: Board): ReadonlyMap<string, readonly Clash[]> {
  return new Map(
    board.matches.flatMap((match) => {
      const spot = spotOf(match)
      if (spot === null || !isOpen(match)) return []
      const hard = clashesOf(match, spot, board).filter(isHard)
      return hard.length === 0 ? [] : [[match.guid, hard] as const]
    }),
  )
}
