import { entitled } from './claims.ts'
import { next } from './cursor.ts'
import type { Action, TieRule } from './flow.ts'
import { aroundOf, legalFlairs, mapsLeft, nextGame, tiebreakers } from './legal-maps.ts'
import {
  activePenalties,
  type Ending,
  finalGames,
  type Game,
  isAbout,
  type Machine,
  openGame,
  seatNumbers,
} from './machine.ts'
import { isPlayed } from './map-winner.ts'
import {
  bestPlayerOf,
  decisiveGame,
  isUsedUp,
  losersOf,
  outcomeOf,
  standingOf,
  winsNeeded,
  winsOf,
} from './outcomes.ts'
import type { Row } from './rows.ts'
import { beginClock, beginPlay, hasLegalMap, newRun, prepareTurn } from './turns.ts'
import { isDecidedWithout } from './validate/rest.ts'
import { isBlocked } from './warnings.ts'

/** Applies the consequences of a row: finalises maps, decides the match, and begins the next turn. */
export function settle(machine: Machine, row: Row): void {
  if (machine.ending?.by === 'void') {
    machine.turn = null
    machine.clock = null
    return
  }
  // A map that was lost before it began becomes final immediately, and the next map may begin. So this repeats until no
  // map is added and none becomes final.
  const far = () => finalGames(machine).length + machine.games.length
  for (let before = -1; before !== far(); ) {
    before = far()
    machine.stuck = null
    settleGame(machine, row)
    settleMatch(machine)
    settleTurn(machine, row)
  }
}

function settleTurn(machine: Machine, row: Row): void {
  if (machine.ending !== null) {
    machine.turn = null
    machine.clock = null
    return
  }
  if (!machine.hasBegun) return
  if (machine.isByHand) {
    machine.stuck = 'by_hand'
    return
  }
  if (machine.stuck !== null) return
  // A reopened match stays decided until a result changes, or until a referee has it played on. (D82)
  if (machine.isReopened && !machine.playsOn && isDecided(machine)) {
    Object.assign(machine, { stuck: 'decided', turn: null, clock: null })
    return
  }
  prepareTurn(machine, row)
  const { turn } = machine
  if (turn === null) return
  if (turn.action === 'play') beginPlay(machine, nextGame(machine))
  else machine.stuck = stuckAt(machine)
}

/** Limit of consecutive skips: an `until_decided` block with nothing left to choose would be skipped for ever. */
export const maxSkips = 100

/** Why no seat can take the turn; null if one can. Bans and protects never wait for a referee: they are skipped. */
function stuckAt(machine: Machine): Machine['stuck'] {
  const { turn } = machine
  if (turn === null) return null
  if (machine.skips >= maxSkips) return 'no_map'
  if (turn.action === 'ban' || turn.action === 'protect') return null
  if (turn.isHeld) return 'no_actor'
  if (turn.actor === 'seats' && turn.seats.length === 0) return 'no_actor'
  switch (turn.action) {
    case 'pick':
    case 'random':
      return hasLegalMap(machine, turn) ? null : 'no_map'
    case 'tiebreaker':
      return tiebreakers(machine, turn.step).length > 0 ? null : 'no_map'
    case 'flair_pick':
    case 'flair_ban':
      return legalFlairs(machine, turn.step).length > 0 ? null : 'no_map'
    case 'choose':
      return undecidedPairs(machine, turn.step.pair).length > 0 ? null : 'no_map'
    default:
      return null
  }
}

export function undecidedPairs({ flow, pairs }: Machine, pair: string | null): readonly string[] {
  return (pair === null ? flow.pairs : [pair]).filter((name) => !pairs.has(name))
}

