import type { Decision, Match, Plan, Side, SideIndex, Source, Target } from './types.ts'
import { gamesWon, hasBegun, isOver, judged, type Withdrawn, winnerOf } from './verdict.ts'

/**
 * A bracket from what everybody sees of it: tables and results stay as they were told, and what was reported is worked
 * out from them, so that the bracket can be played on.
 */

type Occupied = Omit<Side, 'slot' | 'empty'>

/** What everybody sees of a match. */
export interface SeenMatch extends Omit<Match, 'sides' | 'decision' | 'started' | 'reopened' | 'winnerTo' | 'loserTo'> {
  readonly sides: readonly [Occupied, Occupied]
  /** Milliseconds since the Unix epoch. A match that was not played has no start. */
  readonly startedAt: number | null
  readonly completedAt: number | null
}

interface Around {
  readonly entrants: Plan['entrants']
  readonly withdrawn: Withdrawn
  /** The bracket as its format plans it: the slots of places without a team. */
  readonly planned: (number: number) => Match | undefined
}

/**
 * The matches with all that the engine needs.
 * @param seen all matches of a bracket
 */
export function recovered(seen: readonly SeenMatch[], around: Around): readonly Match[] {
  const byNumber = new Map(seen.map((match) => [match.number, match]))
  const targets = targetsOf(seen)
  const slots = new Map(around.entrants.map(({ slot, team }) => [team, slot]))
  return seen.map((match) => {
    const { startedAt, completedAt, ...rest } = match
    const side = (index: SideIndex): Side => {
      const own = match.sides[index]
      const isFirst = own.from === null && !own.bye
      const planned = around.planned(match.number)?.sides[index].slot ?? null
      return {
        ...own,
        slot: isFirst ? (own.team === null ? planned : (slots.get(own.team) ?? planned)) : null,
        empty: own.bye || (own.team === null && own.from !== null && isDecided(byNumber.get(own.from.match))),
      }
    }
    const whole: Match = {
      ...rest,
      ...{ winnerTo: targets.get(keyOf(match.number, 'winner')) ?? null },
      ...{ loserTo: targets.get(keyOf(match.number, 'loser')) ?? null },
      ...{ sides: [side(0), side(1)], decision: null, started: startedAt !== null, reopened: false },
    }
    return reported(whole, { startedAt, completedAt }, around.withdrawn)
  })
}

const keyOf = (match: number, outcome: Source['outcome']) => `${match} ${outcome}`

function targetsOf(seen: readonly SeenMatch[]): ReadonlyMap<string, Target> {
  return new Map(
    seen.flatMap(({ number, sides }) =>
      sides.flatMap(({ from }, index) =>
        from === null ? [] : [[keyOf(from.match, from.outcome), { match: number, side: index as SideIndex }] as const],
      ),
    ),
  )
}

const isDecided = (match: Pick<Match, 'status'> | undefined): boolean => match !== undefined && isOver(match)

type Times = Pick<SeenMatch, 'startedAt' | 'completedAt'>

/**
 * The match with the simplest reports that make what was told of it: its games, else that it was reopened, else an
 * explicit result. Where none of them does, it has its games, and what was told stays. A result that was given before the
 * match had begun is as old as its start. (D59)
 */
function reported(match: Match, { startedAt, completedAt }: Times, withdrawn: Withdrawn): Match {
  const isBegun = match.games.length > 0 || (startedAt !== null && (completedAt === null || startedAt < completedAt))
  const candidates: readonly Match[] = [
    match,
    { ...match, reopened: true },
    ...decisionsFor(match).map((decision) => ({
      ...match,
      decision: isBegun ? { ...decision, begun: true as const } : decision,
    })),
  ]
  const possible = candidates.filter((candidate) => isTold(judged(candidate, withdrawn), match))
  const found = possible.find((candidate) => hasBegun(candidate) === isBegun) ?? possible[0]
  return { ...match, decision: found?.decision ?? null, reopened: found?.reopened ?? false }
}

function isTold(judgement: Match, told: Match): boolean {
  return (
    judgement.status === told.status &&
    judgement.outcome === told.outcome &&
    judgement.sides.every(({ score, result }, index) => {
      const side = told.sides[index]
      return score === side?.score && result === side.result
    })
  )
}

/** The explicit results that could have been given, the one without scores first. */
function decisionsFor(match: Match): readonly Decision[] {
  const { outcome, games } = match
  const winner = winnerOf(match)
  const [first, second] = match.sides.map(({ score }) => score)
  const told = first == null || second == null ? null : ([first, second] as const)
  const scores = told === null || isEqual(told, gamesWon(games)) ? [null, told] : [told]
  if (outcome === 'double_forfeit') return [{ outcome }]
  if (outcome === 'draw') return scores.map((each) => ({ outcome, scores: each }))
  if (winner === null) return []
  if (outcome === 'walkover') return [{ outcome, winner }]
  return outcome === 'score' ? scores.map((each) => ({ outcome, winner, scores: each })) : []
}

const isEqual = (one: readonly [number, number], other: readonly [number, number]) =>
  one[0] === other[0] && one[1] === other[1]
