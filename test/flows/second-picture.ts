import type { State } from '../../src/engine/flows/state-types.ts'
import type { Follower } from './second-replayer.ts'

/** The values in which both implementations are compared. */
export type Picture = ReturnType<typeof pictureOfState>

export function pictureOfState(state: State) {
  const { turn, clock } = state
  return {
    status: state.status,
    phase: state.phase,
    winner: state.winner,
    scoreline: state.scoreline,
    turn: turn === null ? null : { step: turn.step, action: turn.action, seats: turn.seats, done: turn.done.length },
    maps: state.maps.map(({ map, state: now, seat, game, winner }) => [map, now, seat, game, winner]),
    games: state.games
      .filter(({ phase }) => phase !== 'up_next')
      .map((game) => ({
        game: game.game,
        map: game.map,
        phase: game.phase,
        chain: game.chain,
        runs: game.chains.map((runs) => runs.length),
        totals: game.totals,
        counted: game.counted,
        winner: game.winner,
        provisional: game.provisional,
        because: game.because,
      })),
    clock: clock === null ? null : { dueAt: clock.dueAt, remainingMs: clock.remainingMs, number: clock.number },
    seats: state.seats.map(({ roll, places, wins, score, points, replaysLeft, lineup }) => ({
      roll,
      places,
      wins,
      score,
      points,
      replaysLeft,
      lineup,
    })),
    picksBans: state.picksBans.map(({ mapGuid, seat, kind }) => [mapGuid, seat, kind]),
  }
}

export function pictureOfFollower(second: Follower): Picture {
  const { turn, clock, end, seats } = second
  const open = second.open()
  const there = second.games.filter(({ gone }) => !gone)
  const wins = second.wins()
  const held = turn?.held === true
  const isWaiting = turn?.step.action === 'ready' || turn?.step.action === 'break'
  const phase = (): State['phase'] => {
    if (end !== null) return 'over'
    if (!second.begun) return 'starting'
    if (second.wait !== null) return second.wait === 'decided' ? 'decided' : 'referee'
    if (open?.window === true) return 'window'
    if (open !== null || turn === null || turn.step.action === 'play') return 'playing'
    if (held) return 'referee'
    return isWaiting ? 'waiting' : 'choosing'
  }
  return {
    status: end !== null ? (end.by === 'void' ? 'void' : 'over') : second.paused ? 'paused' : 'running',
    phase: phase(),
    winner: end?.winner ?? null,
    scoreline: wins,
    turn:
      turn === null
        ? null
        : {
            step: turn.path,
            action: turn.step.action,
            ...(open?.window === true
              ? {
                  seats: second.entitled(open).filter((seat) => !open.accepted.has(seat)),
                  done: open.accepted.size,
                }
              : { seats: second.pending(turn), done: turn.done.size }),
          },
    maps: second.maps.map(({ entry, state, seat, game }) => {
      const played = second.games.findLast(({ number }) => number === game)
      const winner = played === undefined || !played.final ? null : second.result(played).winner
      return [entry.guid, state, seat, game, winner]
    }),
    games: there.map((game) => {
      const { winner, totals, counted, because } = second.result(game)
      const chain = game.chains.at(-1) ?? []
      const isReplay = game.chains.length > 1 || chain.length > 1 || (chain.at(-1)?.again.size ?? 0) > 0
      return {
        game: game.number,
        map: game.map,
        chain: Math.max(1, game.chains.length),
        runs: game.chains.map((runs) => runs.length),
        phase: game.empty ? 'void' : game.final ? 'final' : game.window ? 'window' : isReplay ? 'replay' : 'playing',
        totals,
        counted,
        winner: game.final ? winner : null,
        provisional: game.final ? null : winner,
        because: (game.final ? because : null) as State['games'][number]['because'],
      }
    }),
    clock: clock === null ? null : { dueAt: clock.due, remainingMs: clock.left, number: clock.number },
    seats: seats.map((seat) => ({
      roll: second.rolls[seat - 1] ?? null,
      places: Object.fromEntries(
        [...second.pairs]
          .filter(([, pair]) => pair.includes(seat))
          .map(([name, pair]) => [name, pair.indexOf(seat) + 1]),
      ),
      wins: wins[seat - 1] ?? 0,
      score: second.sums()[seat - 1] ?? 0,
      points: second.points()[seat - 1] ?? 0,
      replaysLeft: second.replaysLeft(seat),
      lineup: open?.chains.at(-1)?.at(-1)?.who[seat - 1] ?? second.lineups[seat - 1] ?? null,
    })),
    picksBans: second.picksBans,
  }
}