function settleGame(machine: Machine, row: Row): void {
  const game = openGame(machine)
  if (game === null) return
  const losers = losersOf(machine, game)
  const isSaid = game.told !== null || game.awarded !== null || game.isVoid
  // A referee decides a map that more than one seat has lost.
  if (!isSaid && losers.length > 1) {
    machine.stuck = 'level'
    return
  }
  const isRuled = isSaid || losers.length === 1
  if (isRuled) {
    finalise(machine, game, row)
    return
  }
  const run = game.chains.at(-1)?.runs.at(-1)
  if (run === undefined || !isPlayed(run)) return
  for (const claim of machine.claims) {
    if (claim.status === 'open' && isAbout(claim, game)) claim.status = 'played'
  }
  if (isBlocked(machine, game)) {
    machine.stuck = 'blocked'
    return
  }
  const outcome = outcomeOf(machine, game)
  if (outcome.isLevel) {
    settleLevel(machine, game, row)
    return
  }
  const may = entitled(machine, game, outcome)
  if (game.isClosed || may.every((seat) => game.accepted.has(seat))) {
    finalise(machine, game, row)
    return
  }
  if (game.hasWindow) return
  game.hasWindow = true
  beginClock(machine, machine.flow.rules.replays.windowSeconds, row.position, row.at)
}

/**
 * Applies the tie rules to a level map, in their order. After the last rule a referee decides.
 * (match-flows: Who wins a map, and the match, rule 3)
 */
function settleLevel(machine: Machine, game: Game, row: Row): void {
  for (const rule of machine.flow.rules.tie) {
    if (rule === 'best_player' || rule === 'fewer_misses' || isUsedUp(machine, game, rule)) continue
    if (rule === 'replay') {
      const lineups = game.chains.at(-1)?.runs.at(-1)?.lineups ?? []
      game.chains.push({ chain: game.chains.length + 1, runs: [newRun(1, lineups, null)] })
      Object.assign(game, { hasWindow: false, isClosed: false })
      game.accepted.clear()
      machine.clock = null
      return
    }
    if (!leavesEnough(machine, game, rule)) {
      game.passed.add(rule)
      if (outcomeOf(machine, game).isLevel) continue
      settleGame(machine, row)
      return
    }
    if (rule === 'void') {
      game.isVoid = true
      finalise(machine, game, row)
      return
    }
    game.isGone = true
    game.isFinal = true
    setMapState(machine, game, 'void')
    machine.clock = null
    return
  }
  machine.stuck = 'level'
}

function setMapState(machine: Machine, game: Game, state: 'played' | 'void'): void {
  const map = game.map === null ? undefined : machine.maps.get(game.map)
  if (map !== undefined) Object.assign(map, { state, game: state === 'void' && game.isGone ? null : game.game })
}

function finalise(machine: Machine, game: Game, { position, at }: Row): void {
  Object.assign(game, { isFinal: true, finalPosition: position, finalAt: at, isOfStep: false })
  setMapState(machine, game, game.isVoid ? 'void' : 'played')
  machine.isReopened = false
  const { turn } = machine
  if (turn === null || turn.action !== 'play') return
  machine.clock = null
  machine.turn = null
  if (!turn.isImplied) machine.cursor = next(machine.flow, machine.cursor, aroundOf(machine))
}

/**
 * Decides the match by a forfeit or by its maps. An ending that a referee or the match's own operations have set stays.
 */
function settleMatch(machine: Machine): void {
  const { ending } = machine
  if (ending !== null && ending.by !== 'play' && ending.by !== 'forfeit') return
  const found = forfeited(machine) ?? (machine.isReopened ? null : decided(machine))
  const isFinished = ending?.isFinished === true && found !== null && machine.finishedFor === found.winner
  machine.ending = found === null ? null : { ...found, isFinished }
}

type Found = Pick<Ending, 'winner' | 'by'>

function forfeited(machine: Machine): Found | null {
  if (machine.seats.length !== 2) return null
  // Forfeits from before the last reopening do not count, because a reopened match is played on.
  const losers = activePenalties(machine).filter(
    ({ type, position }) => type === 'match_forfeit' && position > machine.reopenedAt,
  )
  const [first] = losers
  if (first === undefined) return null
  const both = losers.some(({ seat }) => seat !== first.seat)
  return { winner: both ? null : first.seat === 1 ? 2 : 1, by: 'forfeit' }
}

