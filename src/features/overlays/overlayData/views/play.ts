import type { DataTree, TreeCurrentMap, TreeFlow, TreeGame, TreePickBan } from '../../../../engine/scenes/tree.ts'
import type { MatchView } from '../../../brackets/matches/views.ts'
import type { StateView } from '../../../flows/flowSessions/views/state.ts'
import { type PoolMap, poolMapOf, treeMap, treeMapOf } from './maps.ts'

/** The views of picks, bans and games. Seats are the sides of the match, in their order. */

type Game = StateView['games'][number]
type Side = 1 | 2

function sideOf(seat: number | null): Side | null {
  return seat === 1 || seat === 2 ? seat : null
}

function sidesOf(seats: readonly number[]): Side[] {
  return seats.flatMap((seat) => sideOf(seat) ?? [])
}

/** @param order the sides in the order in which they are shown */
export function treeFlow({ phase, turn, clock, matchPoint, seats, flow }: StateView, order: readonly Side[]): TreeFlow {
  const [only, another] = turn?.seats ?? []
  const { replays, timeouts } = flow?.rules ?? {}
  const hasReplays = replays !== undefined && replays.rule !== 'none' && replays.perMatch > 0
  const hasTimeouts = timeouts !== undefined && timeouts.count > 0
  return {
    phase,
    turn:
      turn === null
        ? null
        : { action: turn.action, side: another === undefined ? sideOf(only ?? null) : null, run: turn.run },
    clock:
      clock === null
        ? null
        : { dueAt: clock.dueAt, remainingMs: clock.remainingMs, pausedAt: clock.pausedAt, seconds: clock.seconds },
    matchPoint: sidesOf(matchPoint ?? []),
    seats: order.map((side) => {
      const { replaysLeft = null, timeoutsLeft = null } = seats[side - 1] ?? {}
      return { replaysLeft: hasReplays ? replaysLeft : null, timeoutsLeft: hasTimeouts ? timeoutsLeft : null }
    }),
  }
}

export function treePickBans({ picksBans, seats }: StateView, pool: readonly PoolMap[]): TreePickBan[] {
  return picksBans.map(({ flowOrder, mapGuid, actionerGuid, isBan, isTB }) => {
    const map = pool.find(({ guid }) => guid === mapGuid)
    const seat = actionerGuid === null ? undefined : seats.find(({ team }) => team?.guid === actionerGuid)
    return {
      number: flowOrder,
      action: isBan ? 'ban' : isTB ? 'tiebreaker' : 'pick',
      side: sideOf(seat?.seat ?? null),
      map: map === undefined ? null : treeMap(map),
    }
  })
}

/** @param maps the states of the maps; empty before a session has begun */
export function treePool(
  { name, maps: pool }: NonNullable<StateView['pool']>,
  maps: StateView['maps'],
): NonNullable<DataTree['pool']> {
  const states = new Map(maps.map((each) => [each.map, each]))
  return {
    name: name ?? '',
    maps: pool.map((each) => {
      const { state = 'available', seat = null, winner = null } = states.get(each.guid) ?? {}
      const { isTiebreaker } = each
      return { ...treeMap(each), state, side: sideOf(seat), winner: sideOf(winner), isTiebreaker }
    }),
  }
}

/** The game that is being played, otherwise the next one, otherwise the last one. */
function currentGame(games: readonly Game[]): Game | undefined {
  return (
    games.find(({ phase }) => phase === 'playing' || phase === 'window' || phase === 'replay') ??
    games.find(({ phase }) => phase === 'up_next') ??
    games.findLast(({ phase }) => phase === 'final')
  )
}

export function treeCurrentMap({ games }: StateView, pool: readonly PoolMap[]): TreeCurrentMap | null {
  const game = currentGame(games)
  const map = pool.find(({ guid }) => guid === game?.map)
  if (game === undefined || map === undefined) return null
  const { isTiebreaker, options } = map
  return { ...treeMap(map), pickedBy: sideOf(game.pickedBy), isTiebreaker, target: options.target }
}

/**
 * Returns the games of the session. A game that was reported by hand takes its result from the match. Once the session
 * is over, all results come from the match, because later changes by hand are only there; games that the match no
 * longer has are left out.
 * @param order the sides in the order in which they are shown
 */
export function treeGames(
  { games, status }: StateView,
  match: MatchView | null,
  pool: readonly PoolMap[],
  order: readonly Side[],
): TreeGame[] {
  const reported = reportedGames(match, pool, order)
  const isOver = status === 'over'
  const played = games.flatMap((game): TreeGame[] => {
    const own = playedGame(game, pool, order)
    const known = isOver || game.because === 'told' ? reported.find(({ number }) => number === game.game) : undefined
    if (known === undefined) return match !== null && isOver && own.phase === 'final' ? [] : [own]
    const { sides, winner } = known
    return [
      {
        ...own,
        map: known.map ?? own.map,
        sides,
        winner,
        provisional: false,
        phase: own.phase === 'void' ? own.phase : known.phase,
        because: winner === own.winner ? own.because : null,
      },
    ]
  })
  const numbers = new Set(games.map(({ game }) => game))
  return isOver ? [...played, ...reported.filter(({ number }) => !numbers.has(number))] : played
}

function playedGame(game: Game, pool: readonly PoolMap[], order: readonly Side[]): TreeGame {
  const map = pool.find(({ guid }) => guid === game.map)
  return {
    number: game.game,
    map: map === undefined ? null : treeMap(map),
    pickedBy: sideOf(game.pickedBy),
    isTiebreaker: map?.isTiebreaker ?? false,
    phase: game.phase,
    sides: order.map((side) => game.sides[side - 1] ?? { score: null, accuracy: null }),
    provisional: game.winner === null && game.provisional !== null,
    winner: sideOf(game.winner ?? game.provisional),
    because: game.because,
    run: game.chains.at(-1)?.at(-1)?.run ?? 1,
    scoreToBeat: game.scoreToBeat,
  }
}

/** Returns the games of a match that is played without a session, as they were reported. */
export function reportedGames(match: MatchView | null, pool: readonly PoolMap[], order: readonly Side[]): TreeGame[] {
  return (match?.games ?? []).map(({ number, map, sides, winner }) => ({
    number,
    map: map === undefined ? null : treeMapOf(map, pool),
    pickedBy: null,
    isTiebreaker: map !== undefined && (poolMapOf(map, pool)?.isTiebreaker ?? false),
    phase: 'final',
    sides: order.map((side) => {
      const { score = null, accuracy = null } = sides[side - 1] ?? {}
      return { score, accuracy }
    }),
    provisional: false,
    winner,
    because: null,
    run: 1,
    scoreToBeat: null,
  }))
}
