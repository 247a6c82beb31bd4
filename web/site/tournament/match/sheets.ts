import type { FlowGame, FlowScore, FlowState, Match } from '../../../../client/generated.ts'
import { type Index, indexes } from './people.ts'
import { indexOf, type PoolMap, poolMap, type View } from './view.ts'

/** The games of a match as sheets: what each side made, player by player, and what of it counts. */

export type Measure = NonNullable<FlowState['flow']>['rules']['map']['by']

export interface Made {
  readonly score: number | null
  readonly accuracy: number | null
  readonly misses: number | null
}

export interface PlayerLine extends Made {
  readonly user: string | null
  readonly name: string
  /** Why the score is 0, or less than it could be. */
  readonly completion: FlowScore['completion']
  /** The run that counts for this player, where others were played too. */
  readonly run: number | null
}

export interface RunLine {
  readonly chain: number
  readonly run: number
  readonly totals: readonly (number | null)[]
}

export interface Sheet {
  readonly number: number
  readonly map: PoolMap | undefined
  /** The name of the map, where nothing else is known of it. */
  readonly mapName: string | undefined
  readonly pickedBy: Index | null
  readonly phase: FlowGame['phase']
  readonly winner: Index | null
  /** The side that holds the map while it is not final. */
  readonly provisional: Index | null
  readonly because: string | null
  readonly totals: readonly [Made, Made]
  readonly players: readonly [readonly PlayerLine[], readonly PlayerLine[]]
  /** All runs, where there is more than one. */
  readonly runs: readonly RunLine[]
  /** The lead of the first side by what decides the map; null where it is not known. */
  readonly lead: number | null
}

type ToldGame = Match['games'][number]

/** The latest first. */
export function sheetsOf(view: View): readonly Sheet[] {
  const told = new Map(view.match.games.map((game) => [game.number, game]))
  const begun = new Map(
    (view.session?.games ?? []).filter(({ phase }) => phase !== 'up_next').map((game) => [game.game, game]),
  )
  return [...new Set([...told.keys(), ...begun.keys()])]
    .toSorted((one, other) => other - one)
    .map((number) => sheetOf(number, told.get(number), begun.get(number), view))
    .filter(({ phase, players }) => phase !== 'playing' || players.some((lines) => lines.length > 0))
}

/** Of a share, such as 0.9312, as the field writes it: 93.12. */
export const shareOf = (accuracy: number): string => (accuracy * 100).toFixed(2)

export const measureOf = ({ session }: View): Measure => session?.flow?.rules.map.by ?? 'score'

function sheetOf(number: number, told: ToldGame | undefined, game: FlowGame | undefined, view: View): Sheet {
  const scores = game === undefined ? [] : countedOf(game, measureOf(view))
  const runs = game === undefined ? [] : runsOf(game)
  const linesOf = (at: Index): readonly PlayerLine[] => {
    const own = scores.filter(({ seat }) => seat === at + 1)
    return own.length > 0 ? own.map((score) => lineOfScore(score, runs.length > 1, view)) : toldLines(told, at, view)
  }
  const players = [linesOf(0), linesOf(1)] as const
  const totals = [totalOf(0, told, game, players[0]), totalOf(1, told, game, players[1])] as const
  const winner = game === undefined ? (told?.winner ?? null) : game.winner
  return {
    number,
    map: poolMap(view, game?.map ?? null) ?? mapOf(told, view),
    mapName: told?.map?.name,
    pickedBy: indexOf(game?.pickedBy ?? null),
    phase: game?.phase ?? 'final',
    winner: indexOf(winner),
    provisional: indexOf(game?.provisional ?? null),
    because: game?.because ?? null,
    totals,
    players,
    runs,
    lead: leadOf(totals, game, view),
  }
}

function mapOf(told: ToldGame | undefined, { session, planned }: View): PoolMap | undefined {
  const map = told?.map
  if (map === undefined) return undefined
  return (session ?? planned)?.pool?.maps.find(
    (each) => each.map.hash === map.hash.toLowerCase() && each.map.difficulty === map.difficulty,
  )
}

function runsOf({ chains }: FlowGame): readonly RunLine[] {
  const all = chains.flatMap((chain, at) => chain.map(({ run, totals }) => ({ chain: at + 1, run, totals })))
  return all.length > 1 ? all : []
}

/** The scores that count by now: of the run that counts for a side, or the best of each player. (match-flows: Who wins a map, and the match) */
function countedOf({ chains, counted }: FlowGame, by: Measure): readonly FlowScore[] {
  const all = (chains.at(-1) ?? []).flatMap(({ scores }) => scores.filter(({ counts }) => counts))
  return indexes.flatMap((at) => {
    const own = all.filter(({ seat }) => seat === at + 1)
    const run = counted[at] ?? null
    if (run !== null && own.some((score) => score.run === run)) return own.filter((score) => score.run === run)
    const best = new Map<string, FlowScore>()
    for (const score of own) {
      const known = best.get(keyOf(score))
      if (known === undefined || worthOf(score, by) > worthOf(known, by)) best.set(keyOf(score), score)
    }
    return [...best.values()]
  })
}

const keyOf = ({ user, name, seat }: FlowScore) => user ?? name ?? String(seat)

/** More is better. */
export const worthOf = ({ score, accuracy, misses }: Made, by: Measure): number =>
  by === 'score' ? (score ?? 0) : by === 'accuracy' ? (accuracy ?? 0) : -(misses ?? 0)

function lineOfScore(score: FlowScore, isReplayed: boolean, { people }: View): PlayerLine {
  const { user, name, accuracy, misses, completion, run } = score
  return {
    user,
    name: (user === null ? name : people.nameOf(user)) ?? '–',
    score: score.score,
    accuracy,
    misses,
    completion,
    run: isReplayed ? run : null,
  }
}

function toldLines(told: ToldGame | undefined, at: Index, { people }: View): readonly PlayerLine[] {
  return (told?.players ?? [])
    .filter(({ side }) => side === at + 1)
    .map(({ userGuid, score, accuracy = null }) => ({
      user: userGuid,
      name: people.nameOf(userGuid) ?? '–',
      score,
      accuracy,
      misses: null,
      completion: 'passed',
      run: null,
    }))
}

function totalOf(
  at: Index,
  told: ToldGame | undefined,
  game: FlowGame | undefined,
  players: readonly PlayerLine[],
): Made {
  const ofFlow = game?.sides[at]
  const ofMatch = told?.sides[at]
  const isKnown = players.length > 0 && players.every(({ misses }) => misses !== null)
  return {
    score: ofFlow?.score ?? ofMatch?.score ?? null,
    accuracy: ofFlow?.accuracy ?? ofMatch?.accuracy ?? null,
    misses: isKnown ? players.reduce((sum, { misses }) => sum + (misses ?? 0), 0) : null,
  }
}

function leadOf([first, second]: readonly [Made, Made], game: FlowGame | undefined, view: View): number | null {
  const by = measureOf(view)
  const [one, two] = game?.totals ?? []
  if (by !== 'score' && one != null && two != null) return by === 'misses' ? two - one : one - two
  return first[by] === null || second[by] === null ? null : worthOf(first, by) - worthOf(second, by)
}