function decided(machine: Machine): Found | null {
  const found = decidedByMaps(machine)
  if (found === 'other_map') machine.extraMaps += 1
  if (found === 'level_match') machine.stuck = 'level_match'
  return found === null || typeof found === 'string' ? null : found
}

function isDecided(machine: Machine): boolean {
  const found = openGame(machine) === null ? decidedByMaps(machine) : null
  return found !== null && typeof found !== 'string'
}

/** What the maps decide: an end, one more map, a level match for a referee, or nothing yet (null). */
function decidedByMaps(machine: Machine): Found | 'other_map' | 'level_match' | null {
  const { play } = machine.flow.rules
  if (play.mode === 'play_all') return decidedAfterAll(machine, play.maps)
  // In a reopened match both seats may have the wins that are needed. The seat that had them first has won.
  const decisive = decisiveGame(machine)
  return decisive === null ? null : { winner: outcomeOf(machine, decisive).winner, by: 'play' }
}

/**
 * Decides a `play_all` after its last map, by sums, wins or points.
 * (match-flows: Who wins a map, and the match, rule 6)
 */
function decidedAfterAll(machine: Machine, maps: number): ReturnType<typeof decidedByMaps> {
  if (openGame(machine) !== null || finalGames(machine).length < maps) return null
  const standing = standingOf(machine)
  const top = Math.max(...standing)
  const leaders = seatNumbers(machine).filter((seat) => standing[seat - 1] === top)
  const found = (winner: number | null): Found => ({ winner, by: 'play' })
  if (leaders.length === 1) return found(leaders[0] ?? null)
  // One more map is still to be played. The leader is checked before this, because a correction may have decided the
  // match.
  if (finalGames(machine).length < maps + machine.extraMaps) return null
  for (const rule of machine.flow.rules.tie) {
    if (rule === 'best_player') {
      const best = bestPlayerOf(machine, leaders)
      if (best !== null) return found(best)
    }
    if (rule === 'other_map' && mapsLeft(machine, false).length > 0) return 'other_map'
  }
  // In a lobby, level seats share their place.
  if (machine.start.allowDraws || machine.seats.length > 2) return found(null)
  return 'level_match'
}

/** Whether enough maps are left to decide the match if this map is given up. */
function leavesEnough(machine: Machine, game: Game, rule: TieRule): boolean {
  const { flow, cursor } = machine
  const needed = winsNeeded(machine)
  const isOther = rule === 'other_map'
  const queued = machine.order.filter(({ isPlayed: isOver }) => !isOver).length
  const takesOne = isOther && queued === 0
  // After a flair pick, the maps that can still be chosen are not worked out, so no map is given up.
  if (machine.pickFlair !== null || (takesOne && mapsLeft(machine, false).length === 0)) return false
  const wins = winsOf(machine)
  const { play } = flow.rules
  const open =
    play.mode === 'play_all'
      ? play.maps + machine.extraMaps - finalGames(machine).length
      : needed === null
        ? 1
        : wins.reduce((sum, count) => sum + needed - 1 - count, 1)
  const isSpent = isOther || play.mode === 'play_all'
  const left = new Set(mapsLeft(machine, true))
  return isDecidedWithout(flow, {
    cursor,
    isStepDone: game.isOfStep,
    plays: isSpent ? open - 1 : open,
    left: machine.pool
      .filter(({ guid, flair }) => left.has(guid) && !(flair !== null && machine.bannedFlairs.has(flair.name)))
      .map(({ flair, isTiebreaker }) => ({ flair: flair?.name ?? null, isTiebreaker })),
    queue: isOther && queued > 0 ? queued - 1 : queued,
    takesOne,
    rolled: machine.rolled !== null,
    chosen: [...machine.pairs.keys()],
    hasWinner: isOther || wins.some((count) => count > 0),
    lost: [...machine.forfeited].map((key) => key.split(':')[1] as Action),
    choices: new Map(
      [...Map.groupBy(machine.choices, ({ action }) => action)].map(([action, made]) => [action, made.length]),
    ),
  })
}
